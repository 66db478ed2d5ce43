"""Questions that a section answers, before anybody has asked one: a model's, or by templates.

The passage that answers is known from the start, so nothing is searched for (design 7, cold start).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.ingest.sentences import sentence_spans
from retrieval.agent.content_words import Rarity, content_words
from retrieval.agent.framing import as_data, as_title
from retrieval.agent.prompting import render
from retrieval.llm.chat import ChatRequest, Message

LONGEST = 300
"""Characters of a question; what is longer is no question."""

MAX_TOKENS = 600
_WORDS = 3
_FEWEST_WORDS = 3
"""Content words that a sentence needs to be asked about."""

_CLAUSE = 16
_CLAUSE_END = re.compile("[，。；：！？,;:!?]")
_NO_RARITY = Rarity({}, 0)
_TEMPLATES = {
    "en": ("What does “{heading}” say about {words}?", " and ", ", "),
    "de": ("Was steht unter „{heading}“ zu {words}?", " und ", ", "),
    "ru": ("Что сказано в разделе «{heading}» про {words}?", " и ", ", "),
    "zh": ("关于{words}，“{heading}”里是怎么说的？", "和", "、"),
}
_ITEM = {
    "type": "object",
    "properties": {"passage": {"type": "integer"}, "question": {"type": "string"}},
    "required": ["passage", "question"],
    "additionalProperties": False,
}
QUESTIONS_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": _ITEM}},
    "required": ["questions"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section's own passages in order; ``headings`` lead to it, the document's title first.

    ``language`` is an ISO 639-1 code or 'und'.
    """

    headings: tuple[str, ...]
    language: str
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MadeUp:
    """A question, and the place of the passage that answers it, counted from 0."""

    question: str
    passage: int


def request_for(section: SectionText, most: int) -> ChatRequest:
    """Return the one call in which a model makes up at most ``most`` questions."""
    known = section.language not in ("", "und")
    language = f"the language of the text ({section.language})" if known else "the text's language"
    passages = "\n\n".join(f"[{n}] {as_data(text)}" for n, text in enumerate(section.passages, 1))
    place = " > ".join(map(as_title, section.headings))
    return ChatRequest(
        messages=(
            Message("system", render("section_questions", most=most, language=language)),
            Message("user", f"{place}\n\n{passages}"),
        ),
        purpose="edge",
        schema=QUESTIONS_SCHEMA,
        max_tokens=MAX_TOKENS,
    )


def questions_in(
    reply: Mapping[str, object] | None, section: SectionText, most: int
) -> tuple[MadeUp, ...]:
    """Return the questions of a reply that name a passage of the section, each once."""
    items = reply.get("questions") if reply else None
    found: dict[str, MadeUp] = {}
    for item in items if isinstance(items, list) else []:
        if not isinstance(item, Mapping):
            continue
        text, number = item.get("question"), item.get("passage")
        if not isinstance(text, str) or not isinstance(number, int):
            continue
        question = " ".join(text.split())
        if 1 <= number <= len(section.passages) and 0 < len(question) <= LONGEST:
            found.setdefault(question.casefold(), MadeUp(question, number - 1))
    return tuple(found.values())[:most]


def templated(section: SectionText, most: int) -> tuple[MadeUp, ...]:
    """Return questions without a model: the heading, and what the key sentences are about.

    A key sentence is the one of its passage whose words are most frequent in the section (SumBasic,
    Nenkova and Vanderwende 2005). Languages without a template are asked about in English.
    """
    template, last, comma = _TEMPLATES.get(section.language, _TEMPLATES["en"])
    counts = Counter(word for text in section.passages for word in _words(text, section.language))
    heading = section.headings[-1] if section.headings else ""
    said = {word.casefold() for word in _words(heading, section.language)}
    ranked: list[tuple[float, int, str]] = []
    for place, text in enumerate(section.passages):
        weight, words = _key(text, section.language, counts, said)
        if words:
            listed = last.join(filter(None, (comma.join(words[:-1]), words[-1])))
            ranked.append((weight, place, template.format(heading=heading, words=listed)))
    ranked.sort(key=lambda one: (-one[0], one[1]))
    return tuple(
        MadeUp(question, place)
        for _, place, question in sorted(ranked[:most], key=lambda one: one[1])
        if len(question) <= LONGEST
    )


def _key(
    text: str, language: str, counts: Counter[str], said: set[str]
) -> tuple[float, tuple[str, ...]]:
    """Return the key sentence's weight, and what it is about, in order; of Chinese, whose words
    have no ends, its first clause."""
    best: tuple[float, tuple[str, ...]] = (0.0, ())
    for span in sentence_spans(text, language):
        sentence = span.of(text)
        words = [w for w in _words(sentence, language) if w.casefold() not in said]
        if len(words) < _FEWEST_WORDS:
            continue
        weight = sum(counts[word] for word in words) / len(words)
        if weight <= best[0]:
            continue
        if language == "zh":
            best = (weight, (_CLAUSE_END.split(sentence)[0][:_CLAUSE],))
        else:
            telling = sorted(words, key=lambda word: (-len(word), words.index(word)))[:_WORDS]
            best = (weight, tuple(sorted(telling, key=words.index)))
    return best


def _words(text: str, language: str) -> list[str]:
    found = content_words(text, language, _NO_RARITY)
    return [one.written for one in found if any(char.isalpha() for char in one.written)]
