"""Knowledge bases: the unit of access, settings and lexical statistics."""

from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import connection, models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Group, Membership
from accounts.policies import sees_every_base
from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from knowledge.ingest.reading_options import LANGUAGES_PATTERN, ReadingOptions


class KnowledgeBaseQuerySet(models.QuerySet["KnowledgeBase"]):
    def lock(self, pk: int) -> "KnowledgeBase | None":
        """Return the base with its row locked until the transaction ends; None if it is gone.

        Uploading, publishing and deleting take this lock first, so that they never deadlock over
        the lexical statistics. A base that the caller saw may have been deleted meanwhile.
        """
        return self.select_for_update(of=("self",), no_key=True).filter(pk=pk).first()

    def keep(self, pk: int) -> bool:
        """Keep the base from being deleted until the transaction ends; return False if it is gone.

        FOR KEY SHARE, which Django does not know: unlike `lock` it does not wait for an upload or
        a publishing, only for a deletion.
        """
        with connection.cursor() as cursor:
            table = connection.ops.quote_name(self.model._meta.db_table)
            cursor.execute(f"SELECT 1 FROM {table} WHERE id = %s FOR KEY SHARE", [pk])  # noqa: S608
            return cursor.fetchone() is not None

    def visible_to(self, membership: Membership) -> "KnowledgeBaseQuerySet":
        """Bases open to the tenant, and restricted ones that a group of the member may read."""
        if sees_every_base(membership):
            return self
        granted = _granted(membership).values("base_id")
        return self.filter(Q(visibility=KnowledgeBase.Visibility.TENANT) | Q(pk__in=granted))


KnowledgeBaseManager = TenantManager.from_queryset(KnowledgeBaseQuerySet)


class KnowledgeBase(TenantOwned):
    class Visibility(models.TextChoices):
        TENANT = "tenant", "everyone in the company"
        RESTRICTED = "restricted", "chosen groups"

    class Abstracts(models.TextChoices):
        EAGER = "eager", "with every upload, by the language model if there is one"
        LAZY = "lazy", "sentences of the document, when somebody looks"
        OFF = "off", "none"

    class ParseMode(models.TextChoices):
        FAST = "fast", "by their looks"
        THOROUGH = "thorough", "by a layout model, about a page a second"

    class TrackedChanges(models.TextChoices):
        ACCEPTED = "accepted", "the text with all changes"
        ORIGINAL = "original", "the text before the changes"
        MARKED = "marked", "both, marked as inserted and deleted"

    class Ocr(models.TextChoices):
        AUTO = "auto", "of scanned pages, where an engine is installed"
        OFF = "off", "never"

    slug = models.CharField(max_length=60)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    visibility = models.CharField(
        max_length=10, choices=Visibility, default=Visibility.TENANT, verbose_name="open to"
    )
    chunk_max_tokens = models.PositiveIntegerField(
        null=True,
        blank=True,
        # The bounds of CAIRN_CHUNK_MAX_TOKENS: with 5, say, no file of the base could be cut.
        validators=[MinValueValidator(50), MaxValueValidator(8_000)],
        help_text="Upper bound of a chunk, in tokens, 50 to 8000; empty: the site's.",
    )
    abstracts = models.CharField(
        max_length=10,
        choices=Abstracts,
        default=Abstracts.LAZY,
        help_text="When documents and sections get the abstract that lists show.",
    )
    parse_mode = models.CharField(
        max_length=10,
        choices=ParseMode,
        default=ParseMode.FAST,
        verbose_name="headings of PDF files",
    )
    tracked_changes = models.CharField(
        max_length=10, choices=TrackedChanges, default=TrackedChanges.ACCEPTED
    )
    ocr = models.CharField(max_length=5, choices=Ocr, default=Ocr.AUTO, verbose_name="OCR")
    ocr_languages = models.CharField(
        max_length=104,
        default="eng",
        validators=[
            RegexValidator(rf"\A{LANGUAGES_PATTERN}\Z", "Tesseract's names: eng, deu+fra.")
        ],
        verbose_name="languages of OCR",
        help_text="Tesseract's names of at most five, joined by +: eng, deu+fra.",
    )
    approval_tokens = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        help_text="An upload that will cost more tokens of a model waits for approval; "
        "empty: the company's limit.",
    )
    # Named by the app that answers, which checks it; '' leaves the choice to it.
    preset = models.CharField(max_length=20, blank=True, editable=False)
    # Totals over the current versions' entries, kept by publishing: BM25's N and average length.
    entry_count = models.PositiveIntegerField(default=0, editable=False)
    term_count = models.PositiveBigIntegerField(default=0, editable=False)
    # What embedded the index that is searched; '' until a first document is indexed. The server's
    # options but for its key, None for a built-in model: to ask it on after the settings changed.
    serving_model = models.CharField(max_length=100, blank=True, editable=False)
    serving_server = models.JSONField(null=True, editable=False)
    words_only_since = models.DateTimeField(
        null=True, editable=False, help_text="since when that model has not answered searches"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = KnowledgeBaseManager()

    class Meta(TenantOwned.Meta):
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "slug"], name="base_slug_once_a_tenant")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def uri(self) -> str:
        return f"kb://{self.slug}"

    def is_visible_to(self, membership: Membership) -> bool:
        """Return whether the base is one of `visible_to`, by the row as it was read.

        At most one query, in an open transaction. To read one base and ask this takes half the
        time of reading it through `visible_to`, and no more if the base is restricted (measured).
        """
        is_open = self.visibility == KnowledgeBase.Visibility.TENANT
        return (
            is_open
            or sees_every_base(membership)
            or _granted(membership).filter(base_id=self.pk).exists()
        )

    @property
    def reading(self) -> ReadingOptions:
        """How the documents of the base are read from now on."""
        chosen: dict[str, Any] = {
            name: str(getattr(self, name))
            for name in ("parse_mode", "tracked_changes", "ocr", "ocr_languages")
        }
        return ReadingOptions(**chosen)


class BaseAccess(TenantOwned):
    """Lets a group read a restricted base."""

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="access")
    group = TenantForeignKey(Group, on_delete=models.CASCADE, related_name="base_access")

    objects = TenantManager["BaseAccess"]()

    class Meta(TenantOwned.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "base", "group"], name="group_once_a_base")
        ]

    def __str__(self) -> str:
        return f"{self.group} reads {self.base}"


def _granted(membership: Membership) -> models.QuerySet[BaseAccess]:
    """Return what the groups of a member may read."""
    return BaseAccess.objects.filter(group__members__membership=membership)
