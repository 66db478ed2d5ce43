"""A PDF from its bytes to its tree."""

from __future__ import annotations

from collections.abc import Sequence

import pymupdf

from knowledge.ingest.language import detect_language
from knowledge.ingest.ocr import OcrEngine
from knowledge.ingest.outline import assemble
from knowledge.ingest.parsers.composing import STRUCK_OUT
from knowledge.ingest.parsers.plain import title_from_name
from knowledge.ingest.preflight import Limits, Refused, Verdict
from knowledge.ingest.tree import ParsedDocument

from . import rtl
from .bookmarks import decide, folded, place, read_bookmarks
from .continued import merge_tables
from .damage import DAMAGE
from .figures import place_figures
from .furniture import without_furniture
from .headings import find_headings
from .joining import Joiner
from .layout import Runs, blocks_of, body_size, contents_pages, reading_order, texts
from .letters import garbled_fonts
from .lines import PageText
from .listing import listed
from .notes import tie_notes
from .pages import UNKNOWN, PageReader
from .paragraphs import Block
from .scans import Scans, read_scans
from .source import open_document
from .tables import place_tables
from .thorough import LayoutNotes, mark_headings
from .writing import Writer

NAME = "pdf"
VERSION = "3"

# A document of so many pages with fewer than two headings is cut at its pages.
_PAGES_WITHOUT_HEADINGS = 20
# Symbols and formulas have fonts without letters; a text has not.
_MOST_GARBLED = 0.3


def parse(
    data: bytes, filename: str, limits: Limits, *, ocr: OcrEngine | None = None
) -> ParsedDocument:
    """Return the tree of a PDF. Raises `preflight.Refused`.

    ``ocr`` reads pages without text; without one, whatever ``limits.ocr`` allows is taken.
    """
    document, warnings = open_document(data, limits)
    try:
        return _Reading(document, limits).tree(filename, warnings, ocr)
    except pymupdf.mupdf.FzErrorBase as error:
        raise Refused(Verdict.DAMAGED, "The file is damaged and cannot be read.") from error
    finally:
        document.close()


