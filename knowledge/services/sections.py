"""The sections of a tree as abstracts need them, from stored trees and from rows."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.db.models import F, Q
from django.db.models.functions import Left

from knowledge.ingest.abstracts import (
    SOURCE_CHARS,
    Below,
    Piece,
    Source,
    extract,
    pieces_of,
    source_of,
)
from knowledge.ingest.tree import NodeKind
from knowledge.models import Node
from knowledge.models.nodes import CONTAINERS
from knowledge.models.subtrees import under_path
from knowledge.services.trees import StoredTree


@dataclass(slots=True)
class Section:
    """A document or section with what stands directly in it; `ordinal` is its key among others.

    Below one another they have rising depths; `parent` is an ordinal.
    """

    ordinal: int
    node_id: int
    version_id: int
    parent: int | None
    depth: int
    title: str
    language: str
    own: list[Piece] = field(default_factory=list)
    _characters: int = 0

    def take(self, kind: str, text: str, spans: Sequence[tuple[int, int]]) -> None:
        """Add a leaf, unless there is more than an abstract looks at already."""
        if self._characters > SOURCE_CHARS:
            return
        pieces = pieces_of(text, spans, kind)
        self.own += pieces
        self._characters += sum(len(piece.text) for piece in pieces)


Level = Sequence[tuple[Section, Source]]


def bottom_up(sections: Sequence[Section], make: Callable[[Level], dict[int, str]]) -> None:
    """Call `make` with the sections of each depth, the deepest first.

    It returns their abstracts by ordinal, from which the sources of the level above are made.
    """
    levels: defaultdict[int, list[Section]] = defaultdict(list)
    for section in sections:
        levels[section.depth].append(section)
    below: defaultdict[int | None, list[Below]] = defaultdict(list)
    for depth in sorted(levels, reverse=True):
        level = [
            (one, source_of(one.title, one.language, one.own, below[one.ordinal]))
            for one in levels[depth]
        ]
        texts = make(level)
        for one, source in level:
            below[one.parent].append(_below(source, texts.get(one.ordinal, "")))


def _below(source: Source, text: str) -> Below:
    """Return an abstract for the level above; a model makes prose of rows too."""
    return Below(text, source.is_prose or text != extract(source))


def sections_of_tree(version_id: int, tree: StoredTree) -> list[Section]:
    """Return the sections of a tree that was just stored."""
    sections: dict[int, Section] = {}
    for draft in tree.drafts:
        if draft.kind in CONTAINERS:
            sections[draft.ordinal] = Section(
                draft.ordinal,
                tree.node_ids[draft.ordinal],
                version_id,
                draft.parent,
                draft.depth,
                draft.title,
                tree.parsed.language,
            )
        elif draft.parent is not None:
            quotable = [row.span for row in draft.rows] or draft.sentences
            start = draft.span.start
            spans = [(span.start - start, span.end - start) for span in quotable]
            sections[draft.parent].take(draft.kind, draft.span.of(tree.parsed.text), spans)
    return list(sections.values())


def sections_below(nodes: Sequence[Node]) -> list[Section]:
    """Return these documents and sections with all sections below them, in an open transaction.

    Their key is the id of their node. Of a long leaf only the beginning leaves the database.
    """
    if not nodes:
        return []
    wanted = Q(version__in=[node.version_id for node in nodes if node.kind == NodeKind.DOCUMENT])
    for node in nodes:
        if node.kind != NodeKind.DOCUMENT:
            wanted |= Q(version=node.version_id) & under_path(node.path)
    rows = Node.objects.filter(wanted).annotate(
        head=Left("text", SOURCE_CHARS), language=F("version__language")
    )
    sections: dict[int, Section] = {}
    for node in rows.defer("text", "boxes").order_by("version_id", "ordinal"):
        if node.is_container:
            sections[node.pk] = Section(
                ordinal=node.pk,
                node_id=node.pk,
                version_id=node.version_id,
                parent=node.parent_id,
                depth=node.depth,
                title=node.title,
                language=node.language,  # type: ignore[attr-defined]  # annotated above
            )
        elif node.parent_id in sections:
            start = node.char_start
            spans = [(first - start, last - start) for first, last in node.sentence_spans()]
            sections[node.parent_id].take(node.kind, node.head, spans)  # type: ignore[attr-defined]
    return list(sections.values())
