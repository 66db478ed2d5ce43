"""YAML front matter: found, kept apart, and asked for a title only."""

from __future__ import annotations

import re

# A block longer than this many lines is a document that opens with a rule.
_MOST_LINES = 400
_FENCE = re.compile(r"---[ \t]*\Z")
_CLOSE = re.compile(r"(?:---|\.\.\.)[ \t]*\Z")
_KEY = re.compile(
    r"[^\s:#\-\[{&*!|>'%@`\"][^:\n]{0,80}:(?:\s|\Z)|[\"'][^\"'\n]{1,80}[\"']\s*:(?:\s|\Z)"
)
_INSIDE = re.compile(r"\s|#|- |-\Z|[\]}]")
_TITLE = re.compile(r"title[ \t]*:[ \t]+(.+)\Z", re.IGNORECASE)


def front_matter_lines(text: str) -> int:
    """Return how many lines at the top of ``text`` are front matter, fences included; 0 if none.

    Between the fences stand only YAML keys and what belongs to them; or, without a blank line,
    anything that begins with a key: YAML that somebody broke. Prose between two rules, and a rule
    without a second one, are no front matter.
    """
    stop = fenced_lines(text)
    inside = text.split("\n", stop)[1 : stop - 1] if stop else []
    keys = 0
    broken = False
    for line in inside:
        if _KEY.match(line):
            keys += 1
        elif line and not (keys and _INSIDE.match(line)) and not line.startswith("#"):
            broken = True
    if broken:
        return stop if _KEY.match(inside[0]) and all(map(str.strip, inside)) else 0
    return stop if keys else 0


def fenced_lines(text: str) -> int:
    """Return how many lines at the top stand from one fence to the next, both included, else 0."""
    lines = text.split("\n", _MOST_LINES)[:_MOST_LINES]
    if not _FENCE.match(lines[0]):
        return 0
    closing = (number for number, line in enumerate(lines[1:], 1) if _CLOSE.match(line))
    return next(closing, -1) + 1


def front_matter_title(block: str) -> str:
    """Return the value of the top-level key ``title`` of a front matter block, '' without one."""
    for line in block.split("\n"):
        match = _TITLE.match(line)
        if match:
            return _scalar(match[1].strip())
    return ""


def _scalar(value: str) -> str:
    if value[:1] in ("'", '"'):
        end = value.find(value[0], 1)
        return " ".join(value[1 : end if end > 0 else None].split())
    if value[:1] in ("|", ">", "[", "{", "&", "*", "!"):
        return ""
    return " ".join(re.split(r"\s#", value)[0].split())
