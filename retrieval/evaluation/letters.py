"""A text's letters and digits: annotators retype white space, dashes and quotes."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Letters:
    """A text's letters and digits, case-folded, with where each stood in the text."""

    folded: str
    offsets: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Letters:
        """Return the letters and digits of ``text``."""
        kept = [
            (letter, at)
            for at, character in enumerate(text)
            for letter in character.casefold()
            if letter.isalnum()
        ]
        return cls("".join(letter for letter, _ in kept), tuple(at for _, at in kept))

    def find(self, passage: str) -> tuple[int, int] | None:
        """Return where the passage's letters stand among these, None if they do not."""
        wanted = folded_letters(passage)
        at = self.folded.find(wanted) if wanted else -1
        return None if at < 0 else (at, at + len(wanted))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the letters between two offsets of the text."""
        return bisect_left(self.offsets, start), bisect_left(self.offsets, end)


def folded_letters(text: str) -> str:
    """Return the letters and digits of ``text``, case-folded, in one word."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def overlaps(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Return whether two spans share at least half of the shorter one."""
    shared = min(a[1], b[1]) - max(a[0], b[0])
    return shared > 0 and 2 * shared >= min(a[1] - a[0], b[1] - b[0])
