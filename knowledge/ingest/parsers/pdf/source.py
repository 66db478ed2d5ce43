"""Opening a PDF: passwords, damage, the number of pages."""

from __future__ import annotations

import pymupdf

from knowledge.ingest.preflight import Limits, Refused, Verdict, check_size, content_name

from .damage import DAMAGE

_DAMAGED = "The file is damaged: it cannot be read as a PDF. Please export or download it again."


def open_document(data: bytes, limits: Limits) -> tuple[pymupdf.Document, tuple[str, ...]]:
    """Return the open document and warnings for the uploader.

    A file with an owner's password only opens with an empty one. Raises `Refused`: encrypted,
    damaged, too large, empty, unsupported.
    """
    check_size(data, limits)
    # Otherwise every repaired file writes to the worker's output.
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    if b"%PDF-" not in data[:1024] and b"startxref" not in data[-2048:]:
        found = content_name(data)
        said = f"The file is {found}, not a PDF." if found else _DAMAGED
        raise Refused(Verdict.UNSUPPORTED if found else Verdict.DAMAGED, said)
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
        if document.needs_pass and not document.authenticate(""):
            raise Refused(
                Verdict.ENCRYPTED,
                "The file needs a password to be opened. Please save it without one.",
            )
        pages = document.page_count
    except DAMAGE as error:
        raise Refused(Verdict.DAMAGED, _DAMAGED) from error
    if not pages:
        raise Refused(Verdict.DAMAGED, _DAMAGED)
    if pages > limits.max_pages:
        raise Refused(
            Verdict.TOO_LARGE,
            f"The document has {pages:,} pages; at most {limits.max_pages:,} are accepted. "
            "Please split it.",
        )
    warnings: tuple[str, ...] = ()
    if document.is_repaired:
        warnings = ("The file is damaged and was repaired; parts of it may be missing.",)
    return document, warnings
