"""Abstracts of documents and sections. They orient; what they say is no evidence."""

from django.db import models
from django.utils import timezone

from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from knowledge.models.bases import KnowledgeBase
from knowledge.models.documents import DocumentVersion
from knowledge.models.nodes import Node


class AbstractQuerySet(models.QuerySet["Abstract"]):
    def texts(self, node_ids: "list[int]") -> dict[int, str]:
        """Return the abstracts of these nodes, by node, of those that have one."""
        return dict(self.filter(node__in=node_ids).values_list("node_id", "text"))

    def spent(self) -> int:
        """Return the tokens that models took for these, as far as they are known."""
        sums = self.aggregate(read=models.Sum("input_tokens"), written=models.Sum("output_tokens"))
        return (sums["read"] or 0) + (sums["written"] or 0)


AbstractManager = TenantManager.from_queryset(AbstractQuerySet)


class Abstract(TenantOwned):
    """What a document or section is about. No citation can point here: it has no characters."""

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="+")
    version = TenantForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="+")
    node = TenantForeignKey(Node, on_delete=models.CASCADE, related_name="abstracts")
    text = models.TextField()
    language = models.CharField(max_length=10, blank=True)
    generator = models.CharField(max_length=100, help_text="extractive, or the model that wrote it")
    source_hash = models.CharField(max_length=64, help_text="of what it was made from")
    reused = models.BooleanField(default=False, help_text="taken over from an equal section")
    input_tokens = models.PositiveIntegerField(null=True)
    output_tokens = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AbstractManager()

    class Meta(TenantOwned.Meta):
        ordering = ["version", "node"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "node"], name="abstract_once_a_node")
        ]
        indexes = [
            models.Index(fields=["tenant", "base", "source_hash"], name="abstract_source"),
            models.Index(fields=["tenant", "version"], name="abstract_version"),
        ]

    def __str__(self) -> str:
        return self.text[:80]
