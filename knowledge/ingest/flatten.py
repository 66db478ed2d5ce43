"""The tree as numbered, named rows: what is stored, one draft per node."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from dataclasses import dataclass

from .slugs import SiblingNames
from .tokens import count_tokens
from .tree import Leaf, NodeKind, ParsedDocument, Row, Section, Span

_LEAF_LETTER = {NodeKind.TABLE: "t", NodeKind.FIGURE: "f"}


@dataclass(frozen=True, slots=True)
class NodeDraft:
    """One node of a version, before it is a row.

    ``ordinal`` is its place in preorder and its index in the tuple; ``parent`` an ordinal, None
    for the document; ``depth`` counts nodes from the document (0), not heading levels. ``path``
    holds the components below the document and is '' for the document itself.

    ``content_hash`` is equal for equal text (leaves) or equal title and children (others).
    ``stable_key`` names the place rather than the text: it survives an edit of the node and of
    everything before it that leaves its headings and its number among its siblings alone.
    """

    ordinal: int
    parent: int | None
    kind: NodeKind
    depth: int
    title: str
    path: str
    span: Span
    tokens: int
    content_hash: str
    stable_key: str
    sentences: tuple[Span, ...] = ()
    rows: tuple[Row, ...] = ()
    page: int | None = None
    boxes: tuple[tuple[float, ...], ...] = ()


def flatten(document: ParsedDocument) -> tuple[NodeDraft, ...]:
    """Return the nodes of ``document`` in preorder, the document itself first.

    A section's tokens are its heading's and its children's together.
    """
    walk = _Walk(document)
    walk.section(document.root, parent=None, depth=0, path="")
    return tuple(draft for draft in walk.drafts if draft is not None)


def text_hash(text: str) -> str:
    """Return the SHA-256 of ``text`` in NFC, in hexadecimal."""
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode("utf-8")).hexdigest()


class _Walk:
    def __init__(self, document: ParsedDocument) -> None:
        self._document = document
        # A section's slot is taken before its children are known and filled after them.
        self.drafts: list[NodeDraft | None] = []

    def section(self, section: Section, *, parent: int | None, depth: int, path: str) -> NodeDraft:
        ordinal = len(self.drafts)
        self.drafts.append(None)
        children = self._children(section, parent=ordinal, depth=depth + 1, path=path)
        kind = NodeKind.DOCUMENT if parent is None else NodeKind.SECTION
        title = self._document.title if parent is None else section.title
        heading = section.heading.of(self._document.text) if section.heading else ""
        draft = NodeDraft(
            ordinal=ordinal,
            parent=parent,
            kind=kind,
            depth=depth,
            title=title,
            path=path,
            span=section.span,
            tokens=count_tokens(heading) + sum(child.tokens for child in children),
            content_hash=text_hash("\n".join([title, *(c.content_hash for c in children)])),
            stable_key=_stable_key(path, kind, 1),
        )
        self.drafts[ordinal] = draft
        return draft

    def _children(self, section: Section, *, parent: int, depth: int, path: str) -> list[NodeDraft]:
        names = SiblingNames()
        letters: Counter[str] = Counter()
        kinds: Counter[NodeKind] = Counter()
        drafts = []
        for child in section.children:
            if isinstance(child, Section):
                below = _joined(path, names.claim(child.title))
                drafts.append(self.section(child, parent=parent, depth=depth, path=below))
                continue
            letter = _LEAF_LETTER.get(child.kind, "p")
            letters[letter] += 1
            kinds[child.kind] += 1
            drafts.append(
                self._leaf(
                    child,
                    parent=parent,
                    depth=depth,
                    path=_joined(path, f"{letter}{letters[letter]}"),
                    stable_key=_stable_key(path, child.kind, kinds[child.kind]),
                )
            )
        return drafts

    def _leaf(
        self, leaf: Leaf, *, parent: int, depth: int, path: str, stable_key: str
    ) -> NodeDraft:
        text = leaf.span.of(self._document.text)
        draft = NodeDraft(
            ordinal=len(self.drafts),
            parent=parent,
            kind=leaf.kind,
            depth=depth,
            title="",
            path=path,
            span=leaf.span,
            tokens=count_tokens(text),
            content_hash=text_hash(text),
            stable_key=stable_key,
            sentences=leaf.sentences,
            rows=leaf.rows,
            page=leaf.page,
            boxes=leaf.boxes,
        )
        self.drafts.append(draft)
        return draft


def _joined(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name


def _stable_key(path: str, kind: NodeKind, number: int) -> str:
    """Return the key of the ``number``-th ``kind`` below ``path``; a section is its own path."""
    return hashlib.sha256(f"{path}\n{kind}\n{number}".encode()).hexdigest()
