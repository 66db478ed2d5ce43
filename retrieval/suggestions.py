"""What can be asked of a base: the topics that its documents announce themselves."""

import re
from dataclasses import dataclass

from knowledge.ingest.tree import NodeKind
from knowledge.models import Document, KnowledgeBase, Node

DOCUMENTS = 5
TOPICS_A_DOCUMENT = 3
_ORDINALS = 120
"""Topics are looked for among this many nodes from the start of a document."""
_NUMBERING = re.compile(r"\A(?:[0-9]+[.)]?(?:[0-9]+[.)]?)*|[A-Z][.)])\s+")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A document that can be asked about, with titles of its first sections."""

    document: Document
    topics: tuple[str, ...]


def suggestions_for(base: KnowledgeBase) -> list[Suggestion]:
    """Return a few documents of the base with topics, in two queries; none if none is ready."""
    documents = list(
        Document.objects.ready().filter(base=base).select_related("current_version")[:DOCUMENTS]
    )
    sections = Node.objects.filter(
        version__in=[document.current_version_id for document in documents],
        kind=NodeKind.SECTION,
        ordinal__lt=_ORDINALS,
    ).order_by("depth", "ordinal")
    topics: dict[int | None, list[str]] = {}
    for version_id, title in sections.values_list("version_id", "title"):
        topics.setdefault(version_id, []).append(_NUMBERING.sub("", title))
    return [
        Suggestion(document, tuple(topics.get(document.current_version_id, ())[:TOPICS_A_DOCUMENT]))
        for document in documents
    ]
