"""A question that asks two things taken apart by rule: "How long ... and who ...?"."""

from __future__ import annotations

import re
from itertools import islice

from retrieval.agent.content_words import Rarity, content_words
from retrieval.agent.names import names_in
from retrieval.agent.phrases import question_language

MOST_PARTS = 3
_MOST_SEAMS = 8
_LONGEST = 600
"""Characters of a question that is looked at: a longer one is a text with a question in it."""

_FEWEST_WORDS = 2
_ASKING = {
    "en": r"who|whom|whose|what|when|where|which|why|how",
    "de": r"wer|wem|wen|wessen|was|wann|wo|welche[rsmn]?|warum|wie(?: ?viele?)?",
    "ru": r"кто|кого|кому|что|когда|где|как|как(?:ой|ая|ое|ие|ого|ому|им)|почему|сколько",
    "zh": r"谁|什么|哪|怎么|如何|多少|何时|为什么",
}
_AND = {"en": r",? and ", "de": r",? und ", "ru": r",? и ", "zh": "[，,；;]"}
_BEFORE = {"en": "for|by|to|in|at", "de": "für|bis|in|mit|zu", "ru": "с|в|до|к|по", "zh": ""}


def _seam(language: str) -> re.Pattern[str]:
    end = "" if language == "zh" else r"\b"
    before = f"(?:(?:{_BEFORE[language]}) )?" if _BEFORE[language] else ""
    asks = rf"(?={before}(?:{_ASKING[language]}){end})"
    return re.compile(rf"(?:(?<=\?) |(?<=？)|{_AND[language]}){asks}", re.IGNORECASE)


_SEAMS = {language: _seam(language) for language in _ASKING}


def parts_of(question: str) -> tuple[str, ...]:
    """Return the questions that ``question`` consists of, itself alone where it is one.

    A part begins with a word that asks, behind a question mark or "and". One that has no subject of
    its own ("and by when?") belongs to the one before it. At most three, the last with the rest.
    """
    text = " ".join(question.split())
    if len(text) > _LONGEST:
        return (question,)
    seams = islice(_SEAMS[question_language(text)].finditer(text), _MOST_SEAMS)
    parts: list[str] = []
    begin = 0
    for seam in seams:
        before, after = text[begin : seam.start()], text[seam.end() :]
        if len(parts) < MOST_PARTS - 1 and _stands_alone(before) and _stands_alone(after):
            parts.append(before)
            begin = seam.end()
    return (*parts, text[begin:]) if parts else (question,)


def _stands_alone(text: str) -> bool:
    language = question_language(text)
    words = content_words(text, language, Rarity({}, 0))
    return len(words) >= _FEWEST_WORDS or bool(names_in(text, language))
