"""Leaves packed into the passages that are indexed and quoted.

A chunk never leaves its section and never cuts a sentence or a table row, unless that one alone is
longer than a chunk may be. Together the chunks cover every non-space character of all leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .flatten import NodeDraft, text_hash
from .packing import Packer, Passage, is_inner
from .tokens import trimmed
from .tree import ParsedDocument, Span
from .units import plain_units

DEFAULT_MAX_TOKENS = 1000
# The most evidence per token read, measured (docs/decisions/0002-retrieval-ranking.md).
DEFAULT_TARGET_TOKENS = 240
MIN_TOKENS = 16


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
    ``index_text`` of every chunk. Raises ValueError when either is below 16.
    """
    if min(max_tokens, target_tokens) < MIN_TOKENS:
        raise ValueError(f"Chunks need {MIN_TOKENS} tokens at least")
    packer = Packer(document.text, max_tokens, min(target_tokens, max_tokens))
    drafts: list[ChunkDraft] = []
    numbers: Counter[int] = Counter()
    for owner, leaves in _runs(nodes):
        headings = _headings(nodes, owner)
        passages = packer.packed(leaves) if leaves else _bare_heading(packer, document, owner)
        for passage in passages:
            numbers[owner.ordinal] += 1
            name = f"c{numbers[owner.ordinal]}"
            path = f"{owner.path}/{name}" if owner.path else name
            drafts.append(_draft(len(drafts), owner.ordinal, path, headings, passage))
    return tuple(drafts)


def _runs(nodes: Sequence[NodeDraft]) -> Iterator[tuple[NodeDraft, list[NodeDraft]]]:
    """Yield each owner with a run of its leaves, or with none when nothing stands below it."""
    parents = {node.parent for node in nodes}
    run: list[NodeDraft] = []
    for node in nodes:
        if run and (is_inner(node) or run[-1].parent != node.parent):
            yield nodes[run[-1].parent or 0], run
            run = []
        if not is_inner(node):
            run.append(node)
        elif node.ordinal not in parents:
            yield node, []
    if run:
        yield nodes[run[-1].parent or 0], run


def _bare_heading(packer: Packer, document: ParsedDocument, owner: NodeDraft) -> Iterator[Passage]:
    """Yield the heading of a section without any text, so that its words can be found at all."""
    span = document.root.heading if owner.parent is None else owner.span
    shown = trimmed(document.text, span) if span else Span(0, 0)
    if len(shown):
        for unit in plain_units(document.text, shown, owner.ordinal, packer.limits):
            yield from packer.fitting([unit])


def _headings(nodes: Sequence[NodeDraft], owner: NodeDraft) -> tuple[str, ...]:
    titles = [owner.title]
    while owner.parent is not None:
        owner = nodes[owner.parent]
        titles.append(owner.title)
    return tuple(reversed(titles))


def _draft(
    ordinal: int, owner: int, path: str, headings: tuple[str, ...], passage: Passage
) -> ChunkDraft:
    return ChunkDraft(
        ordinal=ordinal,
        owner=owner,
        path=path,
        span=passage.span,
        tokens=passage.tokens,
        text=passage.text,
        index_text=passage.index_text,
        content_hash=text_hash(passage.text),
        headings=headings,
        first_leaf=passage.units[0].leaf,
        last_leaf=passage.units[-1].leaf,
    )
