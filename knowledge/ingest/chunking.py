"""Leaves packed into the passages that are indexed and quoted.

A chunk never leaves its section and never cuts a sentence or a table row, unless that one alone is
longer than a chunk may be. Together the chunks cover every non-space character of all leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .flatten import NodeDraft, text_hash
from .tokens import count_tokens
from .tree import NodeKind, ParsedDocument, Span
from .units import Unit, units_of

DEFAULT_MAX_TOKENS = 1000
# Small multilingual embedders read 512 tokens of their own; 320 of ours and a heading path fit.
DEFAULT_TARGET_TOKENS = 320
MIN_MAX_TOKENS = 16

_INNER = (NodeKind.DOCUMENT, NodeKind.SECTION)


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """One passage, before it is a row.

    ``owner`` is the ordinal of the section (or document) whose leaves it holds; ``path`` is the
    owner's path and c1, c2 ... ``text`` is the canonical text of ``span``; ``index_text`` is the
    same with each table row as one line that carries its header path. Neither starts with the
    headings: those are in ``headings``, from the document's title to the owner's. ``tokens``
    counts ``text``. ``first_leaf`` and ``last_leaf`` are ordinals; both are the owner's where a
    heading without any text below it is a passage of its own.
    """

    ordinal: int
    owner: int
    path: str
    span: Span
    tokens: int
    text: str
    index_text: str
    content_hash: str
    headings: tuple[str, ...]
    first_leaf: int
    last_leaf: int


def chunk(
    document: ParsedDocument,
    nodes: Sequence[NodeDraft],
    *,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    target_tokens: int = DEFAULT_TARGET_TOKENS,
) -> tuple[ChunkDraft, ...]:
    """Return the chunks of ``document``, whose ``nodes`` `flatten` gave, in reading order.

    Leaves are packed greedily until ``target_tokens``; ``max_tokens`` holds for both ``text`` and
    ``index_text`` of every chunk. Raises ValueError when ``max_tokens`` is below 16.
    """
    if max_tokens < MIN_MAX_TOKENS:
        raise ValueError(f"max_tokens is {max_tokens}, must be {MIN_MAX_TOKENS} or more")
    packer = _Packer(document.text, max_tokens, min(target_tokens, max_tokens))
    drafts: list[ChunkDraft] = []
    numbers: dict[int, int] = {}
    for owner, leaves in _runs(nodes):
        headings = _headings(nodes, owner)
        for units in packer.packed(owner, leaves):
            number = numbers[owner.ordinal] = numbers.get(owner.ordinal, 0) + 1
            drafts.append(_draft(document.text, len(drafts), owner, number, headings, units))
    return tuple(drafts)


def _runs(nodes: Sequence[NodeDraft]) -> Iterator[tuple[NodeDraft, list[NodeDraft]]]:
    """Yield each owner with a run of its leaves that no subsection interrupts."""
    parents = {node.parent for node in nodes}
    run: list[NodeDraft] = []
    for node in nodes:
        if node.kind in _INNER or (run and run[-1].parent != node.parent):
            if run:
                yield nodes[run[0].parent or 0], run
            run = []
        if node.kind not in _INNER:
            run.append(node)
        elif node.ordinal not in parents:
            yield node, []
    if run:
        yield nodes[run[0].parent or 0], run


def _headings(nodes: Sequence[NodeDraft], owner: NodeDraft) -> tuple[str, ...]:
    titles = [owner.title]
    while owner.parent is not None:
        owner = nodes[owner.parent]
        titles.append(owner.title)
    return tuple(reversed(titles))


def _draft(
    text: str,
    ordinal: int,
    owner: NodeDraft,
    number: int,
    headings: tuple[str, ...],
    units: Sequence[Unit],
) -> ChunkDraft:
    span = Span(units[0].span.start, units[-1].span.end)
    shown = span.of(text)
    name = f"c{number}"
    return ChunkDraft(
        ordinal=ordinal,
        owner=owner.ordinal,
        path=f"{owner.path}/{name}" if owner.path else name,
        span=span,
        tokens=count_tokens(shown),
        text=shown,
        index_text=_index_text(text, units),
        content_hash=text_hash(shown),
        headings=headings,
        first_leaf=units[0].leaf,
        last_leaf=units[-1].leaf,
    )
