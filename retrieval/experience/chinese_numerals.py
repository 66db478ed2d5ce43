"""Chinese number words to digits."""

from __future__ import annotations

import re

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_PLACES = {"十": 10, "百": 100, "千": 1000}
_SCALES = {"万": 10**4, "亿": 10**8}
# 一 by itself is an article (一个), part of a word (统一) or "as soon as": a number only before
# what is counted in grades and chapters.
_NUMBER = re.compile(
    r"第?(?<!\u2060)(?:[零〇一二两三四五六七八九十百千万亿]*[二两三四五六七八九十百千万亿][零〇一二两三四五六七八九十百千万亿]*"
    r"|一(?=[级等类条章款项季期批阶号]))(?!\u2060)"
)
# Words that are written with the characters of numbers and count nothing.
_WORDS = re.compile(
    r"第三方|万一|五险一金|十分(?!钟)|千克|千米|千瓦|万能|二维码|二手|三方|百度|千万别"
)
_PERCENT = re.compile(r"百分之([零〇一二两三四五六七八九十百\d.]+)")
_JOINER = "\u2060"


def chinese_with_digits(text: str) -> str:
    """Return ``text`` with 二百五十 as 250, 第三 as 3, 二〇二五 as 2025 and 百分之五 as 5%."""
    text = _PERCENT.sub(r"\1%", text.replace(_JOINER, ""))
    text = _WORDS.sub(lambda match: _JOINER.join(match[0]), text)
    text = _NUMBER.sub(lambda match: f"{_value(match[0].lstrip('第')):.12g}", text)
    return text.replace(_JOINER, "")


def _value(written: str) -> float:
    if all(char in _DIGITS for char in written):
        return float("".join(str(_DIGITS[char]) for char in written))
    total = section = digit = 0.0
    for char in written:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _PLACES:
            section, digit = section + (digit or 1) * _PLACES[char], 0.0
        else:
            total, section, digit = (total + section + digit or 1) * _SCALES[char], 0.0, 0.0
    return total + section + digit
