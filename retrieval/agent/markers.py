"""Markers of an answer: the ``[n]`` that point at quotes, in whatever way a model writes them.

Marks of footnotes (``[^1]``), which a model copies from the passages, go with the unverified ones.

What is written and what is removed is decided on the text that will be shown: taking one marker
away may make another of what stood around it, so it is looked at again until none is left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from knowledge.ingest.note_marks import MARK
from retrieval.agent.answer_markdown import code_of

Choice = Callable[[tuple[int, ...]], tuple[int, ...]]

# One class of separators, and every repetition bounded or unambiguous: a reply may be made so that
# a pattern which can match in several ways takes for ever, and `re` holds the whole process.
_SPACE = r"[^\S\n]{0,3}"
_NUMBERS = r"E?\d{1,3}(?:[\s,;，、–-]{1,20}E?\d{1,3})*"
# A model may write a marker as a link, or, when it is a Chinese one, as 【1】 or 【1†source】.
_SQUARE = rf"\[{_SPACE}(?P<square>{_NUMBERS}){_SPACE}\](?:\([^()\s]{{0,2000}}\))?"
_LENS = rf"【{_SPACE}(?P<lens>{_NUMBERS}){_SPACE}(?:[†:][^\[\]【】\ue000-\ue003]{{0,100}})?】"
# The mark of a footnote that was copied with the sentence it stands in: no marker, and no number.
_MARKER = re.compile(rf"{_SQUARE}|{_LENS}|{MARK.pattern}")
_UNFINISHED = re.compile(r"[ \t]{0,20}[\[【][^\]】\n]{0,20}\Z")
_RANGE = re.compile(r"(\d+)\s*[-–]\s*E?(\d+)|(\d+)")
_LONGEST_RANGE = 20
# Brackets that a browser would show as brackets.
_OPENING = re.compile(r"(?<!\\)&(?:#0{0,5}91|#x0{0,5}5b|lsqb|lbrack);", re.IGNORECASE)
_CLOSING = re.compile(r"(?<!\\)&(?:#0{0,5}93|#x0{0,5}5d|rsqb|rbrack);", re.IGNORECASE)
# While it is worked on, a marker that stays is U+E000 n U+E001, one to be decided U+E002 n U+E003.
_RESERVED = re.compile("[\ue000-\ue003]")
_KEPT = re.compile("\ue000(\\d+)\ue001")
_OPEN = re.compile("\ue002(\\d+)\ue003")
_MOST_PASSES = 5
_NO_BRACKETS = dict.fromkeys(map(ord, "[]【】"))


def marker_numbers(answer: str) -> tuple[int, ...]:
    """Return the numbers of the markers of ``answer``, each once, in order of appearance.

    Markers are ``[3]``, ``[5,7]``, ``[2-4]``, ``[E3]`` and ``【3】``; none in code and none with an
    escaped bracket.
    """
    numbers: list[int] = []

    def collect(found: tuple[int, ...]) -> tuple[int, ...]:
        numbers.extend(found)
        return found

    _replaced(_prepared(answer), collect)
    return tuple(dict.fromkeys(numbers))


def strip_unverified_markers(answer: str, verified: Collection[int]) -> str:
    """Return ``answer`` with every marker written ``[n]`` and those not in ``verified`` gone."""
    return _with_markers(answer, lambda found: tuple(n for n in found if n in verified))


def renumbered(answer: str, numbers: dict[int, int]) -> str:
    """Return ``answer`` with marker ``[n]`` as ``[numbers[n]]``; others are removed."""
    return _with_markers(answer, lambda found: tuple(numbers[n] for n in found if n in numbers))


def without_markers(answer: str) -> str:
    """Return ``answer`` with no markers at all."""
    return _with_markers(answer, lambda found: ())


def growing(answer: str) -> str:
    """Return an answer that is still being written, without markers and without half of one."""
    return without_markers(_UNFINISHED.sub("", answer))


def escaped(text: str) -> str:
    """Return source text as Markdown that shows it literally and holds no marker.

    A paper's own "[5]" in a quoted sentence would otherwise be taken for a citation of ours.
    """
    text = re.sub(r"([\\`*<\[\]【】]|&(?=#|[a-zA-Z]{2,8};))", _escape, text)
    # Inside a word an underscore means nothing to Markdown, and SL_420 reads better without.
    return re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", text)


def _escape(match: re.Match[str]) -> str:
    return {"【": "［", "】": "］"}.get(match[0], "\\" + match[0])


def _with_markers(answer: str, choose: Choice) -> str:
    text = _replaced(_prepared(answer), choose)
    for _ in range(_MOST_PASSES):
        before, text = text, _replaced(text, lambda found: ())
        if text == before:
            break
    else:  # nested on and on: made to be looked at for ever
        text = text.translate(_NO_BRACKETS)
    return _KEPT.sub(r"[\1]", text)


def _prepared(answer: str) -> str:
    return _CLOSING.sub("]", _OPENING.sub("[", _RESERVED.sub("\ufffd", answer)))


def _replaced(text: str, choose: Choice) -> str:
    """Return the text with each marker outside of code as ``choose`` says."""
    matches = [match for match in _MARKER.finditer(text) if not _is_escaped(text, match.start())]
    if not matches:
        return text
    in_code = {int(number) for number in _OPEN.findall(code_of(_numbered(text, matches)))}
    pieces: list[str] = []
    end = 0
    after_marker = False
    for number, match in enumerate(matches):
        if number in in_code:
            continue
        chosen = choose(_listed(match["square"] or match["lens"] or ""))
        before = text[end : match.start()]
        pieces.append(before if chosen else _without_space(before, after_marker))
        pieces.extend(f"\ue000{one}\ue001" for one in chosen)
        end, after_marker = match.end(), True
    return "".join([*pieces, text[end:]])


def _numbered(text: str, matches: list[re.Match[str]]) -> str:
    """Return the text with the n-th marker as U+E002 n U+E003."""
    pieces: list[str] = []
    end = 0
    for number, match in enumerate(matches):
        pieces += [text[end : match.start()], f"\ue002{number}\ue003"]
        end = match.end()
    return "".join([*pieces, text[end:]])


def _is_escaped(text: str, at: int) -> bool:
    before = text[max(0, at - 1000) : at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _without_space(before: str, after_marker: bool) -> str:
    """Return what stands before a marker that goes, without the space, and the comma, that go
    with it."""
    kept = before.rstrip(" \t")
    if after_marker and kept.strip(" \t") in (",", ";"):
        return ""
    return kept


def _listed(numbers: str) -> tuple[int, ...]:
    found: list[int] = []
    for first, last, single in _RANGE.findall(numbers):
        if single:
            found.append(int(single))
        else:
            low, high = int(first), int(last)
            found.extend(range(low, min(high, low + _LONGEST_RANGE) + 1))
    return tuple(dict.fromkeys(found))
