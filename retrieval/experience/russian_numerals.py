"""Russian number words in all their cases."""

from __future__ import annotations

import re

_CARDINALS = {
    0: "ноль нуль ноля нуля",
    2: "два две двух двум двумя",
    3: "три трех трем тремя",
    4: "четыре четырех четырем четырьмя",
    8: "восьми восемью",
    40: "сорок сорока",
    80: "восьмидесяти",
    90: "девяносто девяноста",
    100: "сто ста",
    200: "двести двухсот двумстам двумястами",
    300: "триста трехсот тремстам тремястами",
    400: "четыреста четырехсот четыремстам",
    1000: "тысяча тысячи тысяч тысяче тысячу",
    10**6: "миллион миллиона миллионов миллионам",
    10**9: "миллиард миллиарда миллиардов",
}
_IN_SOFT_SIGN = {
    5: "пят", 6: "шест", 7: "сем", 8: "восем", 9: "девят", 10: "десят", 11: "одиннадцат",
    12: "двенадцат", 13: "тринадцат", 14: "четырнадцат", 15: "пятнадцат", 16: "шестнадцат",
    17: "семнадцат", 18: "восемнадцат", 19: "девятнадцат", 20: "двадцат", 30: "тридцат",
}  # fmt: skip
_TENS = {50: "пят", 60: "шест", 70: "сем", 80: "восем", 90: "девят"}
_VALUES = {word: value for value, words in _CARDINALS.items() for word in words.split()}
for _value, _stem in _IN_SOFT_SIGN.items():
    _VALUES |= {_stem + ending: _value for ending in ("ь", "и", "ью")}
for _value, _stem in _TENS.items():
    _VALUES |= {f"{_stem}ьдесят": _value, f"{_stem}идесяти": _value}
    _VALUES |= {f"{_stem}ьсот": _value * 10, f"{_stem}исот": _value * 10}
_ORDINALS = {
    "перв": 1, "втор": 2, "трет": 3, "треть": 3, "четверт": 4, "пят": 5, "шест": 6, "седьм": 7,
    "восьм": 8, "девят": 9, "десят": 10,
}  # fmt: skip
_ORDINAL = re.compile(
    r"(.+?)(?:ый|ий|ой|ая|яя|ое|ого|его|ему|ому|ом|ем|ым|им|ую|ю|ей|ые|и|ых|их|я|е)"
)


def russian_value(word: str) -> int | None:
    """Return the value of a case-folded number word, ordinals up to ten included, else None."""
    word = word.replace("ё", "е")
    if word in _VALUES:
        return _VALUES[word]
    match = _ORDINAL.fullmatch(word)
    return _ORDINALS.get(match[1]) if match else None