class _Reading:
    def __init__(self, document: pymupdf.Document, limits: Limits) -> None:
        self._document = document
        self._limits = limits

    def tree(
        self, filename: str, warnings: tuple[str, ...], ocr: OcrEngine | None
    ) -> ParsedDocument:
        """Return the finished document."""
        pages, unreadable, garbled = self._pages()
        without_furniture(pages, body_size(pages))
        scans = read_scans(self._document, pages, garbled, self._limits, ocr)
        self._check_text(pages, scans)
        lines = [line for page in pages for line in page.lines]
        rtl.mend(lines)
        language = detect_language("\n".join(line.text for line in lines[:400]))
        body = body_size(pages)
        joiner = Joiner(texts(pages))
        unruled = place_tables(pages, self._document)
        place_figures(pages)
        runs: Runs = {page.number: reading_order(page, body) for page in pages}
        blocks, by_page, layout = self._headings(runs, body)
        blocks = tie_notes(blocks)
        writer = Writer(joiner, language)
        _write(writer, blocks, pages, by_page=by_page)
        text = writer.text()
        root = assemble(text, writer.blocks, title=self._title(pages))
        unknown = sorted({line.page for line in lines if UNKNOWN in line.text})
        notes = [
            *warnings,
            *unreadable,
            *scans.warnings,
            *_notes(unruled, unknown, by_page=by_page),
            *layout.warnings,
        ]
        return ParsedDocument(
            text=text,
            title=root.title or title_from_name(filename),
            language=language,
            root=root,
            parser=NAME,
            parser_version=VERSION,
            pages=self._document.page_count,
            warnings=tuple(notes),
            remarks=(*layout.remarks, *scans.remarks, *_left_out(pages)),
            unread_pages=scans.unread,
            cut_by_page=by_page,
        )

    def _pages(self) -> tuple[list[PageText], list[str], bool]:
        """Return the pages, warnings on those that could not be read, whether all is garbled."""
        keep_struck = self._limits.tracked_changes != "accepted"
        reader = PageReader(self._document, keep_struck=keep_struck)
        pages = []
        lost = []
        characters = 0
        for number in range(1, self._document.page_count + 1):
            try:
                page = reader.read(number)
            except DAMAGE:
                lost.append(number)
                continue
            characters += page.characters
            if characters > self._limits.max_chars:
                raise Refused(
                    Verdict.TOO_LARGE,
                    f"The document has more than {self._limits.max_chars:,} characters. "
                    "Please split it.",
                )
            pages.append(page)
        if not pages:
            raise Refused(Verdict.DAMAGED, "The file is damaged: none of its pages can be read.")
        warnings = [f"Damaged pages were left out: {listed(lost)}."] if lost else []
        garbled = garbled_fonts(reader.samples)
        share = sum(reader.sizes[font] for font in garbled) / max(1, sum(reader.sizes.values()))
        return pages, warnings, share >= _MOST_GARBLED

    def _check_text(self, pages: Sequence[PageText], scans: Scans) -> None:
        if scans.garbled and not scans.was_read:
            raise Refused(
                Verdict.GARBLED_FONT,
                "The text cannot be read: the fonts of the file do not say which letters they "
                "draw, so copying from it gives nonsense. Please export it again with embedded "
                "fonts, or as a scan for OCR.",
            )
        if any(page.lines for page in pages):
            return
        if scans.unread:
            raise Refused(
                Verdict.SCANNED,
                "The file is scanned: needs OCR. Its pages are pictures without any text. "
                f"{self._help_for_scans()}, or upload a version with text.",
            )
        raise Refused(Verdict.EMPTY, "The document holds no text: its pages are empty.")

    def _help_for_scans(self) -> str:
        if self._limits.ocr == "off":
            return "Switch OCR on in the settings of the base"
        return "Install Tesseract on the server"

    def _headings(self, runs: Runs, body: float) -> tuple[list[Block], bool, LayoutNotes]:
        """Return the blocks with their headings, whether pages stand in for them, what to tell."""
        layout = LayoutNotes()
        marks = read_bookmarks(self._document)
        pages = self._document.page_count
        by_marks = decide(marks, pages)
        if by_marks:
            place(marks, runs)
        elif self._limits.parse_mode == "thorough":
            layout = mark_headings(self._document, runs, self._limits.max_layout_pages)
        blocks = merge_tables(blocks_of(runs, body, over_pages=True))
        if not by_marks:
            skipped = contents_pages(runs)
            for block in blocks:
                if block.first.page in skipped:
                    block.level = 0
            find_headings([x for x in blocks if x.first.page not in skipped], body, pages)
        found = sum(block.level > 0 for block in blocks)
        if found >= 2 or pages < _PAGES_WITHOUT_HEADINGS:
            return blocks, False, layout
        blocks = blocks_of(runs, body, over_pages=False)
        for block in blocks:
            block.level = 0
        return blocks, True, layout

    def _title(self, pages: Sequence[PageText]) -> str:
        """Return the title of the properties when the first page says it too, else ''."""
        title = " ".join(((self._document.metadata or {}).get("title") or "").split())
        if not 4 <= len(title) <= 200 or not pages:
            return ""
        said = folded(" ".join(line.text for line in pages[0].lines[:40]))
        return title if folded(title) in said else ""


def _write(
    writer: Writer, blocks: Sequence[Block], pages: Sequence[PageText], *, by_page: bool
) -> None:
    """Write the blocks, each page under a heading of its own where there are no others."""
    if not by_page:
        writer.write(blocks)
        return
    for page in pages:
        own = [block for block in blocks if block.first.page == page.number]
        if own:
            writer.page_heading(f"Page {page.number}")
            writer.write(own)


def _left_out(pages: Sequence[PageText]) -> list[str]:
    """Return what is told of words that were not taken."""
    remarks = [STRUCK_OUT] if any(page.struck for page in pages) else []
    hidden = [page.number for page in pages if page.hidden]
    if hidden:
        remarks.append(f"Words that nobody sees were left out. Pages: {listed(hidden)}.")
    return remarks


def _notes(unruled: Sequence[int], unknown: Sequence[int], *, by_page: bool) -> list[str]:
    """Return what the reader is told of pages that could not be read as they look."""
    notes = []
    if unruled:
        pages = listed(unruled)
        notes.append(f"Tables whose rules cannot be read are plain lines. Pages: {pages}.")
    if unknown:
        notes.append(
            f"Letters that the fonts of the file do not name are shown as {UNKNOWN}. "
            f"Pages: {listed(unknown)}."
        )
    if by_page:
        notes.append("Hardly any headings were found, so every page became a section of its own.")
    return notes
