"""Two versions of a document compared: by section, by paragraph, by word."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.postgres.aggregates import StringAgg
from django.db.models import Value
from django.db.models.functions import MD5, Left

from knowledge.ingest.paths import parent_path
from knowledge.ingest.tree import NodeKind
from knowledge.models import DocumentVersion, Node
from knowledge.models.nodes import CONTAINERS
from knowledge.reading.alignment import differences
from knowledge.reading.leaves import Markup
from knowledge.reading.readable import readable
from knowledge.reading.sections import Pair, SectionRow, pair_sections
from knowledge.reading.word_diff import LONGEST, Piece, row_diff, word_diff

MOST_SECTIONS = 200
"""Sections listed in one comparison; `total` counts the others."""

MOST_EDITS = 200
"""Paragraphs shown word by word in one comparison."""

MOST_CHARACTERS = 400_000
"""Characters of all wordings that are compared word by word in one comparison."""

_Leaf = tuple[int, str]
_Keys = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class _Text:
    """A leaf's text, and as it is compared and shown."""

    text: str
    shown: str
    is_table: bool


_NOTHING = _Text("", "", False)


@dataclass(frozen=True, slots=True)
class _Row:
    """A section that is listed; `at` is its place in the new version, or between two there."""

    at: float
    kinds: tuple[str, ...]
    before: SectionRow | None
    after: SectionRow | None

    @property
    def differs(self) -> bool:
        """Whether its own leaves do."""
        return (self.before.own if self.before else "") != (self.after.own if self.after else "")


