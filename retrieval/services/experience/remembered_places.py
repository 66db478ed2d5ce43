"""The places that edges of questions lead to, as they are now, in one statement.

The edge, its document, the leaf at its path, and the first entry of the leaf's section that shares
text with it: as queries of models these took longer than all the rest of a look-up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection

from knowledge.ingest.paths import parent_path
from knowledge.models import Document, DocumentVersion, IndexEntry, KnowledgeBase, Node
from knowledge.models.nodes import CONTAINERS
from retrieval.agent.evidence import Hit
from retrieval.agent.shortcuts import Shortcut
from retrieval.experience.credit import Credit
from retrieval.models import ExperienceEdge
from retrieval.models.experience import USABLE
from retrieval.services.experience.rebinding import edges_rebind

State = ExperienceEdge.State

_PLACES = f"""
    SELECT edge.id, edge.question_id, edge.path, edge.sources, edge.state,
        edge.successes, edge.failures, edge.credited_at,
        edge.version_id, document.current_version_id, document.id, document.title,
        leaf.text, leaf.char_start, leaf.char_end, leaf.page, leaf.tokens,
        entry.id, entry.headings, version.language
    FROM {ExperienceEdge._meta.db_table} edge
    JOIN {Document._meta.db_table} document
        ON document.tenant_id = edge.tenant_id AND document.id = edge.document_id
    JOIN {DocumentVersion._meta.db_table} version
        ON version.tenant_id = edge.tenant_id AND version.id = edge.version_id
    LEFT JOIN {Node._meta.db_table} leaf
        ON leaf.tenant_id = edge.tenant_id AND leaf.version_id = edge.version_id
        AND leaf.path = edge.path COLLATE "C" AND NOT leaf.kind = ANY(%(containers)s)
        AND leaf.tokens <= %(tokens)s
    LEFT JOIN LATERAL (
        SELECT id, headings FROM {IndexEntry._meta.db_table} entry
        WHERE entry.tenant_id = leaf.tenant_id AND entry.version_id = leaf.version_id
            AND entry.node_id = leaf.parent_id
            AND entry.char_start < leaf.char_end AND entry.char_end > leaf.char_start
        ORDER BY entry.ordinal LIMIT 1
    ) entry ON true
    WHERE edge.tenant_id = %(tenant)s AND edge.base_id = %(base)s
        AND edge.question_id = ANY(%(questions)s) AND edge.state = ANY(%(known)s)
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class RememberedPlace:
    """Where an edge leads; ``credit`` is what is left of it by now."""

    question_id: int
    sources: tuple[str, ...]
    credit: Credit
    shortcut: Shortcut

    @property
    def path(self) -> str:
        """The place's, below the base."""
        return self.shortcut.path


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of `_PLACES`; what comes from the leaf and the entry is None without them."""

    edge_id: int
    question_id: int
    path: str
    sources: list[str]
    state: str
    successes: float
    failures: float
    credited_at: datetime
    version_id: int
    current_version_id: int | None
    document_id: int
    document_title: str
    text: str | None
    start: int
    end: int
    page: int | None
    tokens: int
    entry_id: int | None
    headings: list[str]
    language: str


def remembered_places(
    base: KnowledgeBase, questions: Sequence[int], *, tokens: int, now: datetime
) -> list[RememberedPlace]:
    """Return the places of the questions' edges that may be used, of at most ``tokens`` each.

    Edges of older versions are bound anew first. In an open transaction.
    """
    rows = _rows(base, questions, tokens)
    if any(row.version_id != row.current_version_id for row in rows):
        edges_rebind(base, questions)
        rows = _rows(base, questions, tokens)
    return [
        _place(base, row, now)
        for row in rows
        if row.state in USABLE and row.current_version_id and row.entry_id is not None
    ]


def _rows(base: KnowledgeBase, questions: Sequence[int], tokens: int) -> list[_Row]:
    given: dict[str, int | list[int] | list[str]] = {
        "tenant": base.tenant_id,
        "base": base.pk,
        "questions": list(questions),
        "known": [*USABLE, str(State.STALE)],
        "containers": [str(kind) for kind in CONTAINERS],
        "tokens": tokens,
    }
    with connection.cursor() as cursor:
        cursor.execute(_PLACES, given)
        return [_Row(*row) for row in cursor.fetchall()]


def _place(base: KnowledgeBase, row: _Row, now: datetime) -> RememberedPlace:
    credit = Credit(row.successes, row.failures).after((now - row.credited_at) / timedelta(days=1))
    shortcut = Shortcut(
        row.edge_id, row.path, _hit(base, row), row.text or "", row.state == State.SUSPECT
    )
    return RememberedPlace(row.question_id, tuple(row.sources), credit, shortcut)


def _hit(base: KnowledgeBase, row: _Row) -> Hit:
    """Return the leaf as a hit of the first entry that shares text with it."""
    return Hit(
        entry_id=row.entry_id or 0,
        document_id=row.document_id,
        version_id=row.version_id,
        document_title=row.document_title,
        base_slug=base.slug,
        section_path=parent_path(row.path),
        path=row.path,
        headings=tuple(row.headings[1:]),
        start=row.start,
        end=row.end,
        page=row.page,
        tokens=row.tokens,
        score=1.0,
        dense=None,
        lexical=None,
        rank=1,
        language=row.language,
    )
