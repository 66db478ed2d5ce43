"""What is left of the day's tokens for answers: of the company, and of the person who asks.

Errors: TokensSpent, with a sentence for the person. A day is one of UTC. What a provider did not
count is taken at nothing here; Cairn's own estimates count.
"""

from datetime import datetime

from django.db.models import Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from retrieval.models import AnswerQuota, UsageEntry

LEAST_TOKENS = 4_000
"""With less no answer comes about: a small pack of passages and the reply."""

COMPANY = (
    "Your company's questions may take {limit:,} tokens of the language model a day, and today's "
    "are used up. There are new ones from midnight UTC; an admin can have the limit raised."
)
PERSON = (
    "Your questions may take {limit:,} tokens of the language model a day, and today's are used "
    "up. There are new ones from midnight UTC; an admin can have the limit raised."
)


class TokensSpent(Exception):
    """The day's tokens are used up; the message says whose."""


def tokens_left(user_id: int | None) -> int | None:
    """Return the tokens that a question of the person may take, None without limits.

    In an open transaction. Raises TokensSpent when they are too few for any answer. Questions that
    are being answered count when their calls are over, so several at once may take a little more.
    """
    quota = AnswerQuota.objects.first()
    if quota is None:
        return None
    left = [
        _left(quota.tokens_per_day, None, COMPANY),
        _left(quota.tokens_per_person, user_id, PERSON) if user_id is not None else None,
    ]
    known = [one for one in left if one is not None]
    return min(known, default=None)


def _left(limit: int | None, user_id: int | None, sentence: str) -> int | None:
    if not limit:
        return None
    left = limit - _spent_today(user_id)
    if left < min(LEAST_TOKENS, limit):
        raise TokensSpent(sentence.format(limit=limit))
    return left


def _spent_today(user_id: int | None) -> int:
    """Return the tokens of today's answers, of one person or of all."""
    rows = UsageEntry.objects.filter(created_at__gte=_midnight()).exclude(run_number=None)
    if user_id is not None:
        rows = rows.filter(user_id=user_id)
    total = Sum(Coalesce("prompt_tokens", 0) + Coalesce("completion_tokens", 0))
    return rows.aggregate(total=total)["total"] or 0


def _midnight() -> datetime:
    return timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
