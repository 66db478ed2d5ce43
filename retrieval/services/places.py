"""What stands at a path: a node, a chunk or a sentence of a document's current version."""

import re
from dataclasses import dataclass

from django.db.models import F

from knowledge.ingest.paths import ABSTRACT
from knowledge.models import Document, IndexEntry, KnowledgeBase, Node
from knowledge.models.index import IndexEntryQuerySet
from knowledge.models.nodes import NodeQuerySet

_SENTENCE = re.compile(r"(?P<leaf>.+)/s(?P<number>[1-9][0-9]{0,8})\Z")


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a version's text; `node` is the node there, None for a chunk or a sentence."""

    document: Document
    version_id: int
    kind: str
    title: str
    start: int
    end: int
    page: int | None
    node: Node | None


def place_at(base: KnowledgeBase, path: str) -> Place | None:
    """Return what stands at a path below a base, None if nothing does; in an open transaction."""
    documents = Document.objects.ready().filter(base=base)
    document = documents.holding(path).first()
    if document is None:
        return None
    node = Node.objects.filter(version_id=document.current_version_id, path=path).first()
    if node is not None:
        return _place(document, node.kind, node.title, node, node)
    entry = IndexEntry.objects.filter(version_id=document.current_version_id, path=path).first()
    if entry is not None:
        return _place(document, entry.kind, " > ".join(entry.headings[1:]), entry)
    return _sentence(document, path)


def abstract_of(base: KnowledgeBase, path: str) -> Place | None:
    """Return the document or section whose abstract a path names, in an open transaction.

    `place_at` finds nothing there: an abstract is no span of a text, so no evidence can be made of
    it and no citation can point to it.
    """
    above, _, name = path.rpartition("/")
    place = place_at(base, above) if name == ABSTRACT and above else None
    return place if place and place.node and place.node.is_container else None


def is_folder(base: KnowledgeBase, path: str) -> bool:
    """Return whether documents lie below a path, none being there; in an open transaction."""
    documents = Document.objects.ready().filter(base=base)
    return documents.at(path).filter(path__startswith=f"{path}/").exists()


def entries_at(base: KnowledgeBase, path: str) -> IndexEntryQuerySet:
    """Return the current entries at or below a path, '' being the whole base.

    At a leaf, a sentence or a chunk, which have no entries of their own: those that overlap it.
    """
    entries = IndexEntry.objects.current().filter(base=base)
    place = _part_of_a_section(base, path)
    if place is None:
        return entries.under(path)
    return entries.filter(
        version_id=place.version_id, char_start__lt=place.end, char_end__gt=place.start
    )


def nodes_at(base: KnowledgeBase, path: str) -> NodeQuerySet:
    """Return the nodes of current versions at or below a path; at a part, those that overlap it."""
    nodes = Node.objects.filter(
        version__document__base=base, version__document__current_version=F("version")
    )
    place = _part_of_a_section(base, path)
    if place is not None:
        return nodes.filter(version_id=place.version_id).overlapping(place.start, place.end)
    return nodes.under(path) if path else nodes


def _part_of_a_section(base: KnowledgeBase, path: str) -> Place | None:
    """Return what stands at a path if it is less than a section."""
    place = place_at(base, path) if path else None
    return None if place is None or (place.node and place.node.is_container) else place


def _place(
    document: Document, kind: str, title: str, span: Node | IndexEntry, node: Node | None = None
) -> Place:
    return Place(
        document=document,
        version_id=span.version_id,
        kind=kind,
        title=title or document.title,
        start=span.char_start,
        end=span.char_end,
        page=span.page,
        node=node,
    )


def _sentence(document: Document, path: str) -> Place | None:
    match = _SENTENCE.match(path)
    if match is None:
        return None
    leaf = Node.objects.filter(version_id=document.current_version_id, path=match["leaf"]).first()
    spans = leaf.sentence_spans() if leaf else []
    number = int(match["number"])
    if leaf is None or number > len(spans):
        return None
    start, end = spans[number - 1]
    return Place(
        document, leaf.version_id, "sentence", f"sentence {number}", start, end, leaf.page, None
    )
