"""The stored questions of a base that are nearest to one that is asked.

Only those with its key are scanned (`Reading.key`): the others would disagree in a slot, however
near they are. An HNSW index is no way: of real questions beside 3,500 of one template, 3 to 16 in
100 did not come back though they were the nearest (m 32 to 48, ef_search 100).
"""

from dataclasses import dataclass

from django.db import connection
from pgvector import HalfVector

from knowledge.embedding import Vectors
from knowledge.models import KnowledgeBase
from retrieval.experience import Reading
from retrieval.models import ExperienceQuestion, ExperienceSettings
from retrieval.services.experience.slotting import reading

NEAREST = 12
"""Stored questions that are looked at, the nearest first."""

USING = (ExperienceSettings.Policy.LEARN, ExperienceSettings.Policy.FROZEN)

# The distance is not filtered by: the database would compute it a second time. And the vector is
# given once, as its text is most of the statement.
_NEAREST = f"""
    SELECT id, text, dense <=> %(vector)s::halfvec AS distance
    FROM {ExperienceQuestion._meta.db_table}
    WHERE tenant_id = %(tenant)s AND base_id = %(base)s AND embedding_model = %(model)s
        AND slots_key IN (%(key)s, '')
        AND NOT EXISTS (
            SELECT 1 FROM {ExperienceSettings._meta.db_table}
            WHERE tenant_id = %(tenant)s AND base_id = %(base)s AND NOT policy = ANY(%(using)s)
        )
    ORDER BY distance, id
    LIMIT {NEAREST}
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class NearQuestion:
    """A stored question with its cosine to the one that is asked."""

    id: int
    text: str
    cosine: float

    @property
    def reading(self) -> Reading:
        """What it says."""
        return reading(self.text)


def near_questions(
    base: KnowledgeBase, model: str, vector: Vectors, key: str
) -> list[NearQuestion]:
    """Return the nearest of the stored questions with this key, the nearest first.

    None where the policy of the base uses none. Those without a key, not read yet, count as well.
    In an open transaction.
    """
    given: dict[str, str | int | list[str]] = {
        "tenant": base.tenant_id,
        "base": base.pk,
        "model": model,
        "key": key,
        "vector": HalfVector(vector).to_text(),
        "using": [str(policy) for policy in USING],
    }
    with connection.cursor() as cursor:
        cursor.execute(_NEAREST, given)
        rows = cursor.fetchall()
    return [NearQuestion(pk, text, 1 - distance) for pk, text, distance in rows]
