"""A passage: the section that a cited span stands in, with the span highlighted."""

from dataclasses import dataclass

from django.db.models import F, QuerySet
from django.db.models.functions import Greatest, Substr
from django.utils.safestring import SafeString

from knowledge.ingest.tree import Span
from knowledge.models import DocumentVersion, Node
from knowledge.reading.figures import Picture, pictures_of
from knowledge.reading.leaves import Markup, leaf_html

CONTEXT_CHARACTERS = 5_000
"""How much of the section is shown before and after the span."""

NEAR_CHARACTERS = 20_000
"""A leaf this near to its section's start is in the part of the text that starts there."""


@dataclass(frozen=True, slots=True)
class PassageLeaf:
    ordinal: int
    html: SafeString
    page: int | None
    is_cited: bool
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """The leaves around a span, in reading order, under their headings.

    `headings` are the titles from the document's top section down. `cited` is the ordinal of the
    first leaf with the span, `first` the one from which the document page shows it.
    """

    headings: tuple[str, ...]
    leaves: tuple[PassageLeaf, ...]
    first: int
    cited: int
    cut_before: bool
    cut_after: bool


def passage_at(version: DocumentVersion, span: Span) -> Passage | None:
    """Return the passage around a span of the version's text, None if no leaf is there.

    Three queries, and one if there are figures. A leaf that is longer than the context is cut
    around the span.
    """
    cited = (
        Node.objects.filter(version=version)
        .leaves()
        .overlapping(span.start, span.end)
        .only("ordinal", "path", "parent_id", "char_start")
        .order_by("ordinal")
        .first()
    )
    if cited is None:
        return None
    low, high = max(span.start - CONTEXT_CHARACTERS, 0), span.end + CONTEXT_CHARACTERS
    ancestors = _ancestors(version, cited)
    section = ancestors[-1]
    window = list(_window(version, section, low, high))
    pictures = pictures_of(window)
    markup = Markup.of_parser(version.parser)
    near = cited.char_start - section.char_start < NEAR_CHARACTERS
    return Passage(
        headings=tuple(node.title for node in ancestors if node.depth > 0),
        leaves=tuple(_leaf(node, span, low, markup, pictures.get(node.pk)) for node in window),
        first=section.ordinal if near else cited.ordinal,
        cited=cited.ordinal,
        cut_before=window[0].char_start < low or window[0].ordinal > section.ordinal + 1,
        cut_after=section.char_end > high,
    )


def _ancestors(version: DocumentVersion, leaf: Node) -> list[Node]:
    """Return the containers of a leaf, the document first."""
    components = leaf.path.split("/")[:-1]
    paths = ["/".join(components[: end + 1]) for end in range(len(components))]
    rows = Node.objects.filter(version=version, path__in=paths)
    return list(rows.only("ordinal", "title", "depth", "char_start", "char_end").order_by("depth"))


def _window(version: DocumentVersion, section: Node, low: int, high: int) -> QuerySet[Node]:
    """The section's own leaves that touch `[low, high)`, each with its text from `low` on.

    Cut in the database: a leaf may be 30 MB of one line.
    """
    return (
        Node.objects.filter(version=version, parent=section)
        .leaves()
        .overlapping(low, high)
        .defer("text", "sentences", "boxes")
        .annotate(shown=Substr("text", Greatest(low - F("char_start"), 0) + 1, high - low))
        .order_by("ordinal")
    )


def cited_in(node: Node, span: Span | None, low: int = 0) -> Span | None:
    """Return a span of a version's text as one of the leaf's text from `low` on, None outside."""
    if span is None or node.char_start >= span.end or node.char_end <= span.start:
        return None
    return span.shifted(-max(node.char_start, low))


def _leaf(node: Node, span: Span, low: int, markup: Markup, picture: Picture | None) -> PassageLeaf:
    cited = cited_in(node, span, low)
    return PassageLeaf(
        ordinal=node.ordinal,
        html=leaf_html(node.kind, node.shown, markup, cited),  # type: ignore[attr-defined]
        page=node.page,
        is_cited=cited is not None,
        picture=picture,
    )
