"""Scores of one answer against its gold: evidence, exact match, token F1, numbers."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from retrieval.agent.values import same_value, value_of

DEPTHS = (1, 5, 10, 20)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def hit_at(first: int | None, depth: int) -> bool:
    """Return whether the first relevant rank, counted from 1, is at most ``depth``."""
    return first is not None and first <= depth


def answer_words(text: str) -> list[str]:
    """Return the words compared: folded, without articles and punctuation (SQuAD's rule).

    Characters of scripts without spaces are words of their own.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    spaced = _UNSPACED.sub(lambda match: f" {match[0]} ", folded)
    kept = "".join(char if char.isalnum() or char in "%.," else " " for char in spaced)
    return [word.strip(".,") for word in _ARTICLES.sub(" ", kept).split() if word.strip(".,")]


def exact_match(answer: str, gold: str) -> bool:
    """Return whether both say the same words, or the same value to 0.1 %."""
    if answer_words(answer) == answer_words(gold):
        return True
    value = value_of(gold)
    return value.number is not None and same_value(value_of(answer), value)


def token_f1(answer: str, gold: str) -> float:
    """Return the F1 of shared words, 0 to 1 (Rajpurkar et al., arXiv 1606.05250)."""
    given, wanted = answer_words(answer), answer_words(gold)
    if not given or not wanted:
        return float(given == wanted)
    shared = sum((Counter(given) & Counter(wanted)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(given), shared / len(wanted)
    return 2 * precision * recall / (precision + recall)


def precision_recall(flagged: Sequence[bool], true: Sequence[bool]) -> tuple[float, float]:
    """Return precision and recall of a yes-no decision; 1.0 where there was nothing to decide."""
    both = sum(f and t for f, t in zip(flagged, true, strict=True))
    return (
        both / sum(flagged) if any(flagged) else 1.0,
        both / sum(true) if any(true) else 1.0,
    )
