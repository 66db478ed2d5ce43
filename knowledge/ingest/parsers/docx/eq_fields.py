"""Fields whose instruction is what Word shows: EQ, an equation in a line, and SYMBOL.

Source: ECMA-376, part 1, 17.16.5, and Word's description of the field EQ.
"""

from __future__ import annotations

import re

from .equations import fraction, grouped, joined, root
from .symbols import symbol

_EQ = re.compile(r"\s*EQ\s", re.IGNORECASE)
_SYMBOL = re.compile(r"\s*SYMBOL\s+(0x[0-9a-f]{1,6}|\d{1,7})\b", re.IGNORECASE)
_FONT = re.compile(r'\\f\s+(?:"([^"]*)"|(\S+))', re.IGNORECASE)
_SWITCH = re.compile(r"\\([abdfilorsx])(?![a-z])|\\([abdfilorsx])(?=\\)", re.IGNORECASE)
_OPTION = re.compile(r"\s*\\([lrbf]c\\(.)|[a-z]{2})\s*(-?\d*)\s*", re.IGNORECASE)
# How a field looks; Word's phonetic guide is an EQ with the place of its reading: jc2.
_LOOK = re.compile(
    r'\s*\\\*\s+(?:"[^"]*"|(?:jc\d|hps\d+|(?:merge|char)format)\b)\s*', re.IGNORECASE
)
_GUIDE = re.compile(r"\\\*\s+jc\d", re.IGNORECASE)
_LONGEST = 4_000
_DEEPEST = 20
_ENDS = {"(": ")", "[": "]", "{": "}", "<": ">"}


def shown(instruction: str) -> str:
    """Return what Word shows of a field that keeps no result, '' for one of another kind."""
    found = _SYMBOL.match(instruction)
    if found:
        font = _FONT.search(instruction)
        code = int(found[1], 16 if found[1][:2].lower() == "0x" else 10)
        return symbol(code, (font[1] or font[2] or "") if font else "")
    begun = _EQ.match(instruction[:_LONGEST])
    if not begun:
        return ""
    equation = instruction[begun.end() : _LONGEST].strip()
    is_guide = _GUIDE.match(equation) is not None
    return " ".join(_Equation(_LOOK.sub(" ", equation).strip(), is_guide).read(0).split())


class _Equation:
    def __init__(self, text: str, is_guide: bool) -> None:
        self._text = text
        self._is_guide = is_guide
        self._at = 0
        # A country that has the comma in its numbers parts a list by semicolons.
        self._separator = ";" if ";" in text else ","

    def read(self, depth: int, ends: str = "") -> str:
        """Return what stands before the first of ``ends``, which stays to be read."""
        parts: list[tuple[str, bool]] = []
        plain = ""
        while self._at < len(self._text) and self._text[self._at] not in ends:
            switch = _SWITCH.match(self._text, self._at) if depth < _DEEPEST else None
            if switch:
                self._at = switch.end()
                kind = (switch[1] or switch[2]).lower()
                built = self._built(kind, depth)
                # A power stands on what is in front of it.
                parts += [(plain + built, True)] if kind == "s" else [(plain, False), (built, True)]
                plain = ""
            elif self._text[self._at] == "(":
                self._at += 1
                plain += f"({self.read(depth + 1, ')')})" if depth < _DEEPEST else "("
                self._at += depth < _DEEPEST
            else:
                # A backslash is in front of a sign that stands for itself.
                self._at += self._text[self._at] == "\\"
                plain += self._text[self._at : self._at + 1]
                self._at += 1
        return joined([*parts, (plain, False)])

    def _built(self, kind: str, depth: int) -> str:
        if kind == "s":
            return self._scripts(depth)
        begin, end = "(", ")"
        option = _OPTION.match(self._text, self._at)
        while option:
            self._at = option.end()
            if option[2]:
                sign, name = option[2], option[1][0].lower()
                begin = sign if name in "lb" else begin
                end = _ENDS.get(sign, sign) if name == "b" else sign if name == "r" else end
            option = _OPTION.match(self._text, self._at)
        parts = self._arguments(depth)
        if kind == "o" and self._is_guide and len(parts) == 2 and parts[0].startswith("^"):
            # A reading above a word stands in brackets behind it.
            reading = parts[0].removeprefix("^")
            return parts[1] + (reading if reading.startswith("(") else f"({reading})")
        return _composed(kind, parts, begin, end)

    def _scripts(self, depth: int) -> str:
        text = ""
        option = _OPTION.match(self._text, self._at)
        while option:
            self._at = option.end()
            words = ", ".join(self._arguments(depth))
            sign = {"up": "^", "do": "_"}.get(option[1].lower(), "")
            text += sign + grouped(words) if words and sign else words
            option = _OPTION.match(self._text, self._at)
        return text or ", ".join(self._arguments(depth))

    def _arguments(self, depth: int) -> list[str]:
        if self._text[self._at : self._at + 1] != "(":
            return []
        ends = self._separator + ")"
        self._at += 1
        found = [self.read(depth + 1, ends).strip()]
        while self._text[self._at : self._at + 1] == self._separator:
            self._at += 1
            found.append(self.read(depth + 1, ends).strip())
        self._at += 1
        return found


def _composed(kind: str, parts: list[str], begin: str, end: str) -> str:
    first, *others = parts or [""]
    if kind == "f" and others:
        return fraction(first, others[0])
    if kind == "r":
        return root(others[0], first) if others else root(first)
    if kind == "b":
        return begin + ", ".join(parts) + end
    if kind == "i" and len(others) == 2:
        return f"∫_{grouped(first)}^{grouped(others[0])} {others[1]}"
    return {"a": "; ", "o": ""}.get(kind, ", ").join(parts)
