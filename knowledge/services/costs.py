"""What taking in a document costs: quotas of a tenant, counted from our own rows, and prices.

Errors: QuotaExceeded, with a sentence for the person who sent the file.
"""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import F, Sum
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from knowledge.ingest.preflight import MEGABYTE
from knowledge.models import DocumentVersion, IngestUsage, TenantQuota

TOKENS_SPENT = (
    "Your company may have {limit:,} tokens of documents read a month. It has used {used:,}, and "
    "this file has {wanted:,}. It can be read from {day} on, or when the limit is raised."
)
TOKENS_ALL_SPENT = (
    "Your company may have {limit:,} tokens of documents read a month, and they are used up. "
    "Files are accepted again from {day} on, or when the limit is raised."
)
SPACE_SPENT = (
    "Your company may keep {limit} MB of documents. It keeps {used} MB, and this file has {wanted} "
    "MB. Delete documents that are not needed, or have the limit raised."
)


class QuotaExceeded(ValueError):
    """The tenant may not take this in; the message says why and what would help."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What models are about to be paid for a version; `pages` and `price` None: unknown.

    `calls` are those for abstracts and those for `figures`, which a model that sees describes.
    """

    pages: int | None
    calls: int
    input_tokens: int
    output_tokens: int
    figures: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    @property
    def price(self) -> float | None:
        return price_of(self.input_tokens, self.output_tokens)

    def with_figures(self, figures: "Estimate") -> "Estimate":
        """Return the sum of an estimate of abstracts and one of figures."""
        return Estimate(
            self.pages,
            self.calls + figures.calls,
            self.input_tokens + figures.input_tokens,
            self.output_tokens + figures.output_tokens,
            figures.figures,
        )

    def as_json(self) -> dict[str, object]:
        """Return what is stored on the version, with the price as it is now."""
        return {
            "pages": self.pages,
            "calls": self.calls,
            "figures": self.figures,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "tokens": self.tokens,
            "price": self.price,
            "currency": settings.PRICE_CURRENCY if self.price is not None else None,
        }


def price_of(input_tokens: int, output_tokens: int) -> float | None:
    """Return a price in the site's currency, None unless both prices are configured."""
    read, written = settings.PRICE_INPUT_PER_MTOK, settings.PRICE_OUTPUT_PER_MTOK
    if read is None or written is None:
        return None
    return round((input_tokens * read + output_tokens * written) / 1_000_000, 6)


def upload_require(size: int) -> None:
    """Raise QuotaExceeded if a file of so many bytes may not be stored, in the open transaction.

    Of two uploads at once the second waits for the first.
    """
    quota = _quota()
    if quota is None:
        return
    if quota.bytes_stored:
        used = bytes_stored()
        if used + size > quota.bytes_stored:
            limit, kept, wanted = (_mb(amount) for amount in (quota.bytes_stored, used, size))
            raise QuotaExceeded(SPACE_SPENT.format(limit=limit, used=kept, wanted=wanted))
    if quota.tokens_per_month and tokens_this_month() >= quota.tokens_per_month:
        limit_ = quota.tokens_per_month
        raise QuotaExceeded(TOKENS_ALL_SPENT.format(limit=limit_, day=_next_month()))


def reading_take(version: DocumentVersion, tokens: int) -> None:
    """Count a version as read, once, in the open transaction. Raises QuotaExceeded."""
    quota = _quota()
    if IngestUsage.objects.filter(
        version_number=version.pk, purpose=IngestUsage.Purpose.READ
    ).exists():
        return
    if quota is not None and quota.tokens_per_month:
        used = tokens_this_month()
        if used + tokens > quota.tokens_per_month:
            limit = quota.tokens_per_month
            raise QuotaExceeded(
                TOKENS_SPENT.format(limit=limit, used=used, wanted=tokens, day=_next_month())
            )
    IngestUsage.objects.create(
        tenant_id=version.tenant_id,
        version_number=version.pk,
        purpose=IngestUsage.Purpose.READ,
        tokens=tokens,
    )


def usage_add(version: DocumentVersion, tokens: int) -> None:
    """Count what a model took for a version's abstracts, in the open transaction."""
    if not tokens:
        return
    row, _ = IngestUsage.objects.get_or_create(
        tenant_id=version.tenant_id,
        version_number=version.pk,
        purpose=IngestUsage.Purpose.ABSTRACT,
        defaults={"tokens": 0},
    )
    IngestUsage.objects.filter(pk=row.pk).update(tokens=F("tokens") + tokens)


def tokens_this_month() -> int:
    """Return the tokens the tenant has taken in since the month began, in an open transaction."""
    return IngestUsage.objects.since(_month()).total()


def bytes_stored() -> int:
    """Return the bytes of all uploads the tenant keeps, in an open transaction."""
    return DocumentVersion.objects.aggregate(total=Sum("size"))["total"] or 0


def _quota() -> TenantQuota | None:
    """Return the tenant's limits, locked until the open transaction ends."""
    return TenantQuota.objects.select_for_update(of=("self",), no_key=True).first()


def _month() -> datetime:
    return timezone.localtime().replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def _next_month() -> str:
    first = _month()
    year, month = (first.year + 1, 1) if first.month == 12 else (first.year, first.month + 1)
    with override("en"):
        return date_format(first.replace(year=year, month=month), "j F")


def _mb(size: int) -> str:
    return f"{size / MEGABYTE:,.1f}".removesuffix(".0")
