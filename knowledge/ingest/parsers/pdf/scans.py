"""Pages that are pictures: found without rendering one, read by OCR where there is an engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import pymupdf

from knowledge.ingest.ocr import OcrEngine, OcrWord, Tesseract, find_engine
from knowledge.ingest.ocr_languages import language_names
from knowledge.ingest.preflight import Limits

from .damage import DAMAGE
from .lines import Line, PageText
from .listing import listed
from .pages import cleaned

# A page with fewer characters whose pictures cover so much of it is a scan.
_FEW_CHARACTERS = 20
_LEAST_COVERED = 0.4
_DPI = 200
# A page of A3 at 200 dots an inch; what is larger is drawn coarser. 8 million pixels are 24 MB.
_MOST_PIXELS = 8_000_000
# A picture of more pixels is not decoded at all.
_MOST_IMAGE_PIXELS = 60_000_000


@dataclass(frozen=True, slots=True)
class Scans:
    """What became of the pictured pages: those nobody read, and sentences for the uploader."""

    unread: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    garbled: bool = False
    was_read: bool = False


def read_scans(
    document: pymupdf.Document,
    pages: Sequence[PageText],
    garbled: bool,
    limits: Limits,
    engine: OcrEngine | None,
) -> Scans:
    """Give the pages that need it the text OCR finds; all of them when the text is ``garbled``.

    At most ``limits.max_ocr_pages`` are read, one at a time.
    """
    needy = [page for page in pages if garbled or is_scan(page)]
    if not needy:
        return Scans()
    if engine is None and limits.ocr == "auto":
        engine = find_engine()
    read = []
    if engine is not None:
        languages = tuple(limits.ocr_languages.split("+"))
        for page in needy[: limits.max_ocr_pages]:
            if _read(document, page, engine, languages):
                read.append(page.number)
    unread = tuple(page.number for page in needy if page.number not in set(read))
    if garbled and not read:
        return Scans(garbled=True)
    if garbled:
        for page in needy:
            if page.number in unread:
                page.lines = []
    return Scans(
        unread,
        _warnings(read, unread, engine is not None, limits),
        _remarks(read, engine, limits),
        garbled,
        bool(read),
    )


def is_scan(page: PageText) -> bool:
    """Return whether ``page`` is a picture with hardly any text."""
    if page.characters >= _FEW_CHARACTERS:
        return False
    area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in page.images)
    return area >= _LEAST_COVERED * page.width * page.height > 0


def _remarks(read: Sequence[int], engine: OcrEngine | None, limits: Limits) -> tuple[str, ...]:
    if not read or not isinstance(engine, Tesseract):
        return ()  # the languages of other engines are not chosen
    return (f"Language of OCR: {language_names(engine.known(limits.ocr_languages.split('+')))}.",)


def _warnings(
    read: Sequence[int], unread: Sequence[int], by_engine: bool, limits: Limits
) -> tuple[str, ...]:
    sentences = []
    if read:
        sentences.append(f"Pages read by OCR, which makes mistakes: {listed(read)}.")
    if unread:
        why = "OCR found nothing on them or was not tried" if by_engine else "they need OCR"
        if limits.ocr == "off":
            why = "OCR is off in the settings of the base"
        sentences.append(f"Pages that are pictures and were not read: {listed(unread)}; {why}.")
    return tuple(sentences)


def _read(
    document: pymupdf.Document, page: PageText, engine: OcrEngine, languages: Sequence[str]
) -> bool:
    """Put the words of one page on it; return whether there were any."""
    try:
        source = document[page.number - 1]
        if any(image[2] * image[3] > _MOST_IMAGE_PIXELS for image in source.get_images()):
            return False
        area = page.width * page.height
        zoom = min(_DPI / 72, (_MOST_PIXELS / area) ** 0.5)
        pixmap = source.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), annots=False, alpha=False)
        words = engine(pixmap.tobytes("png"), languages)
    except (*DAMAGE, MemoryError):
        return False
    page.lines = _lines(words, page.number, zoom)
    page.read_by_ocr = bool(page.lines)
    return page.read_by_ocr


def _lines(words: Sequence[OcrWord], number: int, zoom: float) -> list[Line]:
    """Return ``words`` in lines; nearly equal heights are one size, as they were in print."""
    rows: list[list[OcrWord]] = []
    for word in words:
        if rows and _follows(rows[-1][-1], word):
            rows[-1].append(word)
        else:
            rows.append([word])
    lines = []
    for row in rows:
        text = cleaned(" ".join(word.text for word in row))
        if text:
            x0, y0 = min(w.box[0] for w in row) / zoom, min(w.box[1] for w in row) / zoom
            x1, y1 = max(w.box[2] for w in row) / zoom, max(w.box[3] for w in row) / zoom
            lines.append(Line(text, number, x0, y0, x1, y1, (y1 - y0) * 0.8))
    usual = median(line.size for line in lines) if lines else 0.0
    for line in lines:
        if 0.6 * usual < line.size < 1.5 * usual:
            line.size = usual
    return lines


def _follows(before: OcrWord, word: OcrWord) -> bool:
    height = before.box[3] - before.box[1]
    middle = (word.box[1] + word.box[3]) / 2
    beside = before.box[1] <= middle <= before.box[3]
    return beside and -height <= word.box[0] - before.box[2] < 2 * height
