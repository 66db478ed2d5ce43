"""The sections of a base that questions can be made up for, one document at a time."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from knowledge.ingest.paths import prefixes
from knowledge.ingest.tokens import split_by_tokens
from knowledge.ingest.tree import NodeKind
from knowledge.models import Document, KnowledgeBase, Node
from retrieval.agent.section_questions import SectionText

SECTION_TOKENS = 3_000
"""The most of a section that is shown to a model: its beginning."""

FEWEST_TOKENS = 8
"""A shorter passage answers nothing by itself."""

READABLE = (NodeKind.PARAGRAPH, NodeKind.LIST, NodeKind.TABLE)


@dataclass(frozen=True, slots=True)
class BaseSection:
    """A section with the leaves that its passages are, in the same order."""

    text: SectionText
    leaves: tuple[Node, ...]

    @property
    def content_hash(self) -> str:
        """SHA-256, in hexadecimal, of all that questions are made from."""
        parts = [*self.text.headings, "", *self.text.passages]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def sections_in(base: KnowledgeBase) -> Iterator[BaseSection]:
    """Yield the sections of the base's current versions in reading order, no connection held."""
    with tenant_transaction(base.tenant_id):
        documents = Document.objects.ready().filter(base=base).order_by("path")
        keys = list(documents.values_list("pk", flat=True))
    for key in keys:
        with tenant_transaction(base.tenant_id):
            sections = _sections_of(key)
        release_connection()
        yield from sections


def _sections_of(document_id: int) -> list[BaseSection]:
    document = Document.objects.ready().filter(pk=document_id)
    found = document.select_related("current_version").first()
    if found is None or found.current_version is None:  # deleted meanwhile
        return []
    version = found.current_version
    nodes = Node.objects.filter(version=version)
    titles = dict(nodes.containers().values_list("path", "title"))
    leaves = nodes.filter(kind__in=READABLE, tokens__gte=FEWEST_TOKENS)
    leaves = leaves.select_related("version__document", "parent").order_by("ordinal")
    sections = []
    for _, group in groupby(leaves, key=lambda leaf: leaf.parent_id):
        own = _beginning(list(group))
        above = prefixes(own[0].parent.path) if own[0].parent else []
        headings = tuple(title for path in above if (title := titles.get(path, "")))
        passages = (_shown(own[0]), *(leaf.text for leaf in own[1:]))
        sections.append(BaseSection(SectionText(headings, version.language, passages), tuple(own)))
    return sections


def _beginning(leaves: list[Node]) -> list[Node]:
    """Return the first leaf, and of the others as many as fit beside it."""
    kept, left = leaves[:1], SECTION_TOKENS - leaves[0].tokens
    for leaf in leaves[1:]:
        left -= leaf.tokens
        if left < 0:
            break
        kept.append(leaf)
    return kept


def _shown(leaf: Node) -> str:
    """Return the text of a leaf, the beginning of one that is too long."""
    if leaf.tokens <= SECTION_TOKENS:
        return leaf.text
    return split_by_tokens(leaf.text, SECTION_TOKENS)[0].of(leaf.text)
