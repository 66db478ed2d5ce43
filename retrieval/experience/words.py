"""What a question is about: its content words, and those of them that name a thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os.path import commonprefix

from knowledge.lexical import terms
from retrieval.agent.content_words import Rarity, content_words
from retrieval.experience.asking import without_asking
from retrieval.experience.synonyms import canonical_word

DocumentFrequency = Callable[[str], float]
"""Of a term of `knowledge.lexical`: the share of the base's entries that hold it, 0 to 1."""

FREQUENT = 0.05
"""A word in more than this share of the entries is what the base is about and tells nothing apart."""

# Words that ask ("the price of", "is it allowed") and name no thing.
_ASKING = re.compile(
    r"(?:reason|cause|price|cost|fee|period|duration|time|number|amount|size|deadline|date|step|procedure|process|way"
    r"|limit|allowance|maximum|minimum|rule|rate|length|kind|type|case|place|condition|requirement|interval|frequency"
    r"|action|day|week|month|year|hour|happen|show|give|spend)s?|polic(?:y|ies)|(?:allow|permit|requir|need)(?:s|e?d)?"
    r"|necessary|mandatory|possible|annual(?:ly)?|yearly"
    r"|(?:grund|gründ|ursach|preis|kost|gebühr|dauer|laufzeit|frist|anzahl|zahl|höhe|schritt|vorgehen|weg|regel|bedingung"
    r"|voraussetzung|fall|fäll|art|ort|abst[aä]nd|tag|woch|monat|jahr|stund|betr[aä]g|maßnahm|zeit)(?:e|en|er|es|n|s)?"
    r"|(?:erlaub|gestatte|benötig|verlang|brauch|gelt|gilt|zeig|steh)(?:e|en|t)?|zulässig|nötig|erforderlich|jährlich|wahr|während|lang[e]?|lange|teuer"
    r"|(?:причин|стоимост|срок|врем|количеств|размер|сумм|норм|правил|услови|способ|образ|случа|периодичност|частот"
    r"|действи|порядк|числ|мест)\w{0,4}|цен[аыуе]|меры|час(?:а|ов|ы)?|дн(?:я|ей|и)|день|недел\w|месяц\w{0,2}|год[ау]?|лет"
    r"|(?:нужн|можн|надо|разреш|допуска|требу|необходим|обязат|каков|част|долж|дела|состав|явля|длит)\w{0,7}|кем|кого|почему|человек|член\w{0,2}",
    re.IGNORECASE,
)
_BEFORE_NOUN = frozenset(
    "the a an my our your his her their its this that these those of on in for with to at from by under "
    "per about during without which what many much any each every new old".split()
)
_RUSSIAN_VERB = re.compile(r"\w{2,}(?:ться|тся|[аяие]ть|[аяую]ют|[аяуюие]ет|ят|[ая]л[аои]?|или|л(?:ся|ась|ось|ись))|будет")
_CHINESE_FILLER = re.compile(
    "具体|一下|时候|进行|通过|关于|对于|目前|现在|显示|出现|发生|处理|办理|发放|负责|可以|能够|提供|使用|实行|规定"
    "|每[天周月年]|一(?:天|周|年|个月)|费用|价格|原因|数量|时间|金额|允许|需要|应该|这个|那个|一[个种次样]|[的了着过得地把给对从向于以为由要会有请被应能可是在和与及之所]"
)
_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NO_RARITY = Rarity({}, 0)


@dataclass(frozen=True, slots=True)
class Words:
    """Canonical terms: ``all`` content words once, ``things`` those that tell questions apart,
    ``frame`` every word in order."""

    all: tuple[str, ...]
    things: frozenset[str]
    frame: tuple[str, ...]


def words_of(text: str, language: str, document_frequency: DocumentFrequency) -> Words:
    """Return the words of ``text`` but numbers and codes.

    A thing is a noun, as far as its letters and neighbours tell, that is not frequent in the base.
    In Chinese it is a pair of characters that the base knows and seldom uses.
    """
    chinese = language == "zh"
    found: dict[str, None] = {}
    things: set[str] = set()
    nouns = frozenset() if chinese else frozenset(_nouns(text, language))
    told = _CHINESE_FILLER.sub(" ", without_asking(text)) if chinese else text
    for word in content_words(told, language, _NO_RARITY):
        if any(char.isdigit() for char in word.written):
            continue
        if _ASKING.fullmatch(word.written):
            continue
        name = canonical_word(word.terms[0])
        found[name] = None
        share = document_frequency(word.terms[0])
        if share <= FREQUENT and (share > 0 if chinese else word.written in nouns):
            things.add(name)
    frame = tuple(found) if chinese else tuple(_frame(text, language))
    return Words(tuple(found), frozenset(things), frame)


def _frame(text: str, language: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        yield from map(canonical_word, terms(match[0], language)[:1])


def _nouns(text: str, language: str) -> Iterator[str]:
    before, within = "", False
    for match in _TOKEN.finditer(text):
        word = match[0]
        if language == "en":
            adjoins = text[: match.start()].endswith(f"{before} ") and bool(before)
            is_function = word.casefold() in _BEFORE_NOUN or not content_words(word, "en", _NO_RARITY)
            within = not is_function and adjoins and (within or before.casefold() in _BEFORE_NOUN)
            noun = (within and not word.endswith("ed")) or (word[0].isupper() and not is_function)
        elif language == "ru":
            noun = not _RUSSIAN_VERB.fullmatch(word.casefold())
        else:
            noun = word[0].isupper()
        before = word
        if noun:
            yield word


def alike(one: str, other: str) -> bool:
    """Return whether two terms are of one word: equal, a part of a compound, or of one stem."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if "\u3400" <= short[0] <= "\u9fff":
        return len(short) == 1 and short in long
    if short[0] == "=" or len(short) < 4:
        return False
    common = len(commonprefix((short, long)))
    return short in long or (common >= 5 and common >= 0.6 * len(long))
