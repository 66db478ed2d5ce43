"""Names in a question, told by capitals, quotation marks, titles and how rare a word is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from knowledge.lexical import terms
from retrieval.agent.constraints import constraints_of
from retrieval.agent.content_words import ContentWord, Rarity, content_words

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;]\s)[\W\d_]*\Z")
_TITLES = frozenset(
    ["mr", "mrs", "ms", "dr", "prof", "herr", "herrn", "frau", "г-н", "г-жа", "господин", "госпожа"]
)
# In German every noun has a capital: only what stands after these words is taken for a name, and
# of the rest how rare it is decides.
_GERMAN_BEFORE_NAME = re.compile(r"\b(?:Herrn?|Frau|Dr\.|Firma|Familie|Standort|Stadt|namens) \Z")
_GERMAN_PLACE = re.compile(r"\b(?:in|aus|nach) \Z", re.IGNORECASE)
_GERMAN_NOUN = re.compile(
    r".*(?:ung|heit|keit|schaft|tion|tät|zeit|urlaub|fall|ing|nis|tum|gen|den|ten|beit|gleich|druck)\Z"
    r"|Rente|Höhe|Bezug|Anspruch|Summe|Zukunft|Euro|Prozent|Form|Ablauf|Büro|Betrieb|Wartung|Kauf|Ende|Beginn",
)
_CHINESE_NAMES = re.compile(
    "[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范廖贾夏韦傅邹孟熊秦邱尹薛]"
    "[\u4e00-\u9fff]{0,2}?(?=经理|先生|女士|总监|主任|老师|教授|博士|工程师|律师|医生)"
    "|北京|上海|天津|重庆|广州|深圳|杭州|南京|苏州|成都|武汉|西安|长沙|青岛|大连|厦门|宁波|郑州|济南|沈阳|哈尔滨|福州|昆明|合肥|无锡|东莞|佛山"
    "|香港|澳门|台湾|新疆|西藏|云南|四川|广东|广西|福建|浙江|江苏|山东|河南|河北|湖南|湖北|陕西|山西|辽宁|吉林|黑龙江|海南|贵州|甘肃|内蒙古"
    "|中国|美国|英国|法国|德国|日本|韩国|俄罗斯|新加坡|印度|欧洲|亚洲|非洲|北美|华东|华南|华北|西南"
)
_LATIN_IN_CHINESE = re.compile(r"[A-Za-z][A-Za-z.+#-]*[A-Za-z+#]")
# Dates are written in many ways: "on a Sunday" is answered by "any day of the week".
_CALENDAR = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|christmas|easter|ramadan",
    re.IGNORECASE,
)
_BEFORE = 24
"""Characters before a word in which a title or the end of a sentence is looked for."""

_NO_RARITY = Rarity({}, 0)
_COMMON, _COMMON_AT_LEAST = 0.1, 5
"""The share and number of a base's entries from which on a name is that of its subject: not every
sentence about it says so."""


def names_in(question: str, language: str) -> frozenset[str]:
    """Return the terms of the names in ``question``, those between quotation marks included.

    A word with a capital inside a sentence is one, and one with capitals only (VPN) anywhere;
    where all words have capitals, none. Chinese names are letters, places and persons with a
    title: what else is a name there shows by its being rare.
    """
    found = list(constraints_of(question).quoted)
    if language == "zh":
        found += _CHINESE_NAMES.findall(question) + _LATIN_IN_CHINESE.findall(question)
    else:
        found += _by_capitals(question, language)
    return frozenset(term for name in found for term in _terms(name, language))


def _by_capitals(question: str, language: str) -> Iterator[str]:
    words = list(_WORD.finditer(question))
    capitals = [match for match in words if match[0][0].isupper()]
    if language != "de" and len(words) > 3 and len(capitals) > 0.7 * len(words):
        return
    for match in capitals:
        word, before = match[0], question[max(0, match.start() - _BEFORE) : match.start()]
        shouted = (len(word) > 1 and word.isupper()) or any(char.isupper() for char in word[1:])
        starts = bool(_SENTENCE_START.search(before))
        if word.casefold() in _TITLES or word.startswith("I'") or word == "I":
            continue
        if language == "de" and not shouted:
            if _named_in_german(word, before):
                yield word
        elif shouted or not starts:
            yield word


def _named_in_german(word: str, before: str) -> bool:
    if _GERMAN_BEFORE_NAME.search(before):
        return True
    return bool(_GERMAN_PLACE.search(before)) and not _GERMAN_NOUN.fullmatch(word)


def _terms(name: str, language: str) -> Iterator[str]:
    for word in content_words(name, language, _NO_RARITY):
        if not any(char.isdigit() for char in word.written):
            yield from word.terms[:1] or terms(name, language)[:1]


def required_names(
    question: str, words: Sequence[ContentWord], language: str, rarity: Rarity
) -> tuple[ContentWord, ...]:
    """Return those of ``words`` that are names which what answers ``question`` has to speak of.

    ``language`` is that of the question. What holds for Graz answers nothing about Berlin, however
    alike it reads.
    """
    names = names_in(question, language)
    return tuple(
        word
        for word in words
        if not names.isdisjoint(word.terms)
        and not _CALENDAR.fullmatch(word.written)
        and not any(rarity.is_common(term, _COMMON, _COMMON_AT_LEAST) for term in word.terms)
    )
