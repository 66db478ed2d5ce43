"""Pages drawn for who reads a citation: in the process that reads files, few at a time."""

import threading

from django.conf import settings

from accounts.connections import release_connection
from accounts.tenancy import require_no_transaction
from knowledge.ingest.pictures import PageImage
from knowledge.ingest.preflight import Limits
from knowledge.ingest.sandbox import page_image
from knowledge.reading.page_views import PageMarks

AT_ONCE = 2
"""Pages that one web process has drawn at a time: each takes a processor and its memory."""

WAIT_S = 15.0
TIMEOUT_S = 20.0
MEMORY_MB = 768

_SLOTS = threading.BoundedSemaphore(AT_ONCE)


class Busy(RuntimeError):
    """Too many pages are being drawn."""


def page_draw(content: bytes, filename: str, page: int, marks: PageMarks) -> PageImage:
    """Return a page of a file with its marks, with no connection held meanwhile.

    Raises `knowledge.ingest.preflight.Refused`, ReaderUnavailable and Busy.
    """
    require_no_transaction("The drawing of a page")
    release_connection()
    if not _SLOTS.acquire(timeout=WAIT_S):
        raise Busy("Too many pages are being drawn at the moment.")
    try:
        limits = Limits(
            max_bytes=settings.UPLOAD_MAX_BYTES, timeout_s=TIMEOUT_S, memory_mb=MEMORY_MB
        )
        return page_image(
            content, filename, limits=limits, page=page, quote=marks.quote, boxes=marks.boxes
        )
    finally:
        _SLOTS.release()
