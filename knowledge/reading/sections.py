"""Which section of one version is which of another: by place, by contents, by their parents.

Pure: `SectionRow` is all that is asked of the database.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.ingest.paths import parent_path
from knowledge.reading.alignment import increasing

_NUMBER = re.compile(
    r"^\W*(?:(?:\d+[a-z]?|[a-z])(?:\.\d+)*[.):]|\d+[a-z]?(?:\.\d+[a-z]?)*)\s+", re.I
)


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section, or the document as the first one. `own` is a digest of its own leaves, '' of none.

    `content_hash` covers title and all that stands below; `key` is the row's.
    """

    key: int
    path: str
    title: str
    ordinal: int
    content_hash: str
    own: str

    @property
    def parent(self) -> str:
        return parent_path(self.path)


@dataclass(frozen=True, slots=True)
class Pair:
    """A section in both versions; `is_moved` within its parent or to another one."""

    old: SectionRow
    new: SectionRow
    is_moved: bool

    @property
    def is_renamed(self) -> bool:
        return self.old.title != self.new.title

    @property
    def is_changed(self) -> bool:
        return self.old.own != self.new.own


def pair_sections(old: Sequence[SectionRow], new: Sequence[SectionRow]) -> list[Pair]:
    """Return the sections that both have, in the order of the new version.

    Both are in reading order. A section is the one at its place; else, below the same parent, one
    with its title but for the number in front; else one with the same contents under another title
    or parent.
    """
    matches = _at_their_place(old, new)
    taken = {section.path for section in matches.values()}
    titles = {(section.parent, _bare(section.title)): section for section in reversed(new)}
    bodies: defaultdict[str, list[SectionRow]] = defaultdict(list)
    for section, body in _bodies(new):
        if body and section.path not in taken:
            bodies[body].append(section)
    for section, body in _bodies(old):
        if section.path in matches:
            continue
        parent = matches.get(section.parent)
        found = titles.get((parent.path, _bare(section.title))) if parent else None
        if found is None or found.path in taken:
            found = next((one for one in bodies[body] if one.path not in taken), None)
        if found is not None:
            matches[section.path] = found
            taken.add(found.path)
    return _pairs(old, matches)


def _at_their_place(old: Sequence[SectionRow], new: Sequence[SectionRow]) -> dict[str, SectionRow]:
    places = {section.path: section for section in new}
    return {section.path: places[section.path] for section in old if section.path in places}


def _bare(title: str) -> str:
    """Return the title without the number in front, as inserting a section changes it."""
    return _NUMBER.sub("", title).casefold()


def _bodies(sections: Sequence[SectionRow]) -> list[tuple[SectionRow, str]]:
    """Return each section with a digest of what stands below its title, '' if nothing does."""
    below: defaultdict[str, list[str]] = defaultdict(list)
    for section in sections:
        below[section.parent].append(section.content_hash)
    return [(section, _digest([section.own, *below[section.path]])) for section in sections]


def _digest(parts: list[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest() if any(parts) else ""


def _pairs(old: Sequence[SectionRow], matches: dict[str, SectionRow]) -> list[Pair]:
    found = [(section, matches[section.path]) for section in old if section.path in matches]
    found.sort(key=lambda pair: pair[1].ordinal)
    staying = _staying(found, matches)
    return [Pair(before, after, after.path not in staying) for before, after in found]


def _staying(
    pairs: list[tuple[SectionRow, SectionRow]], matches: dict[str, SectionRow]
) -> set[str]:
    """Return the new paths of sections that kept their parent and their place among its others."""
    children: defaultdict[str, list[tuple[SectionRow, SectionRow]]] = defaultdict(list)
    root = pairs[0][1].path if pairs else ""
    staying = {root}
    for before, after in pairs:
        parent = matches.get(before.parent)
        if after.path != root and parent is not None and parent.path == after.parent:
            children[after.parent].append((before, after))
    for siblings in children.values():
        kept = increasing([before.ordinal for before, _ in siblings])
        staying |= {siblings[index][1].path for index in kept}
    return staying
