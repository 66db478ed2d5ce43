"""How many headings of real documents are found: `python -m tests.measure_outlines [FOLDER]`.

Beside each FILE lies FILE.gold.json with its headings as [level, title, page]; those that lead out
of the document (page -1) are left out. A gold heading is found when a heading of the parser has the
same letters and digits, a number in front aside; it has the right depth when its parent among the
found ones is the gold's parent. A heading of the parser that is in no gold list is false, or deeper
when its level is below all that the list names: many lists end before the headings do.

PDF files whose gold are their own bookmarks are measured with them and without.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pymupdf

from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Refused
from knowledge.ingest.tree import Section

DEFAULT_FOLDER = Path("../shared/data/outlines")
Heading = tuple[int, str]
_NUMBER = re.compile(
    r"^(?:(?:chapter|annex|appendix|article|section)\s+)?"
    r"(?:[\dIVX]+|[A-Z]|(?<=\s)(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|thirteen|fourteen))(?:\.\d+)*[.:)]?\s+",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Score:
    """Counts over the files of one format."""

    gold: int = 0
    found: int = 0
    right_depth: int = 0
    given: int = 0
    false: int = 0
    deeper: int = 0

    def add(self, other: Score) -> None:
        """Add the counts of ``other``."""
        for name in ("gold", "found", "right_depth", "given", "false", "deeper"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def line(self, name: str) -> str:
        """Return the counts as a line of the report."""
        found, gold = self.found / max(1, self.gold), max(1, self.gold)
        return (
            f"{name:28} gold {self.gold:5} found {found:6.1%} at right depth "
            f"{self.right_depth / gold:6.1%} false {self.false / max(1, self.given):6.1%}"
            f" deeper {self.deeper / max(1, self.given):6.1%}"
        )


def main(folder: Path, *, verbose: bool) -> None:
    """Print one line per format, and per file when ``verbose``."""
    totals: dict[str, Score] = defaultdict(Score)
    for gold_file in sorted(folder.glob("*.gold.json")):
        source = folder / gold_file.name.removesuffix(".gold.json")
        gold = [
            (level, title)
            for level, title, *page in json.loads(gold_file.read_text("utf-8"))["headings"]
            if not page or page[0] != -1
        ]
        data = source.read_bytes()
        variants = [(source.suffix[1:], data)]
        if source.suffix == ".pdf":
            variants.append(("pdf without bookmarks", without_bookmarks(data)))
        for name, content in variants:
            try:
                found = list(headings(parse(content, source.name).root))
            except Refused as refusal:
                if refusal.verdict not in ("unsupported", "empty"):
                    raise
                continue
            score = compare(gold, found)
            totals[name].add(score)
            if verbose:
                print(score.line(f"{name[:7]} {source.name[:20]}"))
    for name, score in totals.items():
        print(score.line(name))


def without_bookmarks(data: bytes) -> bytes:
    """Return the PDF without its outline."""
    with pymupdf.open(stream=data, filetype="pdf") as document:
        document.set_toc([])
        return bytes(document.tobytes())


def headings(root: Section) -> Iterator[Heading]:
    """Yield (level, title) of every section, the root first when a heading of the text names it."""
    if root.heading:
        yield 0, root.title
    yield from _below(root, 1)


def _below(section: Section, level: int) -> Iterator[Heading]:
    for child in section.children:
        if isinstance(child, Section):
            yield level, child.title
            yield from _below(child, level + 1)


def compare(gold: Sequence[Heading], found: Sequence[Heading]) -> Score:
    """Return how ``found`` agrees with ``gold``, both in the order of the document."""
    pairs = list(matched(gold, found))
    parents_gold = _parents([gold[g][0] for g, _ in pairs])
    parents_found = _parents([found[f][0] for _, f in pairs])
    right = sum(a == b for a, b in zip(parents_gold, parents_found, strict=True))
    known = {fold(title) for _, title in gold}
    hit = {f for _, f in pairs}
    others = [
        level
        for number, (level, title) in enumerate(found)
        if number not in hit and fold(title) not in known
    ]
    deepest = max((found[f][0] for _, f in pairs), default=0)
    deeper = sum(level > deepest for level in others)
    return Score(len(gold), len(pairs), right, len(found), len(others) - deeper, deeper)


def matched(gold: Sequence[Heading], found: Sequence[Heading]) -> Iterator[tuple[int, int]]:
    """Yield pairs of indexes in order: the longest common subsequence of the folded titles."""
    a, b = [fold(title) for _, title in gold], [fold(title) for _, title in found]
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            same = best[i + 1][j + 1] + 1 if a[i] == b[j] else 0
            best[i][j] = max(same, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j] and best[i][j] == best[i + 1][j + 1] + 1:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1


def _parents(levels: Sequence[int]) -> list[int]:
    """Return the index of each heading's parent, -1 for none."""
    return [
        next((j for j in range(i - 1, -1, -1) if levels[j] < level), -1)
        for i, level in enumerate(levels)
    ]


def fold(title: str) -> str:
    """Return the letters and digits of a title without its number; the number when that is all."""
    bare = _NUMBER.sub("", title.strip()) or title
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", bare).casefold())


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "-v"]
    main(Path(arguments[0]) if arguments else DEFAULT_FOLDER, verbose="-v" in sys.argv)
