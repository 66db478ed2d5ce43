"""Pages drawn for who reads a citation: in the process that reads files, few at a time."""

from django.conf import settings
from django.core.cache import cache

from accounts.connections import release_connection
from accounts.tenancy import require_no_transaction
from knowledge.ingest.pictures import PageImage
from knowledge.ingest.preflight import Limits, Refused, Verdict
from knowledge.ingest.sandbox import page_image
from knowledge.models import DocumentVersion
from knowledge.reading.page_views import PageMarks
from knowledge.services.drawing_slots import DrawingSlots

AT_ONCE = 2
"""Pages that one web process has drawn at a time: each takes a processor and its memory."""

WAIT_S = 15.0
TIMEOUT_S = 20.0
MEMORY_MB = 768
REFUSED_S = 3_600
"""A page that cannot be drawn costs all of TIMEOUT_S, so it is not tried again for so long."""

_SLOTS = DrawingSlots(AT_ONCE)


def page_refusal(version: DocumentVersion, page: int) -> Refused | None:
    """Return why the page could not be drawn in the last hour, None if nobody found it so."""
    told = cache.get(_key(version, page))
    return Refused(Verdict(told[0]), told[1]) if told else None


def page_draw(version: DocumentVersion, content: bytes, page: int, marks: PageMarks) -> PageImage:
    """Return a page of a version's file with its marks, with no connection held meanwhile.

    Raises `knowledge.ingest.preflight.Refused`, ReaderUnavailable and Busy.
    """
    require_no_transaction("The drawing of a page")
    release_connection()
    with _SLOTS.taken(version.tenant_id, wait_s=WAIT_S):
        if refused := page_refusal(version, page):  # by who was drawing it meanwhile
            raise refused
        release_connection()
        try:
            return _drawn(version.filename, content, page, marks)
        except Refused as refused:
            told = (refused.verdict.value, refused.sentence)
            cache.set(_key(version, page), told, REFUSED_S)
            raise


def _drawn(filename: str, content: bytes, page: int, marks: PageMarks) -> PageImage:
    limits = Limits(max_bytes=settings.UPLOAD_MAX_BYTES, timeout_s=TIMEOUT_S, memory_mb=MEMORY_MB)
    return page_image(
        content, filename, limits=limits, page=page, quote=marks.quote, boxes=marks.boxes
    )


def _key(version: DocumentVersion, page: int) -> str:
    return f"page-refused:{version.tenant_id}:{version.pk}:{page}"
