"""What is searched: one entry a chunk, with a dense and a lexical vector."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F
from pgvector.django import HalfVectorField, SparseVectorField

from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from knowledge.models.bases import KnowledgeBase
from knowledge.models.documents import Document, DocumentVersion
from knowledge.models.nodes import Node
from knowledge.models.subtrees import under_path

CHUNK_ENTRY = "chunk"
FIGURE_ENTRY = "figure"
"""Of a figure that a model described; made after publishing, beside the chunks."""


class IndexEntryQuerySet(models.QuerySet["IndexEntry"]):
    def current(self) -> "IndexEntryQuerySet":
        """Entries of published versions; those of a version in the making are not found."""
        return self.filter(document__current_version=F("version"))

    def chunks(self) -> "IndexEntryQuerySet":
        """The entries that a version is published with."""
        return self.filter(kind=CHUNK_ENTRY)

    def under(self, path: str) -> "IndexEntryQuerySet":
        """Entries at or below `path`; '' is the whole base."""
        return self.filter(under_path(path)) if path else self.all()


IndexEntryManager = TenantManager.from_queryset(IndexEntryQuerySet)


class IndexEntry(TenantOwned):
    """A searchable span. Both vectors see the heading path in front of the text."""

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="entries")
    document = TenantForeignKey(Document, on_delete=models.CASCADE, related_name="entries")
    version = TenantForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="entries")
    node = TenantForeignKey(Node, on_delete=models.CASCADE, related_name="entries")
    kind = models.CharField(max_length=10, default=CHUNK_ENTRY)
    ordinal = models.PositiveIntegerField(help_text="position in document order, from 0")
    depth = models.PositiveSmallIntegerField()
    path = models.TextField(db_collation="C")
    headings = ArrayField(models.TextField(), help_text="document title, ..., section title")
    preview = models.CharField(max_length=200)
    char_start = models.PositiveIntegerField()
    char_end = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)
    tokens = models.PositiveIntegerField()
    term_count = models.PositiveIntegerField(help_text="terms of the lexical leg")
    analysis = models.CharField(max_length=30, help_text="that made the lexical vector")
    input_hash = models.CharField(max_length=64, help_text="of the text that was embedded")
    embedding_model = models.CharField(max_length=100)
    index_text = models.TextField(
        blank=True, help_text="what is indexed below the headings, where it is not the passage"
    )
    dense = HalfVectorField()
    lexical = SparseVectorField()

    objects = IndexEntryManager()

    class Meta(TenantOwned.Meta):
        ordering = ["version", "ordinal"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "version", "ordinal"], name="entry_ordinal_once_a_version"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "base", "path"], name="entry_path"),
            models.Index(
                fields=["tenant", "base", "embedding_model", "input_hash"], name="entry_input"
            ),
        ]

    def __str__(self) -> str:
        return self.path


class EntryVector(TenantOwned):
    """The vector of an entry by the model that the base is to change to.

    The database deletes it with its entry: through the ORM each entry would be loaded first.
    """

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="+")
    entry = TenantForeignKey(IndexEntry, on_delete=models.DO_NOTHING, related_name="+")
    model = models.CharField(max_length=100)
    input_hash = models.CharField(max_length=64, help_text="of the text that was embedded")
    dense = HalfVectorField()

    objects = TenantManager["EntryVector"]()

    class Meta(TenantOwned.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "entry"], name="next_vector_once_an_entry")
        ]
        indexes = [models.Index(fields=["tenant", "base", "input_hash"], name="next_vector_input")]

    def __str__(self) -> str:
        return f"entry {self.entry_id} by {self.model}"


class LexicalTerm(TenantOwned):
    """In how many current entries of a base a term occurs: BM25's document frequency."""

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="terms")
    term = models.PositiveIntegerField(help_text="hash, see knowledge.lexical.hashing")
    document_frequency = models.IntegerField()

    objects = TenantManager["LexicalTerm"]()

    class Meta(TenantOwned.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "base", "term"], name="term_once_a_base")
        ]

    def __str__(self) -> str:
        return f"{self.term}: {self.document_frequency}"
