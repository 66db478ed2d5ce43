"""Titles turned into path components, one unique name per sibling."""

from __future__ import annotations

import re
import unicodedata

MAX_LENGTH = 60
FALLBACK = "section"

# One letter and digits (p3, t1, f2, c5, s2) name leaves, chunks and sentences, never a section.
_RESERVED = re.compile(r"[a-z][0-9]+\Z")


def slug(title: str) -> str:
    """Return ``title`` as a path component: NFC, case-folded, letters and digits of any script.

    Everything else becomes single hyphens. At most 60 characters, cut at a hyphen where there is
    one in the second half; 'section' when nothing is left; never the name of a leaf.
    """
    folded = _fold(title[: MAX_LENGTH * 8])
    parts = "".join(_kept(character) for character in folded).split()
    name = _cut("-".join(part for part in map(_without_leading_marks, parts) if part))
    if not name:
        return FALLBACK
    return f"{name}-{FALLBACK}" if _RESERVED.match(name) else name


def is_slug(component: str) -> bool:
    """Return whether ``component`` is spelled the way `slug` and `SiblingNames` spell names."""
    if not component or component.startswith("-") or component.endswith("-"):
        return False
    kinds = {unicodedata.category(character)[0] for character in component if character != "-"}
    return kinds <= set("LMN") and unicodedata.is_normalized("NFC", component)


class SiblingNames:
    """Hands out slugs that are unique among the children of one parent."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        # The next number to try per base, so that ten thousand equal titles stay linear.
        self._next: dict[str, int] = {}

    def claim(self, title: str) -> str:
        """Return the slug of ``title``, followed by -2, -3 ... when a sibling has it already."""
        base = slug(title)
        name = base
        number = self._next.get(base, 2)
        while name in self._taken:
            name = f"{base}-{number}"
            number += 1
        self._next[base] = number
        self._taken.add(name)
        return name


def _fold(title: str) -> str:
    """Return ``title`` case-folded in NFC, until a further pass changes nothing (UAX 15, D145)."""
    text = unicodedata.normalize("NFC", title)
    for _ in range(4):
        folded = unicodedata.normalize("NFC", text.casefold())
        if folded == text:
            break
        text = folded
    return text


def _kept(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] in "LMN":
        return character
    # Joiners, direction marks and soft hyphens stand inside words and are invisible.
    return "" if category == "Cf" else " "


def _without_leading_marks(part: str) -> str:
    while part and unicodedata.category(part[0])[0] == "M":
        part = part[1:]
    return part


def _cut(name: str) -> str:
    name = unicodedata.normalize("NFC", name)
    if len(name) <= MAX_LENGTH:
        return name
    cut = name.rfind("-", MAX_LENGTH // 2, MAX_LENGTH + 1)
    return name[:cut] if cut > 0 else name[:MAX_LENGTH]
