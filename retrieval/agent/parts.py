"""A question that asks two things taken apart by rule: "How long ... and who ...?"."""

from __future__ import annotations

import re

from retrieval.agent.content_words import Rarity, content_words
from retrieval.agent.names import names_in
from retrieval.agent.phrases import question_language

MOST_PARTS = 3
_ASKING = (
    r"who|whom|whose|what|when|where|which|why|how"
    r"|wer|wem|wen|wessen|was|wann|wo|welche\w*|warum|wie\w*"
    r"|кто|кого|кому|что|когда|где|как\w*|почему|сколько|чем"
)
# A new question begins after a question mark, or where "and" is followed by a word that asks.
_SEAM = re.compile(
    rf"(?<=[?？])\s*(?=\S)|[,;]?\s+(?:and|und|и)\s+(?=(?:(?:for|by|to|in|at|с|в|до|für|bis)\s+)?(?:{_ASKING})\b)"
    r"|[，,；;]\s*(?=(?:谁|什么|哪|怎么|如何|多少|何时|为什么))",
    re.IGNORECASE,
)
_FEWEST_WORDS = 2


def parts_of(question: str) -> tuple[str, ...]:
    """Return the questions that ``question`` consists of, itself alone where it is one.

    A part that has no subject of its own ("and by when?") belongs to the one before it. At most
    three, the last with the rest.
    """
    parts: list[str] = []
    begin = 0
    for seam in _SEAM.finditer(question):
        before, after = question[begin : seam.start()], question[seam.end() :]
        if len(parts) < MOST_PARTS - 1 and _stands_alone(before) and _stands_alone(after):
            parts.append(before.strip())
            begin = seam.end()
    parts.append(question[begin:].strip())
    return tuple(parts) if len(parts) > 1 else (question,)


def _stands_alone(text: str) -> bool:
    language = question_language(text)
    words = content_words(text, language, Rarity({}, 0))
    return len(words) >= _FEWEST_WORDS or bool(names_in(text, language))
