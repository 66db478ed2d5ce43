"""The tree of a version: document > section > leaf, sentences as spans of a leaf."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from knowledge.ingest.tree import NodeKind
from knowledge.models.documents import DocumentVersion
from knowledge.models.subtrees import under_path

CONTAINERS = (NodeKind.DOCUMENT, NodeKind.SECTION)


class NodeQuerySet(models.QuerySet["Node"]):
    def under(self, path: str) -> "NodeQuerySet":
        """The node at `path` and its descendants."""
        return self.filter(under_path(path))

    def leaves(self) -> "NodeQuerySet":
        return self.exclude(kind__in=CONTAINERS)

    def containers(self) -> "NodeQuerySet":
        """Documents and sections."""
        return self.filter(kind__in=CONTAINERS)

    def overlapping(self, start: int, end: int) -> "NodeQuerySet":
        """Nodes that share at least one character with `[start, end)`."""
        return self.filter(char_start__lt=end, char_end__gt=start)


NodeManager = TenantManager.from_queryset(NodeQuerySet)


class Node(TenantOwned):
    """A node of a version's tree; `path` starts with the document's path."""

    version = TenantForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="nodes")
    parent = TenantForeignKey("self", null=True, on_delete=models.CASCADE, related_name="children")
    ordinal = models.PositiveIntegerField(help_text="position in document order, from 0")
    kind = models.CharField(max_length=10)
    depth = models.PositiveSmallIntegerField()
    path = models.TextField(db_collation="C")
    title = models.TextField(blank=True)
    text = models.TextField(blank=True, help_text="of a leaf; a container's is its leaves'")
    char_start = models.PositiveIntegerField()
    char_end = models.PositiveIntegerField()
    sentences = ArrayField(
        models.PositiveIntegerField(),
        default=list,
        help_text="start, end, start, end ... of sentences (of rows in a table)",
    )
    page = models.PositiveIntegerField(null=True)
    boxes = models.JSONField(default=list)
    tokens = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    stable_key = models.CharField(max_length=64)

    objects = NodeManager()

    class Meta(TenantOwned.Meta):
        ordering = ["version", "ordinal"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "version", "ordinal"], name="node_ordinal_once_a_version"
            ),
            models.UniqueConstraint(
                fields=["tenant", "version", "path"], name="node_path_once_a_version"
            ),
        ]

    def __str__(self) -> str:
        return self.path

    @property
    def is_container(self) -> bool:
        return self.kind in CONTAINERS

    def sentence_spans(self) -> list[tuple[int, int]]:
        """Return the half-open spans of the quotable units, in the version's text."""
        return list(zip(self.sentences[::2], self.sentences[1::2], strict=True))
