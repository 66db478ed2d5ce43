"""What stands at a path: a node, a chunk or a sentence of a document's current version."""

import re
from dataclasses import dataclass

from knowledge.models import Document, IndexEntry, KnowledgeBase, Node

_SENTENCE = re.compile(r"(?P<leaf>.+)/s(?P<number>[1-9][0-9]*)\Z")


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
    document = documents.filter(path=path.partition("/")[0]).first()
    if document is None:
        return None
    node = Node.objects.filter(version_id=document.current_version_id, path=path).first()
    if node is not None:
        return _place(document, node.kind, node.title, node, node)
    entry = IndexEntry.objects.filter(version_id=document.current_version_id, path=path).first()
    if entry is not None:
        return _place(document, entry.kind, " > ".join(entry.headings[1:]), entry)
    return _sentence(document, path)


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
