"""Pairs of questions: near-duplicates that mean another thing, and paraphrases."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from knowledge.lexical import terms
from retrieval.experience import Slots, slots_of

LANGUAGES = ("en", "ru", "de", "zh")
_HERE = Path(__file__).resolve().parent
_SAMPLE = _HERE.parent.parent / "sample_company"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions; ``kind`` is "paraphrase" or what differs in a trap."""

    language: str
    kind: str
    one: str
    other: str

    @property
    def is_trap(self) -> bool:
        return self.kind != "paraphrase"

    def slots(self) -> tuple[Slots, Slots]:
        return (
            slots_of(self.one, language=self.language, document_frequency=sample_frequency),
            slots_of(self.other, language=self.language, document_frequency=sample_frequency),
        )


@cache
def pairs() -> tuple[Pair, ...]:
    lines = (_HERE / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(Pair(**json.loads(line)) for line in lines)


def sample_frequency(term: str) -> float:
    """Return the share of the sample company's paragraphs that hold the term."""
    counts, paragraphs = _counted()
    return counts[term] / paragraphs


@cache
def _counted() -> tuple[Counter[str], int]:
    counts: Counter[str] = Counter()
    paragraphs = 0
    for path in sorted(_SAMPLE.iterdir()):
        for paragraph in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
            counts.update(set(terms(paragraph, "")))
            paragraphs += 1
    return counts, paragraphs
