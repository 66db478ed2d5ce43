"""Pictures, text boxes, charts and diagrams that hang on a run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from .charts import chart_lines
from .items import Picture, TextBox
from .names import DGM, MC, WP, A, C, Element, V, W, whole
from .package import Package, relation_id

# English Metric Units, 914,400 an inch: below this on both sides a picture is an ornament.
_SMALL = 400_000
_GENERATED = re.compile(
    r"\s*(?:Description automatically generated(?: with \w+ confidence)?"
    r"|Automatisch generierte Beschreibung|AI-generated content may be incorrect)\.?\s*",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(r"\S+\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)\Z", re.IGNORECASE)
_DECORATIVE = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"


def chosen(element: Element) -> Element | None:
    """Return the one branch of an mc:AlternateContent that is read: a choice, else the fallback."""
    branches = [*element.iterchildren(MC + "Choice"), *element.iterchildren(MC + "Fallback")]
    return next((branch for branch in branches if len(branch)), None)


def floats(element: Element, package: Package) -> Iterator[Picture | TextBox]:
    """Yield what a w:drawing, w:pict or w:object shows, text boxes unread."""
    words = _alternative(element)
    extent = next(element.iter(WP + "extent"), None)
    small = extent is not None and max(whole(extent.get("cx")), whole(extent.get("cy"))) < _SMALL
    loose: list[str] = []
    pictures = 0
    for part in _shallow(element):
        if part.tag == W + "txbxContent":
            yield TextBox(part)
        elif part.tag in (A + "blip", V + "imagedata"):
            pictures += 1
            relation = package.relations.get(relation_id(part, "embed", "id", "pict"))
            inside = relation is not None and not relation.external
            yield Picture(
                words if pictures == 1 else "",
                relation.target if relation and inside else "",
                small,
            )
        elif part.tag == C + "chart":
            yield _Related(package, part, "id").chart(words)
        elif part.tag == DGM + "relIds":
            yield _Related(package, part, "dm").diagram(words)
        elif part.tag == A + "t" and part.text:
            loose.append(part.text)
        elif part.tag == V + "textpath" and part.get("string"):
            loose.append(part.get("string", ""))
    if loose:
        yield Picture("\n".join([words, *loose] if words and not pictures else loose))


def _shallow(element: Element) -> Iterator[Element]:
    """Yield descendants in order: one branch of each alternative, nothing inside a text box."""
    stack = [element]
    while stack:
        part = stack.pop()
        if part.tag == MC + "AlternateContent":
            branch = chosen(part)
            stack += [branch] if branch is not None else []
            continue
        if isinstance(part.tag, str):
            yield part
        if part.tag != W + "txbxContent":
            stack += reversed(part)


def _alternative(element: Element) -> str:
    """Return the alternative text an author wrote, '' for none, a file's name, or an ornament."""
    for part in element.iter(WP + "docPr", V + "shape", V + "rect"):
        if any(mark.get("val") in ("1", "true") for mark in part.iter(_DECORATIVE)):
            return ""
        text = part.get("descr") or part.get("title") or part.get("alt") or ""
        text = " ".join(_GENERATED.sub(" ", text).split())
        if text and not _FILE_NAME.match(text):
            return text
    return ""


class _Related:
    """A part that a drawing names by a relationship, read for its words."""

    def __init__(self, package: Package, element: Element, attribute: str) -> None:
        relation = package.relations.get(relation_id(element, attribute))
        known = relation is not None and not relation.external
        self._root = package.part(relation.target) if relation and known else None

    def diagram(self, words: str) -> Picture:
        lines = [words] if words else []
        for point in self._iter(DGM + "pt"):
            text = " ".join("".join(t.text or "" for t in point.iter(A + "t")).split())
            lines += [text] if text else []
        return Picture("\n".join(lines))

    def chart(self, words: str) -> Picture:
        """Return the words and values of a chart below those that stand for it."""
        lines = [words] if words else []
        lines += chart_lines(self._root) if self._root is not None else []
        return Picture("\n".join(lines))

    def _iter(self, tag: str) -> Iterator[etree._Element]:
        return iter(()) if self._root is None else self._root.iter(tag)
