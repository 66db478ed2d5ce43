"""Abstracts of documents and sections, bottom-up: what they are made from, and sentences of it.

A section's abstract is made from its own leaves and the abstracts of the sections below it. They
orient whoever looks for something and are no evidence: nothing in them is a place in the document.

The extractive ones are sentences chosen by SumBasic (Nenkova and Vanderwende 2005, "The impact of
frequency on summarization"), weighted by their position: what stands first introduces.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Protocol

from knowledge.lexical import terms

from .language import stop_words
from .note_marks import without_marks
from .readable_rows import readable_row, rule_line
from .sentences import sentence_spans
from .tree import NodeKind

MAX_WORDS = 60
EXTRACTIVE = "extractive"
SOURCE_CHARS = 12_000
"""The most of a section that its abstract is made from: some 3,000 tokens, its beginning."""

_FORMAT = "2"
"""Raised when equal sources should get other abstracts."""

_PROSE = (NodeKind.PARAGRAPH, NodeKind.LIST)

_FEWEST_WORDS = 4
"""Shorter ones are labels and list markers rather than sentences."""

# Two letters of a script without spaces say about as much as a word.
_DENSE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_DENSE_LETTER = re.compile(f"[{_DENSE}]")
_SPACED_WORD = re.compile(rf"(?:(?![{_DENSE}])\w)+(?:['’.,-](?:(?![{_DENSE}])\w)+)*")
_NO_SPACE_AFTER = re.compile(rf"[{_DENSE}。！？；：，]\Z")
_DENSE_END = re.compile(rf"[{_DENSE}]\Z")
_SENTENCE_END = re.compile(r"[.!?。！？．…؟۔।॥።][\"'”’»）)\]]*\Z")
_PAUSE = re.compile(r"[.!?:;,。！？：；，、．…؟۔।॥።][\"'”’»）)\]]*\Z")
_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\n]*\)")
_MARKER = re.compile(r"\A\s*(?:[-*+•>]+|\d{1,3}[.)])\s+")
_EMPHASIS = re.compile(r"\*\*|__|`+|(?<!\w)[*_](?=\w)|(?<=[\w.])[*_](?!\w)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, table row or line of code; ``place`` counts from 0 in its leaf or abstract.

    ``item`` says that it is one of a list, which needs no full stop.
    """

    text: str
    place: int = 0
    prose: bool = True
    item: bool = False

    @property
    def is_sentence(self) -> bool:
        """Whether it says something, rather than being a title, a label or a table's row."""
        if not self.prose or count_words(self.text) < _FEWEST_WORDS:
            return False
        return self.item or _SENTENCE_END.search(self.text[-10:]) is not None


@dataclass(frozen=True, slots=True)
class Below:
    """The abstract of a section below; not ``prose`` when it is made of rows or code."""

    text: str
    prose: bool = True


@dataclass(frozen=True, slots=True)
class Source:
    """What one abstract is made from, in reading order, at most `SOURCE_CHARS` of it."""

    title: str
    language: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return "\n".join(piece.text for piece in self.pieces)

    @property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, equal for sources that would get equal abstracts."""
        told = ([piece.text, piece.prose, piece.item] for piece in self.pieces)
        parts = [_FORMAT, self.title, self.language, *told]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    @property
    def is_prose(self) -> bool:
        """Whether anything in it is more than rows and code."""
        return any(piece.prose for piece in self.pieces)

    @property
    def is_short(self) -> bool:
        """Whether all of it fits into an abstract: no model could say it better."""
        return sum(count_words(piece.text) for piece in self.pieces) <= MAX_WORDS


@dataclass(frozen=True, slots=True)
class Written:
    """A writer's text and the tokens it took, None where that is unknown."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None


class WriterFailed(Exception):
    """No abstract came of it; the message says why."""


class AbstractWriter(Protocol):
    """A model that writes abstracts; safe to share between threads."""

    @property
    def name(self) -> str:
        """The model's name; stored with what it wrote."""
        ...

    def write(self, source: Source) -> Written:
        """Return an abstract in the source's language. Raises `WriterFailed`."""
        ...


