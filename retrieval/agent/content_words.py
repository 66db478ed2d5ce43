"""The words of a question that say what it is about, and how rare each of them is."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from knowledge.lexical import dimension, terms
from retrieval.agent.numbers import NUMBER, values_in, values_of

# Words that ask, point or link. The terms of the lexical leg have no stop words, because idf makes
# "the" light; but "what" and "my" are rare in documents and would look like what is missing.
_FUNCTION_WORDS = frozenset(
    """a about after all also am an and any are as at be been before being by can could did do does
    doing done during each every for from get gets give given got had has have having he her here
    him his how i if in into is it its just know let long many may me might mine more most much must
    my near need no not now of off often on once one or other our out over own per please quick
    quickly say says see shall she should so some somebody someone still such tell than that the
    their them then there these they this those to too under until up upon us use used using very
    was we were what whats when where whether which while who whom whose why will with within
    without would you your yours soon far fast happen happens want wants
    aber als am an auf aus bei bis da das dass dem den der des die dies diese dieser du ein eine
    einem einen einer er es für gibt habe haben hat ich ihr im in ist ja kann kein man mein meine
    mich mir mit muss nach nicht noch oder ob sein sich sie sind so soll und uns unser vom von vor
    wann war warum was welche welchem welchen welcher welches wenn wer wie wieviel viel viele wird
    wir wo wurde zu zum zur über um
    а без более больше бы был была были было быть в вам вас весь во вот все всё вы где да для до
    его ее её если есть еще ещё же за и из или им их к как какая какие каким какими какого какое
    какой каком какую ко когда кого кому которая которые который кто ли мне много могу может можно
    мой моя моё мое мои мы на над надо нам нас наш не него нее нет ни них но ну о об он она они оно
    от перед по под после при про раз с сам свой себя сейчас сколько со так такое такой там те тем
    то того тоже только тот ты у уже чего чем что чтобы эта эти это этого этой этом этот я должен
    должны должна нужно
    le la les un une des du de et est que qui quoi quand combien comment pourquoi dans pour sur avec
    el los las una y es qué cuál cuándo cuánto cómo por con en""".split()  # noqa: SIM905 - 300 lines
)
# Whom a company's documents are all about: a sentence that shares no more than these with a
# question may be about anything ("how many employees", "the address of the company").
_GENERIC_WORDS = frozenset(
    """company companies company's employee employees firm firms
    angestellte angestellten firma firmen mitarbeiter mitarbeitern unternehmen unternehmens
    компания компании компанию компанией компаний сотрудник сотрудника сотруднику сотрудники
    сотрудников сотрудникам фирма фирмы фирме работник работника работники работников""".split()  # noqa: SIM905 - as above
)
_ASKING_CHINESE = re.compile(
    r"什么时候|什么样|什么|要?多少钱?|要?多久|要?多长时间?|做一次|怎么样|怎么|如何|是否|可以|能够|能否|能不能|需要|应该|哪一|哪些|哪个"
    r"|哪里|哪|谁|为什么|请问|一共|我们|他们|你们|我|你|有没有|吗|呢|吧|了|才能|之一|的|是|在|和|与|被|到"
)
# "What is the name of" asks for a name as "when" asks for a time; texts write "is called".
_NAMING = re.compile(
    r"\b(?:what|which) (?:is|are|was|were) the names? of\b|\bcalled(?=\W*\Z)"
    r"|\bwie (?:ist|lautet|war) der name\b|\bheißt\b|\bкак называ[ею]тся\b|叫什么名字",
    re.IGNORECASE,
)
# "How many days" asks for a time as "how long" does: days are in many sentences.
_COUNTING = re.compile(
    r"\bhow many (?:minutes|hours|days|weeks|months|years|euros|percent)\b"
    r"|\bwie ?viele? (?:minuten|stunden|tage|wochen|monate|jahre|euro|prozent)\b"
    r"|\bсколько (?:минут|часов|дней|недель|месяцев|лет|рублей|евро|процентов)\b",
    re.IGNORECASE,
)
_COUNTING_CHINESE = re.compile(
    r"要?多少[钱天年月个人]?|几[点天年个月次名位种]?|最多|最少|每天|每|有|公司|员工"
)
_LONGEST_WORD = 64
_HAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff"
_RUN = re.compile(rf"[{_HAN}]+")
_NUMBER = rf"(?<![0-9A-Za-z.,-]){NUMBER}(?!(?![{_HAN}])[\w-]|[.,]\d)"
_WORD = re.compile(
    rf"{_NUMBER}|[{_HAN}]+|(?![{_HAN}_])\w(?:(?:(?![{_HAN}])[\w'’./-])*(?![{_HAN}])\w)?"
)


@dataclass(frozen=True, slots=True)
class ContentWord:
    """A word of a question as it is written there, and its terms in the language of a text."""

    written: str
    terms: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Rarity:
    """Inverse document frequency (as in `knowledge.lexical.bm25`), per term of the question."""

    document_frequency: Mapping[int, int]
    entries: int

    def of(self, term: str) -> float:
        """Return the idf; that of a term which no entry has when the base was not counted."""
        frequency = self._frequency(term)
        return math.log1p((self.entries - frequency + 0.5) / (frequency + 0.5))

    def is_common(self, term: str, share: float, at_least: int) -> bool:
        """Return whether that share of the entries, and that many of them, hold the term."""
        return self._frequency(term) >= max(at_least, share * self.entries)

    def _frequency(self, term: str) -> int:
        return min(self.document_frequency.get(dimension(term), 0), self.entries)


def has_content(text: str) -> bool:
    """Return whether a text says anything: it holds a number, a name in two capital letters or a
    word that is none of those that ask, point or link.

    A single character is a word only where scripts write no spaces, and there two are wanted.
    """
    for word in _WORD.findall(text):
        if any(char.isdigit() for char in word) or (len(word) > 1 and word.isupper()):
            return True
        shortest = 2 if re.match(f"[{_HAN}]", word) else 3
        if len(word) >= shortest and word.casefold() not in _FUNCTION_WORDS:
            return True
    return False


def content_words(question: str, language: str, rarity: Rarity) -> tuple[ContentWord, ...]:
    """Return the words of ``question`` that carry its subject, each once, in order.

    Their terms are those of a text in ``language``; the weight is the idf of the rarest.
    """
    found: dict[tuple[str, ...], ContentWord] = {}
    for written in _WORD.findall(_ASKING_CHINESE.sub(" ", _NAMING.sub(" ", question))):
        if written.casefold() in _FUNCTION_WORDS:
            continue
        for word, word_terms in _parts(written, language):
            if word_terms not in found:
                weight = max(map(rarity.of, terms_of_word(word, language)))
                found[word_terms] = ContentWord(word, word_terms, weight)
    return tuple(found.values())


def telling_words(
    question: str, language: str, rarity: Rarity, own_names: Sequence[str] = ()
) -> tuple[ContentWord, ...]:
    """Return those of `content_words` by which a sentence shows that it answers ``question``.

    Not the days of "how many days", nor company and employee, nor the company's own name, whole or
    its first word (``own_names``), nor single characters of Chinese.
    """
    question = _COUNTING_CHINESE.sub(" ", _COUNTING.sub(" ", question))
    for name in own_names:
        question = _without_name(question, name)
    return tuple(
        word
        for word in content_words(question, language, rarity)
        if word.written.casefold() not in _GENERIC_WORDS and not _is_stray(word.written)
    )


def _without_name(question: str, name: str) -> str:
    """Return the question without the whole name, or its first word if that is written as a name.

    The others are words of its trade: whoever asks Aurora Versicherung about a Versicherung means
    one.
    """
    question = re.sub(
        rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", " ", question, flags=re.IGNORECASE
    )
    first = name.split()[0] if len(name.split()) > 1 else ""
    if any(char.isupper() for char in first):
        question = re.sub(rf"(?<!\w){re.escape(first)}(?:['’]s)?(?!\w)", " ", question)
    return question


def is_pair(written: str) -> bool:
    """Whether it is a pair of characters of a text that is written without spaces."""
    return len(written) == 2 and bool(_RUN.fullmatch(written))


def is_next(one: str, other: str) -> bool:
    """Whether two pairs of characters overlap: 分校, 校准."""
    return is_pair(one) and is_pair(other) and one[1] == other[0]


def _is_stray(written: str) -> bool:
    """Whether it is a character left over between asking words: texts are cut into pairs."""
    return len(written) == 1 and bool(_RUN.fullmatch(written))


def terms_of_word(word: str, language: str) -> tuple[str, ...]:
    """Return the `terms` of a single word, remembered: questions have most words in common."""
    is_word = len(word) <= _LONGEST_WORD
    return _remembered_terms(word, language) if is_word else tuple(terms(word, language))


@lru_cache(20_000)
def _remembered_terms(word: str, language: str) -> tuple[str, ...]:
    return tuple(terms(word, language))


def words_in(text: str, language: str) -> frozenset[str]:
    """Return what ``text`` has to hold of a `ContentWord`'s terms for the word to be in it.

    These are its lexical terms and, since 1,490 and 1.490,00 are one number, the values in it.
    """
    return frozenset((*terms(text, language), *map(_value, values_in(text))))


def _value(plain: str) -> str:
    """Return the term of a number's value: 490 is part of "1 490", and not its value."""
    return f"={plain}"


def _parts(written: str, language: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the word with its terms; of a run without spaces, each pair of characters."""
    if re.fullmatch(NUMBER, written):
        return [(written, tuple(sorted(map(_value, values_of(written)))))]
    found = tuple(dict.fromkeys(terms_of_word(written, language)))
    if len(found) > 1 and all(term in written for term in found) and not written.isascii():
        return [(term, (term,)) for term in found]
    return [(written, found)] if found else []
