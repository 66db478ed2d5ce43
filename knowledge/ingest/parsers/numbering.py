"""The ways a line of plain text says that it is a heading, each as a pure test of one line.

Every test prefers a missed heading to a false one: a missed heading costs a level of the outline,
a false one tears a list or a sentence apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LONGEST = 100
_MOST_WORDS = 12
_MOST_UPPER_WORDS = 10

RULE = re.compile(r"[ \t]*([=\-~*^#\"_+.])\1{2,}[ \t]*\Z")
ITEM = re.compile(
    r"[ \t\u3000]*(?:[-*+•–·]|\d{1,3}(?:\.\d{1,3}){0,8}[.)]|[^\W\d_]\)|\(\w{1,4}\))"
    r"[ \t\u3000]+\S"
)

_NUMBERED = re.compile(r" {0,3}(\d{1,3}(?:\.\d{1,3}){0,8})(\.?)[ \t\u3000]+(\S.*?)\s*\Z")
_LETTERED = re.compile(r" {0,3}([A-Z](?:\.\d{1,3}){1,8})\.?[ \t]+(\S.*?)\s*\Z")
_KEYWORD = re.compile(
    r" {0,3}(chapter|section|part|appendix|article|annex|schedule|глава|раздел|часть|статья"
    r"|приложение|kapitel|abschnitt|teil|anhang|artikel|chapitre|partie|annexe|capítulo|sección)"
    r"[ \t]+(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}|[A-ZА-Я])(?!\w)[.:)]?[ \t]*[—–-]?"
    r"[ \t]*(.*?)\s*\Z",
    re.IGNORECASE,
)
_PARAGRAPH_SIGN = re.compile(r" {0,3}§[ \t]*\d{1,4}[a-z]?\.?[ \t]+(\S.*?)\s*\Z")
_CHINESE_PART = re.compile(
    r"[ \t\u3000]*第[〇零一二三四五六七八九十百千\d]{1,8}([编編卷部篇章节節条條])"
    r"[ \t\u3000]*(.*?)\s*\Z"
)
_CHINESE_COUNT = re.compile(
    r"[ \t\u3000]*(?:([一二三四五六七八九十]{1,3})、|[（(]([一二三四五六七八九十]{1,3})[）)])"
    r"\s*(\S.*?)\s*\Z"
)
_SENTENCE_END = re.compile(r"[.;:,!。；：，！、…][\"'»”)\]]?\Z")
_LEADER = re.compile(r"(?:\.{3,}|…|\s{2,}|\t)\s*\d+\s*\Z")
_COLUMNS = re.compile(r"\t|\S {2,}\S|\|")
_CODE = re.compile(r"[;{}=<>_\\|$@#*`~^]|\(\s*\Z|\A\s{4}|\A\t")
_CODE_WORD = re.compile(
    r"\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|FROM|WHERE|JOIN|GROUP BY|ORDER BY|BEGIN"
    r"|END|GOTO|PRINT|REM|SET|GRANT|COMMIT|ROLLBACK|IF|ELSE|THEN|FOR|WHILE|RETURN|MOV|JMP|GET|POST"
    r"|PUT|HTTP)\b"
)


# Styles that stand beside the largest parts of a text, and the styles of such parts.
APPENDED = ("appendix", "annex", "schedule", "приложение", "anhang", "annexe")
PARTS = ("chapter", "part", "глава", "раздел", "часть", "kapitel", "teil", "chapitre", "numbered")


@dataclass(frozen=True, slots=True)
class Mark:
    """What marks a line as a heading: a style, a depth within the style, and its numbers."""

    style: str
    title: str
    depth: int = 1
    numbers: tuple[int, ...] = ()
    dotted: bool = True


def mark_of(line: str) -> Mark | None:
    """Return how ``line`` is marked as a heading by its own words, None when it is not.

    The lines around it may still speak against it; see `headings`.
    """
    if len(line) > 2 * _LONGEST or not line.strip():
        return None
    return _chinese(line) or _keyword(line) or _numbered(line) or _upper(line)


def is_title(text: str) -> bool:
    """Return whether ``text`` could be a title: short, no sentence, no columns, no list item."""
    return (
        0 < len(text) <= _LONGEST
        and len(text.split()) <= _MOST_WORDS
        and not _SENTENCE_END.search(text)
        and not _LEADER.search(text)
        and not _COLUMNS.search(text)
        and any(character.isalnum() for character in text)
    )


def is_upper(line: str) -> bool:
    """Return whether ``line`` has at least three letters with case, all of them capitals."""
    return line.isupper() and sum(character.isupper() for character in line) >= 3


def _starts_a_title(text: str) -> bool:
    first = text.lstrip("\"'«“„([")[:1]
    return first.isalpha() and not first.islower()


def _numbered(line: str) -> Mark | None:
    match = _NUMBERED.match(line)
    if match:
        parts = match[1].split(".")
        numbers = tuple(int(part) for part in parts)
        padded = any(part != str(number) for part, number in zip(parts, numbers, strict=True))
        title = match[3].rstrip(".") if is_upper(match[3]) else match[3]
        if padded or not is_title(title) or not _starts_a_title(title):
            return None
        return Mark("numbered", line.strip(), len(parts), numbers, bool(match[2]))
    match = _LETTERED.match(line)
    if match and is_title(match[2]) and _starts_a_title(match[2]):
        return Mark("lettered", line.strip(), match[1].count(".") + 1)
    return None


def _keyword(line: str) -> Mark | None:
    match = _KEYWORD.match(line)
    style = match[1].lower() if match else "§"
    match = match or _PARAGRAPH_SIGN.match(line)
    if not match:
        return None
    rest = match[match.lastindex or 0]
    if rest and not (is_title(rest) and _starts_a_title(rest)):
        return None
    return Mark(style, line.strip())


def _chinese(line: str) -> Mark | None:
    match = _CHINESE_PART.match(line)
    if match:
        # An article is mostly followed by its own text on the same line.
        most = 20 if match[1] in "条條" else 40
        fits = len(match[2]) <= most and not re.search("[。；，：]", match[2])
        return Mark(match[1], line.strip()) if fits and not _LEADER.search(line) else None
    match = _CHINESE_COUNT.match(line)
    if match and len(match[3]) <= 30 and not re.search("[。；，：？！]", match[3]):
        return Mark("、" if match[1] else "（）", line.strip())
    return None


def _upper(line: str) -> Mark | None:
    if not is_upper(line) or _CODE.search(line) or _CODE_WORD.match(line) or ITEM.match(line):
        return None
    title = line.strip().removesuffix(":")
    letters = sum(character.isalpha() for character in title)
    long_word = any(len(word) >= 3 for word in re.findall(r"[^\W\d_]+", title))
    fits = is_title(title) and len(title.split()) <= _MOST_UPPER_WORDS and long_word
    return Mark("upper", title) if fits and letters * 10 >= len(title) * 6 else None
