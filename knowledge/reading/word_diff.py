"""Two wordings of a passage, word by word."""

import re
from dataclasses import dataclass
from typing import Literal

from knowledge.reading.alignment import differences

LONGEST = 20_000
"""Characters of a wording that are compared; what goes on beyond is left out."""

# A word, a sign, or one letter of a script that puts no spaces between words.
_WORD = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff]\s*|[^\W\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff]+\s*|[^\w\s]\s*|\s+")  # fmt: skip  # noqa: E501


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that both wordings have, or only the old or the new one."""

    kind: Literal["same", "removed", "added"]
    text: str


def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """Return the pieces of both wordings in reading order, at most `LONGEST` characters of each.

    The same and the added ones together are the new wording, the same and the removed ones the old
    one but for its white space.
    """
    old_words, new_words = _words(old), _words(new)
    pieces: list[Piece] = []
    at = 0
    for part in differences([w.strip() for w in old_words], [w.strip() for w in new_words]):
        pieces.append(Piece("same", "".join(new_words[at : part.new_start])))
        pieces.append(Piece("removed", "".join(old_words[part.old_start : part.old_end])))
        pieces.append(Piece("added", "".join(new_words[part.new_start : part.new_end])))
        at = part.new_end
    pieces.append(Piece("same", "".join(new_words[at:])))
    return tuple(piece for piece in pieces if piece.text)


def _words(text: str) -> list[str]:
    """Return the words, each with the white space behind it."""
    return _WORD.findall(text[:LONGEST])
