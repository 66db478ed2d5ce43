"""The value of one text field of a JSON object that is still coming."""

from __future__ import annotations

from retrieval.llm.objects import THOUGHT
from retrieval.llm.storable import storable

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


class FieldReader:
    """Reads a top-level string field, character by character, whatever stands around the object.

    A field that comes twice is read the second time anew, as a JSON parser would.
    """

    def __init__(self, field: str) -> None:
        self._field = field
        self._before: str | None = ""  # the text before the object; None once inside of it
        self._depth = 0
        self._key = ""
        self._awaits_value = False
        self._string: list[str] | None = None
        self._escape = ""
        self._shown = False
        self._value: list[str] = []

    @property
    def value(self) -> str:
        """The field so far. Half a surrogate pair at its end waits for its other half."""
        pieces = self._value
        if pieces and "\ud800" <= pieces[-1] <= "\udbff" and self._string is pieces:
            pieces = pieces[:-1]
        return storable(
            "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )

    def feed(self, text: str) -> bool:
        """Take more of the reply; return whether the field grew."""
        if self._before is not None:
            text = self._enter(self._before, text)
        length, was = len(self._value), self._shown
        for character in text:
            self._take(character)
        return len(self._value) != length or self._shown != was

    def _enter(self, before: str, added: str) -> str:
        """Return the object's beginning, once it is there.

        Only a brace, or the end of a thought, can bring it: else nothing is looked at again.
        """
        text = self._before = before + added
        if "{" not in added and ">" not in added:
            return ""
        visible = THOUGHT.sub("", text)
        start = visible.find("{")
        thinking = visible.lstrip().startswith("<think")
        if start < 0 or thinking:
            return ""
        self._before = None
        return visible[start:]

    def _take(self, character: str) -> None:
        if self._string is not None:
            self._take_quoted(character)
        elif character == '"':
            self._begin_string()
        elif character in "{[":
            self._depth += 1
            self._awaits_value = False
        elif character in "}]":
            self._depth -= 1
        elif self._depth == 1 and character == ":":
            self._awaits_value = True
        elif self._depth == 1 and character == ",":
            self._awaits_value = False

    def _begin_string(self) -> None:
        self._string = []
        if self._depth == 1 and self._awaits_value and self._key == self._field:
            self._value = self._string
            self._shown = not self._shown

    def _take_quoted(self, character: str) -> None:
        assert self._string is not None  # noqa: S101 # for the type checker: _take looked
        if self._escape:
            self._take_escaped(character)
        elif character == "\\":
            self._escape = character
        elif character == '"':
            if self._depth == 1 and not self._awaits_value:
                self._key = "".join(self._string)
            self._string = None
        else:
            self._string.append(character)

    def _take_escaped(self, character: str) -> None:
        assert self._string is not None  # noqa: S101
        self._escape += character
        if self._escape[1] != "u":
            self._string.append(_ESCAPES.get(character, character))
            self._escape = ""
        elif len(self._escape) > 2 and character not in _HEXADECIMAL:
            self._escape = ""
        elif len(self._escape) == 6:
            self._string.append(chr(int(self._escape[2:], 16)))
            self._escape = ""
