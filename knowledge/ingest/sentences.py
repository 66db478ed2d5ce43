"""Sentences as spans, through ``sentencex``, with the abbreviations of technical prose."""

from __future__ import annotations

import re
from collections.abc import Iterator

import sentencex

from .abbreviations import continues
from .note_marks import MARK
from .tokens import trimmed
from .tree import Span

# sentencex is quadratic in unmatched opening quotes (measured: 100,000 of them take 4.7 s), so it
# sees this many characters at a time, and none of a window that holds more quotes than prose does.
_WINDOW = 8_000
_MOST_QUOTES = 200
_LATIN = {"", "und", "en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "tr"}
_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_QUOTES = re.compile(r"[\"'“”„«»‘’「」『』(（\[{]")
# The end of a sentence with the mark of a note behind it, which belongs to it.
_NOTED_END = re.compile(
    rf"[.!?…。！？][\"'”’»）)\]]{{0,3}}(?:{MARK.pattern}){{1,5}}(?=\s+[^\s\W_a-z]|\s*\Z|[\u3400-\u9fff])"
)
_NOTE_MARKS = re.compile(rf"(?:{MARK.pattern})+")
_END = re.compile(r"[.!?。！？．…؟۔।॥։።፧·;]|\n[ \t]*\n")


def sentence_spans(text: str, language: str) -> tuple[Span, ...]:
    """Return the sentences of ``text``, a paragraph, in order and without overlap.

    They are trimmed and cover every non-space character. ``language`` is an ISO 639-1 code;
    unknown ones are cut like English. Linear in the length of ``text``.
    """
    language = _written_in(text, language)
    spans: list[Span] = []
    for piece in _cut_at_notes(text, _pieces(text, language)):
        span = trimmed(text, piece)
        if not len(span):
            continue
        if spans and _NOTE_MARKS.fullmatch(text, span.start, span.end):
            spans.append(Span(spans.pop().start, span.end))
            continue
        if spans and continues(text, spans[-1], span, language):
            span = Span(spans.pop().start, span.end)
        spans.append(span)
    return tuple(spans)


def _written_in(text: str, language: str) -> str:
    """Return the language to cut in: a Russian paragraph may stand in an English document."""
    if language in _LATIN and 2 * len(_CYRILLIC.findall(text[:_WINDOW])) > len(text[:_WINDOW]):
        return "ru"
    return "en" if language in ("", "und") else language


def _pieces(text: str, language: str) -> Iterator[Span]:
    """Yield spans that tile ``text``; a window's last piece is seen again with what follows."""
    start = 0
    while start < len(text):
        window = text[start : start + _WINDOW]
        lengths = _lengths(window, language)
        whole = start + len(window) == len(text)
        kept = lengths if whole or len(lengths) == 1 else lengths[:-1]
        for length in kept:
            yield Span(start, start + length)
            start += length


def _cut_at_notes(text: str, pieces: Iterator[Span]) -> Iterator[Span]:
    """Yield ``pieces`` cut behind the notes of sentences that end in them, or in front of them."""
    for piece in pieces:
        start = piece.start
        if marks := _NOTE_MARKS.match(text, start, piece.end):
            yield Span(start, marks.end())
            start = marks.end()
        for end in _NOTED_END.finditer(text, start, piece.end):
            yield Span(start, end.end())
            start = end.end()
        if start < piece.end:
            yield Span(start, piece.end)


def _lengths(window: str, language: str) -> list[int]:
    if not _END.search(window):
        return [len(window)]
    if len(window) > _MOST_QUOTES and len(_QUOTES.findall(window)) > max(
        _MOST_QUOTES, len(window) // 10
    ):
        return _simple_lengths(window)
    parts = sentencex.segment(language, window)
    lengths = [len(part) for part in parts]
    # Its parts tile the text; should a release stop doing so, offsets would silently be wrong.
    return lengths if "".join(parts) == window else _simple_lengths(window)


def _simple_lengths(window: str) -> list[int]:
    """Return lengths cut after a full stop and white space, wherever it stands."""
    ends = [match.end() for match in re.finditer(r"[.!?。！？]\s+", window)]
    if not ends or ends[-1] != len(window):
        ends.append(len(window))
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]
