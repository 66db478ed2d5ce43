"""One question made several searches: paraphrase, spelt-out acronyms, sub-questions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from retrieval.agent.evidence import Hit

QUERY_MAX_LENGTH = 400
PLAN_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"queries": {"type": "array", "items": {"type": "string"}}},
    "required": ["queries"],
    "additionalProperties": False,
}
_COMPOUND = re.compile(
    r"\?.+\?|\b(?:and|or|versus|vs\.?|than|compared?|between|both|each|respectively"
    r"|и|или|чем|между|оба|каждый|und|oder|als|zwischen|beide|jeweils)\b"
    r"|[和与或比]|以及|之间|分别",
    re.IGNORECASE | re.DOTALL,
)
# Cosines of multilingual-e5 between a question and its passage begin about here (measured:
# unrelated sentences .72-.78, paraphrases .86 and more).
WEAK_COSINE = 0.82


def queries_of(question: str, plan: Mapping[str, object] | None, most: int) -> tuple[str, ...]:
    """Return at most ``most`` different queries, the question itself first.

    ``plan`` is what a model replied under `PLAN_SCHEMA`; None or anything else in it is left out.
    """
    proposed = plan.get("queries") if plan else None
    queries = [question]
    for query in proposed if isinstance(proposed, list) else []:
        if isinstance(query, str) and (cut := as_query(query)):
            queries.append(cut)
    distinct = {query.casefold(): query for query in reversed(queries)}
    kept = [query for query in dict.fromkeys(queries) if distinct[query.casefold()] == query]
    return tuple(kept[:most])


def as_query(written: str) -> str:
    """Return what a model wrote as one line, no longer than a query may be."""
    return " ".join(written.split())[:QUERY_MAX_LENGTH]


def needs_plan(question: str, hits: Sequence[Hit]) -> bool:
    """Return whether one search is too little: a compound question, or weak first hits."""
    if not hits or _COMPOUND.search(question):
        return True
    best = max((hit.dense for hit in hits[:3] if hit.dense is not None), default=0.0)
    return best < WEAK_COSINE and all(hit.lexical is None for hit in hits[:3])
