"""Web pages (HTML and XHTML) through libxml2's parser: nothing is fetched, nothing is run.

Addresses in a page (src, href, xi:include, document types and their entities) are text to this
parser and are never followed.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

from lxml import etree, html

from knowledge.ingest.parsers.composing import STRUCK_OUT, Composer
from knowledge.ingest.preflight import Limits, Refused, Verdict
from knowledge.ingest.tree import ParsedDocument

from .controls import write_controls
from .decoding import decode_page
from .drawings import write_labels
from .headings import write_headings
from .inline import InlineText
from .notes import PageNotes
from .ruby import write_readings
from .visibility import Element, Visibility
from .walker import Walker

NAME = "html"
# The number is raised when pages become other trees than before.
VERSION = f"3 libxml2 {'.'.join(map(str, etree.LIBXML_VERSION))}"

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,400}\?>")
# An internal subset may declare entities; HTML has none, and its text would become words. Nothing
# but white space, comments and instructions stands before it (XML 1.0, 2.8), so one place is tried.
_DOCTYPE = re.compile(
    r"\A(?P<before>(?>\s+|<!--.*?-->|<\?.*?\?>)*+)<!DOCTYPE[^>\[]{0,1000}+(?:\[.*?\]\s*)?>",
    re.IGNORECASE | re.DOTALL,
)
# What stands behind them is read by browsers (HTML, 13.2.6.4.19) and not by libxml2.
_ENDS = re.compile(r"</(?:html|body)\b[^<>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Page:
    """A page walked to its end: its blocks, the title it states, whether struck-out words went."""

    composer: Composer
    title: str
    left_out_struck: bool


def parse(data: bytes, filename: str, limits: Limits) -> ParsedDocument:
    """Return the tree of a page. Raises `preflight.Refused`."""
    decoded = decode_page(data, limits)
    root = _root(decoded.text)
    visibility = Visibility(root, keep_deleted=limits.tracked_changes != "accepted")
    page = _walked(root, visibility)
    return page.composer.finish(
        filename=filename,
        title=page.title,
        limits=limits,
        parser=NAME,
        version=VERSION,
        warnings=decoded.warnings,
        remarks=(STRUCK_OUT,) if page.left_out_struck else (),
    )


def read_part(text: str, *, keep_deleted: bool, others: Set[str] = frozenset()) -> Page:
    """Return what markup says that is a part of a document, and no page of a site.

    ``others`` are the numbers of notes elsewhere in the document. Raises `preflight.Refused`.
    """
    root = _root(text)
    return _walked(root, Visibility(root, keep_deleted=keep_deleted, is_part=True), others)


def _walked(root: Element, visibility: Visibility, others: Set[str] = frozenset()) -> Page:
    notes = PageNotes(root, visibility, others)
    notes.settle()
    walker = Walker(visibility, notes.words)
    # A page without <body> has its text in <head>, for libxml2 knows no newer elements.
    walker.walk(root)
    return Page(walker.composer, _stated_title(root), visibility.left_out_struck)


def inline_text(markup: str, line_end: str, *, keep_deleted: bool) -> tuple[str, bool]:
    """Return the visible words of a part of a document, and whether struck-out ones were not.

    White space is kept. ``line_end`` parts blocks that no white space parts. A mark is raised, for
    its note is elsewhere. Raises `preflight.Refused`.
    """
    # Ink at both ends keeps the blanks next to it.
    root = _root(f"<div>|{markup}|</div>")
    visibility = Visibility(root, keep_deleted=keep_deleted, is_part=True)
    PageNotes(root, visibility).settle(takes_notes=False)
    text = InlineText(visibility).verbatim(root, line_end=line_end, ink=1)
    return text, visibility.left_out_struck


def _root(text: str) -> Element:
    text = _ENDS.sub("", _DOCTYPE.sub(r"\g<before>", _DECLARATION.sub("", text)))
    # Without huge_tree the parser stops without a word at a depth of 256; with it, of 2,048.
    parser = html.HTMLParser(
        encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True
    )
    try:
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise Refused(Verdict.EMPTY, "The page holds no text.") from error
    if any("depth" in entry.message for entry in parser.error_log):
        raise Refused(
            Verdict.DAMAGED,
            "The page nests its parts more than 2,000 deep, as no page does; it was not read.",
        )
    write_controls(root)
    write_labels(root)
    write_readings(root)
    write_headings(root)
    return root


def _stated_title(root: Element) -> str:
    for title in root.iter("title"):
        parent = title.getparent()
        if parent is not None and parent.tag in ("head", "html", "body"):
            return " ".join((title.text or "").split())
    return ""
