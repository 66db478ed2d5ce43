"""A version's text in parts that a page can hold, and its outline."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.db.models.functions import Left
from django.utils.safestring import SafeString

from knowledge.ingest.tree import NodeKind, Span
from knowledge.models import DocumentVersion, Node
from knowledge.reading.figures import Picture, pictures_of
from knowledge.reading.leaves import Markup, leaf_html
from knowledge.reading.passages import cited_in

PART_CHARACTERS = 40_000
PART_NODES = 400
LEAF_CHARACTERS = 20_000
"""Longest stretch of one leaf that is shown: 30 MB of one line are one leaf."""
OUTLINE_SECTIONS = 400


@dataclass(frozen=True, slots=True)
class Block:
    """A heading or a leaf as it is shown; `level` is the heading's, 2 to 6."""

    ordinal: int
    title: str = ""
    level: int = 0
    html: SafeString | None = None
    page: int | None = None
    is_cut: bool = False
    is_cited: bool = False
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class TextPart:
    """Blocks in reading order; `before` and `after` are the ordinals where the next parts start."""

    blocks: tuple[Block, ...]
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    ordinal: int
    title: str
    depth: int
    in_part: bool


@dataclass(frozen=True, slots=True)
class OutlineNode:
    """A section of the outline with those below it; `is_open` if these are shown at first."""

    entry: OutlineEntry
    children: tuple["OutlineNode", ...]
    is_open: bool


def text_part(version: DocumentVersion, first: int = 0, cited: Span | None = None) -> TextPart:
    """Return the text of a version from the node with ordinal `first` on, `cited` in `<mark>`.

    Two queries, one more unless `first` is the beginning, and one if there are figures.
    """
    nodes = list(_nodes(version).filter(ordinal__gte=first)[: PART_NODES + 1])
    kept = _fitting(nodes)
    markup = Markup.of_parser(version.parser)
    pictures = pictures_of(kept)
    after = nodes[len(kept)].ordinal if len(kept) < len(nodes) else None
    return TextPart(
        blocks=tuple(
            _block(node, markup, pictures.get(node.pk), cited) for node in kept if node.ordinal > 0
        ),
        before=_start_before(version, first) if first > 1 else None,
        after=after,
    )


def outline(version: DocumentVersion, part: TextPart) -> list[OutlineEntry]:
    """Return the first `OUTLINE_SECTIONS` sections, in one query."""
    shown = {block.ordinal for block in part.blocks}
    rows = Node.objects.filter(version=version, kind=NodeKind.SECTION).order_by("ordinal")
    return [
        OutlineEntry(ordinal, title, min(depth, 6), ordinal in shown)
        for ordinal, title, depth in rows.values_list("ordinal", "title", "depth")[
            :OUTLINE_SECTIONS
        ]
    ]


def nested(entries: Sequence[OutlineEntry]) -> tuple[OutlineNode, ...]:
    """Return the entries as a tree by their depth.

    In a long outline only the top sections, and the one that is being read, are open.
    """
    nodes, at = [], 0
    while at < len(entries):
        end = at + 1
        while end < len(entries) and entries[end].depth > entries[at].depth:
            end += 1
        entry, below = entries[at], entries[at + 1 : end]
        is_open = entry.depth == 1 or any(one.in_part for one in below)
        nodes.append(OutlineNode(entry, nested(below), is_open))
        at = end
    return tuple(nodes)


def _nodes(version: DocumentVersion) -> QuerySet[Node]:
    """The version's nodes in reading order, with at most `LEAF_CHARACTERS` of their text."""
    return (
        Node.objects.filter(version=version)
        .defer("text", "sentences", "boxes")
        .annotate(shown=Left("text", LEAF_CHARACTERS))
        .order_by("ordinal")
    )


def _fitting(nodes: Iterable[Node]) -> list[Node]:
    kept: list[Node] = []
    characters = 0
    for node in nodes:
        characters += _length(node)
        if kept and (characters > PART_CHARACTERS or len(kept) == PART_NODES):
            break
        kept.append(node)
    return kept


def _start_before(version: DocumentVersion, first: int) -> int:
    """Return the ordinal at which the part that ends before `first` starts."""
    rows = Node.objects.filter(version=version, ordinal__lt=first).order_by("-ordinal")
    start, characters = first, 0
    for node in rows.only("ordinal", "kind", "char_start", "char_end")[:PART_NODES]:
        characters += _length(node)
        if start < first and characters > PART_CHARACTERS:
            break
        start = node.ordinal
    return start


def _length(node: Node) -> int:
    return 0 if node.is_container else min(node.char_end - node.char_start, LEAF_CHARACTERS)


def _block(node: Node, markup: Markup, picture: Picture | None, span: Span | None) -> Block:
    if node.is_container:
        level = min(node.depth + 1, 6)
        return Block(node.ordinal, title=node.title, level=level, page=node.page)
    cited = cited_in(node, span)
    return Block(
        node.ordinal,
        html=leaf_html(node.kind, node.shown, markup, cited),  # type: ignore[attr-defined]
        page=node.page,
        is_cut=node.char_end - node.char_start > LEAF_CHARACTERS,
        is_cited=cited is not None,
        picture=picture,
    )
