"""How long to wait before the next attempt."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_BACKOFF_S = 8.0


def retry_after_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that the server asks to wait, 0 or more; None when it names none.

    RFC 9110, 10.2.3: a number of seconds or an HTTP date. ``retry-after-ms`` is OpenAI's, finer.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "").strip()
    seconds = _number(value)
    if seconds is not None or not value:
        return seconds
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    if date.tzinfo is None:  # "-0000": a time in UTC, said by a server that will not say more
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


def backoff_s(attempt: int, first_s: float = 0.5) -> float:
    """Return the seconds to wait after attempt 0, 1, ...: doubled each time, 8 s at most.

    Up to half of it is left to chance, so that callers refused together do not return together.
    """
    whole: float = min(first_s * 2.0 ** min(attempt, 30), LONGEST_BACKOFF_S)
    return whole * (1 - random.random() / 2)  # noqa: S311 # no secret


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
