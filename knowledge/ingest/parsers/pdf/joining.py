"""Lines joined to running text: hyphens at line ends, scripts without spaces."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SOFT = "\u00ad"
_HYPHENS = f"-{_SOFT}\u2010"
_BROKEN = re.compile(rf"([^\W\d_]+)[{_HYPHENS}]\Z")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# Han, kana and their punctuation; Korean has spaces between its words.
_CJK = re.compile("[\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")

_LONGEST_WORD = 100


class Joiner:
    """Joins the lines of one document, whose own words tell a hyphen from a compound's."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._words: set[str] | None = None

    def joined(self, lines: Sequence[str]) -> str:
        """Return ``lines`` as one line of running text."""
        text = lines[0]
        for line in lines[1:]:
            last = text[-1:]
            if last in _HYPHENS and last:
                text = self._over_hyphen(text, line)
            elif not line.isascii() and _CJK.match(line) and _CJK.match(last):
                text += line
            else:
                text += " " + line
        # Within a line nobody sees it; at the end it may be joined over once more.
        return text[:-1].replace(_SOFT, "") + text[-1:]

    def _over_hyphen(self, text: str, line: str) -> str:
        # Only its last word: the pattern would try every place of a long text.
        before, after = _BROKEN.search(text[-_LONGEST_WORD:]), _FIRST_WORD.match(line)
        if text.endswith(_SOFT):
            return text[:-1] + line
        if not before:
            # "2019-" goes on without a space; a dash with a space before it does not.
            return text + line if text[-2:-1].isalnum() else f"{text} {line}"
        if not after or not after[0][0].islower():
            return text + line
        return (text if self._is_compound(before[1], after[0]) else text[:-1]) + line

    def _is_compound(self, first: str, second: str) -> bool:
        """Return whether the hyphen between the two halves is one they have anywhere."""
        words = self._vocabulary()
        first, second = first.casefold(), second.casefold()
        if first + second in words:
            return False
        if f"{first}-{second}" in words:
            return True
        return len(first) > 2 and len(second) > 2 and first in words and second in words

    def _vocabulary(self) -> set[str]:
        if self._words is None:
            whole = [text for text in self._texts if not text.endswith(tuple(_HYPHENS))]
            words = set(_WORD.findall("\n".join(whole).casefold()))
            for text in self._texts:
                if text.endswith(tuple(_HYPHENS)):
                    # The last word may be half a word.
                    words.update(_WORD.findall(text.casefold())[:-1])
            self._words = words
        return self._words
