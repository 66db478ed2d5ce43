"""The fixed sentences of answering without a model, in the languages they exist in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_HAN = re.compile(r"[\u3400-\u9fff]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_GERMAN = re.compile(
    r"[äöüß]|\b(?:der|die|das|ist|sind|wie|wer|wo|wann|welche\w*|und|nicht|ich|wir|ein|eine|für|kann"
    r"|darf|muss|gibt|wird)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Phrases:
    """Sentences with ``{}`` for what they name; lists come in joined by ``separator``."""

    nothing_found: str
    not_answered: str
    not_mentioned: str
    nearest: str
    separator: str
    after: str
    unanswered: tuple[str, ...]


_PHRASES = {
    "en": Phrases(
        "The search found no passage about this question.",
        "No passage answers this question clearly enough to quote it; {} were read.",
        "Nothing in them mentions: {}.",
        "The nearest are: {}.",
        ", ",
        " ",
        (
            "The first thing asked is not answered clearly enough to quote it.",
            "The second thing asked is not answered clearly enough to quote it.",
            "The third thing asked is not answered clearly enough to quote it.",
        ),
    ),
    "de": Phrases(
        "Die Suche fand keine Textstelle zu dieser Frage.",
        "Keine Textstelle beantwortet diese Frage klar genug, um sie zu zitieren; gelesen: {}.",
        "Darin kommt nicht vor: {}.",
        "Am nächsten kommen: {}.",
        ", ",
        " ",
        (
            "Die erste Frage wird nicht klar genug beantwortet, um die Antwort zu zitieren.",
            "Die zweite Frage wird nicht klar genug beantwortet, um die Antwort zu zitieren.",
            "Die dritte Frage wird nicht klar genug beantwortet, um die Antwort zu zitieren.",
        ),
    ),
    "ru": Phrases(
        "Поиск не нашёл ничего по этому вопросу.",
        "Ни один фрагмент не отвечает на вопрос достаточно ясно для цитаты; прочитано: {}.",
        "В них не упоминается: {}.",
        "Ближе всего: {}.",
        ", ",
        " ",
        (
            "На первый вопрос нет достаточно ясного ответа для цитаты.",
            "На второй вопрос нет достаточно ясного ответа для цитаты.",
            "На третий вопрос нет достаточно ясного ответа для цитаты.",
        ),
    ),
    "zh": Phrases(
        "没有找到与这个问题有关的段落。",
        "没有哪个段落能足够明确地回答这个问题；已阅读{}。",
        "其中没有提到：{}。",
        "最接近的是：{}。",
        "、",
        "",
        (
            "第一个问题没有找到足够明确的答案。",
            "第二个问题没有找到足够明确的答案。",
            "第三个问题没有找到足够明确的答案。",
        ),
    ),
}
_PASSAGES = {
    "en": ("1 passage", "{} passages"),
    "de": ("1 Textstelle", "{} Textstellen"),
    "ru": ("фрагментов: 1", "фрагментов: {}"),
    "zh": ("1个段落", "{}个段落"),
}


def abstention(question: str, passages: int, missing: Sequence[str], nearest: Sequence[str]) -> str:
    """Return why there is no answer, in the question's language where we have it, else English.

    ``missing`` are words of the question, ``nearest`` titles of passages.
    """
    language = question_language(question)
    phrases = _PHRASES[language]
    if not passages:
        return phrases.nothing_found
    one, several = _PASSAGES[language]
    parts = [phrases.not_answered.format(one if passages == 1 else several.format(passages))]
    if missing:
        parts.append(phrases.not_mentioned.format(phrases.separator.join(missing)))
    if nearest:
        parts.append(phrases.nearest.format("; ".join(nearest)))
    return phrases.after.join(parts)


def unanswered_part(question: str, place: int) -> str:
    """Return the sentence for a part of the question, counted from 0, that has no answer.

    It repeats nothing of it: a number in an answer has to stand in a quote.
    """
    return _PHRASES[question_language(question)].unanswered[place]


def question_language(question: str) -> str:
    """Return ``en``, ``de``, ``ru`` or ``zh``: what the fixed sentences are said in."""
    if _HAN.search(question):
        return "zh"
    if _CYRILLIC.search(question):
        return "ru"
    return "de" if len(_GERMAN.findall(question)) >= 2 else "en"