def source_of(
    title: str, language: str, own: Sequence[Piece], below: Sequence[Below] = ()
) -> Source:
    """Return the source for a section from its ``own`` pieces and the abstracts ``below``.

    Where that is too much, the first sentence of each abstract stands for it.
    """
    pieces = [replace(piece, text=text) for piece in own if (text := plain(piece.text))]
    abstracts = [_sentences(one.text, language, prose=one.prose) for one in below]
    if sum(len(piece.text) for group in [pieces, *abstracts] for piece in group) > SOURCE_CHARS:
        abstracts = [group[:1] for group in abstracts]
        pieces = _cut(pieces, max(SOURCE_CHARS // 2, SOURCE_CHARS - 200 * len(abstracts)))
    return Source(title, language, tuple(_cut([*pieces, *chain(*abstracts)], SOURCE_CHARS)))


def pieces_of(text: str, spans: Sequence[tuple[int, int]], kind: str) -> list[Piece]:
    """Return a leaf's quotable units, whose spans index ``text``; all of it where there are none.

    Nothing behind the first `SOURCE_CHARS` is looked at. Rows have each cell after its header.
    """
    if kind == NodeKind.TABLE:
        return _rows(text, spans)
    prose, item = kind in _PROSE, kind == NodeKind.LIST
    if not spans:
        return [Piece(text[:SOURCE_CHARS], 0, prose, item)]
    return [
        Piece(text[start:end], place, prose, item)
        for place, (start, end) in enumerate(spans)
        if start < SOURCE_CHARS
    ]


def _rows(text: str, spans: Sequence[tuple[int, int]]) -> list[Piece]:
    head = text[:SOURCE_CHARS]
    written = head.splitlines()
    rule = rule_line(written)
    lines = [text[start:end] for start, end in spans if start < SOURCE_CHARS] or [
        line for place, line in enumerate(written) if place != rule
    ]
    return [Piece(readable_row(head, line), place, prose=False) for place, line in enumerate(lines)]


def extract(source: Source) -> str:
    """Return sentences of the source, `MAX_WORDS` at most, in reading order; '' if it has none.

    Other prose is taken where there is no sentence, rows and code where there is no prose. The same
    source gives the same text.
    """
    candidates = (
        [piece for piece in source.pieces if piece.is_sentence]
        or [piece for piece in source.pieces if piece.prose]
        or [*source.pieces]
    )
    if sum(count_words(piece.text) for piece in candidates) <= MAX_WORDS:
        return joined([piece.text for piece in candidates])
    telling = [piece for piece in candidates if count_words(piece.text) >= _FEWEST_WORDS]
    fitting = [piece for piece in telling if count_words(piece.text) <= MAX_WORDS]
    if not fitting:
        return fitted(joined([piece.text for piece in telling or candidates]))
    chosen = _chosen(fitting, source.language)
    return joined([fitting[index].text for index in sorted(chosen)])


def fitted(text: str) -> str:
    """Return a text on one line, cut after `MAX_WORDS`, at the end of a sentence if one is near."""
    text = " ".join(text.split())
    if count_words(text) <= MAX_WORDS:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count_words(text[:middle]) <= MAX_WORDS else (low, middle - 1)
    kept = text[:low]
    end = max(kept.rfind(mark) for mark in (". ", "! ", "? ", "。", "！", "？"))
    if end >= len(kept) // 2:
        return kept[: end + 1]
    if _DENSE_LETTER.search(kept[-1:]) is None and " " in kept:
        kept = kept.rpartition(" ")[0]
    return kept.rstrip(" ,;:") + "…"


def first_sentence(text: str, language: str) -> str:
    """Return the first sentence of a text as an abstract's place-holder."""
    found = _sentences(plain(text), language)
    return fitted(found[0].text) if found else ""


def count_words(text: str) -> int:
    """Return the words of a text; of scripts without spaces, two letters count as one."""
    dense = len(_DENSE_LETTER.findall(text))
    return len(_SPACED_WORD.findall(text)) + (dense + 1) // 2


def plain(text: str) -> str:
    """Return a passage on one line without the marks of Markdown that say nothing in a preview."""
    text = without_marks(text)
    text = _MARKER.sub("", _LINK.sub(r"\1", _IMAGE.sub("", text)))
    return " ".join(_EMPHASIS.sub("", text).split())


def joined(texts: Sequence[str]) -> str:
    """Return sentences as one line, with spaces where their script has some.

    What ends without a mark of its own is parted from the next by a semicolon, or by a full stop
    where it has semicolons inside, as rows have.
    """
    line = before = ""
    for text in texts:
        if line and not _PAUSE.search(line[-10:]):
            signs = "；。" if _DENSE_END.search(line) else ";."
            line += signs["; " in before]
        gap = "" if not line or _NO_SPACE_AFTER.search(line) else " "
        line += gap + text
        before = text
    return line


def _sentences(text: str, language: str, *, prose: bool = True) -> list[Piece]:
    spans = sentence_spans(text, language)
    return [Piece(span.of(text), place, prose) for place, span in enumerate(spans)]


def _cut(pieces: Sequence[Piece], characters: int) -> list[Piece]:
    kept: list[Piece] = []
    for piece in pieces:
        if characters <= 0:
            break
        kept.append(replace(piece, text=piece.text[:characters]))
        characters -= len(piece.text)
    return kept


def _chosen(candidates: Sequence[Piece], language: str) -> list[int]:
    """Return the indexes of the best candidates that fit together, the best first."""
    light = _light_terms(language)
    words = [
        [term for term in terms(piece.text, language) if term not in light] for piece in candidates
    ]
    counts = Counter(term for found in words for term in found)
    weights = {term: count / counts.total() for term, count in counts.items()}
    scores = [_score(piece, found, weights) for piece, found in zip(candidates, words, strict=True)]
    room = MAX_WORDS
    chosen: list[int] = []
    # Those below the average say little of what the section is about: better fewer words.
    average = sum(scores) / len(scores)
    left = {at for at, score in enumerate(scores) if score >= average * (1 - 1e-9)}
    while left:
        best = max(left, key=lambda at: (_score(candidates[at], words[at], weights), -at))
        left.discard(best)
        chosen.append(best)
        room -= count_words(candidates[best].text)
        for term in set(words[best]):
            # Said once, a word is worth less: the next sentence says something else.
            weights[term] **= 2
        said = {candidates[at].text for at in chosen}
        left = {
            at
            for at in left
            if count_words(candidates[at].text) <= room and candidates[at].text not in said
        }
    return chosen


def _score(piece: Piece, words: Sequence[str], weights: dict[str, float]) -> float:
    if not words:
        return 0.0
    mean = sum(weights[word] for word in words) / len(words)
    return mean * (1 + 1 / (1 + piece.place))


@cache
def _light_terms(language: str) -> frozenset[str]:
    return frozenset(terms(" ".join(stop_words(language)), language))
