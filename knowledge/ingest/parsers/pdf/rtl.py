"""Right-to-left text in logical order.

Some programs write Hebrew and Arabic as it looks, from the left: the letters of a line then come
in reverse. What betrays them: final letters at the beginnings of words, and full stops at the
beginnings of lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from .lines import Line

_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_PRESENTATION = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]")
# Hebrew letters that end words only, and Arabic ones that hardly ever begin one.
_FINAL = "ךםןףץةى"
_ENDS_WITH = re.compile(f"[{_FINAL}](?![\u0590-\u06ff])")
_BEGINS_WITH = re.compile(f"(?<![\u0590-\u06ff])[{_FINAL}](?=[\u0590-\u06ff])")
# Runs that are read from the left inside right-to-left text: words of other scripts and numbers.
_LEFT_TO_RIGHT = re.compile(r"[^\W\u0590-\u08ff_](?:[\w.,:/@%+-]*[^\W\u0590-\u08ff_]%?)?")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def is_rtl(text: str) -> bool:
    """Return whether most letters of ``text`` are read from the right."""
    found = len(_RTL.findall(text))
    return found > 0 and found * 2 >= sum(character.isalpha() for character in text)


def mend(lines: Iterable[Line]) -> bool:
    """Turn the reversed lines of one document round; return whether they were."""
    written = [line for line in lines if not line.text.isascii() and _RTL.search(line.text)]
    for line in written:
        if _PRESENTATION.search(line.text):
            line.text = unicodedata.normalize("NFKC", line.text)
    ends = sum(len(_ENDS_WITH.findall(line.text)) for line in written)
    begins = sum(len(_BEGINS_WITH.findall(line.text)) for line in written)
    if begins <= ends:
        return False
    for line in written:
        line.text = reversed_line(line.text)
    return True


def reversed_line(text: str) -> str:
    """Return a line in visual order in logical order; numbers and foreign words stay readable."""
    turned = text[::-1].translate(_MIRRORED)
    return _LEFT_TO_RIGHT.sub(lambda match: match[0][::-1], turned)
