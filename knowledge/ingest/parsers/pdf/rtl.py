"""Right-to-left text in logical order.

Some programs write Hebrew and Arabic as it looks, from the left: the letters of a line then come
in reverse. What betrays them: final letters at the beginnings of words, and full stops at the
beginnings of lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from .lines import UPRIGHT, Line

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


def mend_runs(blocks: Sequence[dict[str, Any]], again: Callable[[], dict[str, Any]]) -> None:
    """Put the runs of right-to-left lines in the order in which they are read.

    Browsers draw the runs of a line from the left, each in its own order: the digits of a Hebrew
    sentence part it into pieces that come in reverse. ``again`` gives the page with its characters,
    and is asked only where there are such letters.
    """
    places = [
        (number, index)
        for number, block in enumerate(blocks)
        for index, line in enumerate(block.get("lines", ()))
        if line["dir"] == UPRIGHT
        and any(not span["text"].isascii() and _RTL.search(span["text"]) for span in line["spans"])
    ]
    if not places:
        return
    full = again()["blocks"]
    for number, index in places:
        signs = [sign for span in full[number]["lines"][index]["spans"] for sign in span["chars"]]
        spans = blocks[number]["lines"][index]["spans"]
        text = "".join(sign["c"] for sign in signs)
        # Where words were left out, there is less than was drawn.
        if text == "".join(span["text"] for span in spans) and is_rtl(text) and _is_parted(signs):
            spans[0]["text"] = _as_read(signs)
            for span in spans[1:]:
                span["text"] = ""


def _middle(sign: dict[str, Any]) -> float:
    return float(sign["bbox"][0] + sign["bbox"][2]) / 2


def _is_parted(signs: Sequence[dict[str, Any]]) -> bool:
    """Return whether runs from the right follow each other from the left."""
    runs: list[tuple[bool, list[float]]] = []
    inside = 0
    for sign in signs:
        if not sign["c"].isalnum():
            continue
        from_right = _is_from_right(sign["c"])
        if runs and runs[-1][0] == from_right:
            inside += from_right and (1 if _middle(sign) < runs[-1][1][-1] else -1)
            runs[-1][1].append(_middle(sign))
        else:
            runs.append((from_right, [_middle(sign)]))
    follows = any(max(before) < min(run) for (_, before), (_, run) in pairwise(runs))
    return inside > 0 and follows


def _is_from_right(sign: str) -> bool:
    return not sign.isdigit() and bool(_RTL.match(sign))


def _as_read(signs: Sequence[dict[str, Any]]) -> str:
    """Return the pieces of a line from the right; each is in its own order already."""
    pieces: list[list[dict[str, Any]]] = []
    for sign in signs:
        if pieces and pieces[-1][0]["c"].isalnum() and _goes_on(pieces[-1][-1], sign):
            pieces[-1].append(sign)
        else:
            pieces.append([sign])
    places = []
    for piece in pieces:
        # What stands behind a foreign word is in front of it for who reads from the right.
        end = len(piece)
        while end > 1 and not piece[end - 1]["c"].isalnum() and piece[end - 1]["c"] != "%":
            if _is_from_right(piece[0]["c"]):
                break
            end -= 1
        for part in (piece[:end], *([sign] for sign in piece[end:])):
            text = "".join(sign["c"] for sign in part)
            places.append((max(map(_middle, part)), text))
    places.sort(key=lambda place: -place[0])
    return "".join(text for _, text in places)


def _goes_on(before: dict[str, Any], sign: dict[str, Any]) -> bool:
    """Return whether ``sign`` is of one piece with ``before``: a word, or words from the left."""
    letter, last = sign["c"], before["c"]
    if unicodedata.combining(letter) or _is_from_right(letter):
        return _is_from_right(last) or bool(unicodedata.combining(last))
    is_part = not _is_from_right(last) and not unicodedata.combining(last)
    return is_part and _middle(sign) > _middle(before)
