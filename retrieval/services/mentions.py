"""Documents that the first hits mention by name: where one passage leads to the next.

"Who is the head of the office that approves travel?" is answered by two documents, of which a
search finds the one that speaks of travel; that one names the other.
"""

from collections.abc import Sequence

from django.db.models import Value
from django.db.models.functions import Substr

from knowledge.models import VersionText
from retrieval.agent.evidence import Hit
from retrieval.ranking import mentioned_documents
from retrieval.services.scopes import Scope
from retrieval.services.search import (
    SearchResult,
    fuse,
    hits_of,
    names_in,
    query_weights_of,
    search_legs,
)

FIRST = 2
"""Hits whose text is read for names. Measured on HotpotQA (1,969 files, 200 questions): a first
pack of 550 tokens then holds all evidence of 170 instead of 139."""


def with_mentioned(
    scope: Scope, result: SearchResult, hits: Sequence[Hit], most: int
) -> tuple[Hit, ...]:
    """Return the hits of a search with the best passage of at most ``most`` documents that the
    first `FIRST` of them mention, those that fit the question best, right behind these.

    In an open transaction.
    """
    leading, rest = hits[:FIRST], hits[FIRST:]
    own = {hit.document_id for hit in leading}
    mentioned = mentioned_documents(_text_of(leading), names_in(scope)) - own if leading else None
    if not mentioned:
        return tuple(hits)
    _, weights = query_weights_of(scope.base, result.query, list(result.languages))
    fused = fuse(search_legs(scope, result.vector, weights, mentioned))
    best: dict[int, Hit] = {}
    for hit in hits_of(scope.base, fused):
        if len(best) < most:
            best.setdefault(hit.document_id, hit)
    known = {hit.entry_id for hit in best.values()}
    return (*leading, *best.values(), *(hit for hit in rest if hit.entry_id not in known))


def _text_of(hits: Sequence[Hit]) -> str:
    """Return the passages, each a paragraph; what was deleted meanwhile is left out."""
    parts = (
        VersionText.objects.filter(version_id=hit.version_id)
        .annotate(part=Substr("content", Value(hit.start + 1), Value(hit.end - hit.start)))
        .values_list("part", flat=True)
        .first()
        for hit in hits
    )
    return "\n\n".join(filter(None, parts))