@dataclass(frozen=True, slots=True)
class Edit:
    """A paragraph, list or table as it was and as it is; `pieces` are its words, together.

    `old` is '' for one that was added, `new` for one that was removed. Cut after `LONGEST`
    characters, which `is_cut` says.
    """

    old: str
    new: str
    pieces: tuple[Piece, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class SectionChange:
    """What became of a section: `kinds` of added, removed, renamed, moved and changed.

    `headings` are the titles from the top to the section, in the newer version if it is there.
    `old_ordinal` and `new_ordinal` open it in each version, None where it is not. `left_out` counts
    changed paragraphs that are not shown.
    """

    kinds: tuple[str, ...]
    path: str
    headings: tuple[str, ...]
    old_title: str
    old_ordinal: int | None
    new_ordinal: int | None
    edits: tuple[Edit, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """`counts` of sections by kind over the whole document, `changes` the first ones of `total`."""

    old: DocumentVersion
    new: DocumentVersion
    changes: tuple[SectionChange, ...]
    counts: dict[str, int]
    total: int


def versions_compare(old: DocumentVersion, new: DocumentVersion) -> Comparison:
    """Return what changed from one version of a document to another, in seven queries at most.

    Time and size are bounded: what goes beyond the limits of this module is counted, not shown.
    """
    before, after = _sections(old), _sections(new)
    rows = _rows(before, after)
    shown = rows[:MOST_SECTIONS]
    titles = [{section.path: section.title for section in side} for side in (before, after)]
    changes = tuple(
        _change(row, titles, *edits)
        for row, edits in zip(shown, _edits(shown, [old, new]), strict=True)
    )
    counts = Counter(kind for row in rows for kind in row.kinds)
    return Comparison(old, new, changes, dict(counts), len(rows))


def _rows(before: list[SectionRow], after: list[SectionRow]) -> list[_Row]:
    """Return what changed in the order of the new version, with what is gone where it stood."""
    pairs = pair_sections(before, after)
    kept = {pair.new.path for pair in pairs}
    rows = [
        _Row(pair.new.ordinal, kinds, pair.old, pair.new)
        for pair in pairs
        if (kinds := _kinds(pair))
    ]
    rows += [
        _Row(section.ordinal, ("added",), None, section)
        for section in after
        if section.path not in kept
    ]
    places = {pair.old.path: pair.new.ordinal for pair in pairs}
    at = 0
    for section in before:
        at = places.get(section.path, at)
        if section.path not in places:
            rows.append(_Row(at + 0.5, ("removed",), section, None))
    return sorted(rows, key=lambda row: row.at)


def _kinds(pair: Pair) -> tuple[str, ...]:
    kinds = {"renamed": pair.is_renamed, "moved": pair.is_moved, "changed": pair.is_changed}
    return tuple(kind for kind, holds in kinds.items() if holds)


def _sections(version: DocumentVersion) -> list[SectionRow]:
    """Return the sections in reading order, the document first, in two queries."""
    nodes = Node.objects.filter(version=version)
    own = dict(
        nodes.leaves()
        .order_by()
        .values_list("parent_id")
        .annotate(digest=MD5(StringAgg("content_hash", Value(","), order_by="ordinal")))
    )
    rows = nodes.filter(kind__in=CONTAINERS).order_by("ordinal")
    return [
        SectionRow(key, path, title, ordinal, content_hash, own.get(key, ""))
        for key, path, title, ordinal, content_hash in rows.values_list(
            "pk", "path", "title", "ordinal", "content_hash"
        )
    ]


def _edits(rows: list[_Row], versions: list[DocumentVersion]) -> list[tuple[tuple[Edit, ...], int]]:
    """Return for each section its changed paragraphs, and how many were left out."""
    differing = [section for row in rows if row.differs for section in (row.before, row.after)]
    leaves = _leaves(section for section in differing if section is not None)
    wanted = [_changed_leaves(_of(leaves, row.before), _of(leaves, row.after)) for row in rows]
    room = MOST_EDITS
    shown = []
    for pairs in wanted:
        shown.append(pairs[:room])
        room -= len(shown[-1])
    keys = (key for pairs in shown for pair in pairs for key in pair if key is not None)
    texts = _texts(keys, {version.pk: Markup.of_parser(version.parser) for version in versions})
    budget = _Budget()
    result = []
    for pairs, kept in zip(wanted, shown, strict=True):
        edits = [budget.edit(texts, *pair) for pair in kept]
        found = tuple(edit for edit in edits if edit is not None)
        result.append((found, len(pairs) - len(found)))
    return result


def _of(leaves: dict[int, list[_Leaf]], section: SectionRow | None) -> list[_Leaf]:
    return leaves.get(section.key, []) if section else []


def _leaves(sections: Iterable[SectionRow]) -> dict[int, list[_Leaf]]:
    """Return key and hash of the sections' own leaves, by the section, in reading order."""
    found: defaultdict[int, list[_Leaf]] = defaultdict(list)
    rows = Node.objects.filter(parent_id__in=[row.key for row in sections]).leaves()
    for parent, key, digest in rows.order_by("ordinal").values_list(
        "parent_id", "pk", "content_hash"
    ):
        found[parent].append((key, digest))
    return found


def _changed_leaves(before: list[_Leaf], after: list[_Leaf]) -> list[_Keys]:
    """Return the keys of leaves that differ, old and new side by side where both are there."""
    found: list[_Keys] = []
    for part in differences([digest for _, digest in before], [digest for _, digest in after]):
        olds = [key for key, _ in before[part.old_start : part.old_end]]
        news = [key for key, _ in after[part.new_start : part.new_end]]
        for index in range(max(len(olds), len(news))):
            found.append((_at(olds, index), _at(news, index)))
    return found


def _at(keys: list[int], index: int) -> int | None:
    return keys[index] if index < len(keys) else None


def _texts(keys: Iterable[int], markups: dict[int, Markup]) -> dict[int, _Text]:
    """Return the texts by key, each with one character more than is shown.

    `markups` are how the versions are written, by their keys.
    """
    rows = Node.objects.filter(pk__in=list(keys)).annotate(shown=Left("text", LONGEST + 1))
    return {
        key: _Text(text, readable(kind, text, markups[version]), kind == NodeKind.TABLE)
        for key, text, kind, version in rows.values_list("pk", "shown", "kind", "version_id")
    }


class _Budget:
    """Hands out edits until their texts together are too long."""

    def __init__(self) -> None:
        self._left = MOST_CHARACTERS

    def edit(self, texts: dict[int, _Text], old: int | None, new: int | None) -> Edit | None:
        before, after = texts.get(old or 0, _NOTHING), texts.get(new or 0, _NOTHING)
        self._left -= len(before.text) + len(after.text)
        if self._left < 0:
            return None
        cut = max(len(before.text), len(after.text)) > LONGEST
        compared = row_diff if before.is_table or after.is_table else word_diff
        pieces = compared(before.shown, after.shown)
        return Edit(before.text[:LONGEST], after.text[:LONGEST], pieces, cut)


def _change(
    row: _Row, titles: list[dict[str, str]], edits: tuple[Edit, ...], left_out: int
) -> SectionChange:
    before, after = row.before, row.after
    section = after or before
    assert section is not None  # noqa: S101  one of the two is there
    return SectionChange(
        kinds=row.kinds,
        path=section.path,
        headings=_headings(section, titles[1 if after else 0]),
        old_title=before.title if before else "",
        old_ordinal=before.ordinal if before else None,
        new_ordinal=after.ordinal if after else None,
        edits=edits,
        left_out=left_out,
    )


def _headings(section: SectionRow, titles: dict[str, str]) -> tuple[str, ...]:
    """Return the titles down to the section, the document's own left out but for itself."""
    found, path = [section.title], parent_path(section.path)
    while path in titles:
        found.append(titles[path])
        path = parent_path(path)
    return tuple(reversed(found[:-1] if len(found) > 1 else found))
