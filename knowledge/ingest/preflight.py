"""Verdicts on a file before anything is paid for, and the sizes that are accepted.

Errors: `Refused`, with the verdict for the program and a sentence for the uploader.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from .tree import ParsedDocument

MEGABYTE = 1024 * 1024
"""As the setting, the upload page and Django's `filesizeformat` count it."""


TrackedChanges = Literal["accepted", "original", "marked"]
ParseMode = Literal["fast", "thorough"]
OcrMode = Literal["auto", "off"]


class Verdict(StrEnum):
    """What is known of a file; all but the last three of these end its ingestion."""

    ENCRYPTED = "encrypted"
    SCANNED = "scanned"
    GARBLED_FONT = "garbled_font"
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    BOMB = "bomb"
    UNSUPPORTED = "unsupported"
    BINARY = "binary"
    DAMAGED = "damaged"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
    OK = "ok"
    PARTLY_SCANNED = "partly_scanned"
    NO_HEADINGS = "no_headings"


class Refused(Exception):
    """A file that cannot be taken in; ``sentence`` says why and what would help."""

    def __init__(self, verdict: Verdict, sentence: str) -> None:
        super().__init__(sentence)
        self.verdict = verdict
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Limits:
    """The sizes a document may have, and the time and memory that reading it may take.

    `sandbox.parse` keeps the last two, `parsers.parse` alone cannot. The defaults suit a machine
    with 2 GB for a parser.

    ``parse_mode`` is 'fast', or 'thorough' with a layout model, at some second a page (measured);
    ``ocr`` 'auto' or 'off', its languages Tesseract's names joined by '+', its pages at some 3
    seconds each (measured).

    ``tracked_changes`` is which text of a changed Word document is read.

    ``max_chars`` counts the decoded text: twelve million characters are some three million tokens
    what one-line text takes about 25 seconds for (measured). ``max_lines`` bounds formats whose
    parser keeps something per line: 250,000 table rows take 18 seconds and 0.9 GB.
    """

    max_bytes: int = 50 * MEGABYTE
    max_chars: int = 12_000_000
    max_lines: int = 300_000
    max_pages: int = 5_000
    timeout_s: float = 120.0
    memory_mb: int = 1536
    tracked_changes: TrackedChanges = "accepted"
    parse_mode: ParseMode = "fast"
    max_layout_pages: int = 300
    ocr: OcrMode = "auto"
    ocr_languages: str = "eng"
    max_ocr_pages: int = 25


# A heading per this many tokens is the least one expects of a document written with headings.
_TOKENS_WITHOUT_HEADINGS = 2_000
_CHARACTERS_PER_TOKEN = 4

_INVISIBLE = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Mn", "Mc", "Me"))
# Letters and symbols to Unicode, but drawn as nothing: Hangul fillers, the empty Braille cell.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")

# First bytes of files that are no text, whatever their name says.
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"{\\rtf", "an RTF document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\x00", "a program"),
    (b"SQLite format 3\x00", "a database"),
    (b"OggS", "a sound file"),
    (b"ID3", "a sound file"),
    (b"RIFF", "a sound or video file"),
)


def content_name(data: bytes) -> str | None:
    """Return what the first bytes of ``data`` say it is ("a PNG image"), None for text."""
    return next((name for magic, name in _MAGIC if data.startswith(magic)), None)


def check_size(data: bytes, limits: Limits) -> None:
    """Raise `Refused` when ``data`` is empty or larger than ``limits.max_bytes``."""
    if not data:
        raise Refused(Verdict.EMPTY, "The file is empty: it has 0 bytes.")
    if len(data) > limits.max_bytes:
        raise Refused(
            Verdict.TOO_LARGE,
            f"The file has {len(data) / MEGABYTE:.1f} MB; at most "
            f"{limits.max_bytes / MEGABYTE:.0f} MB are accepted. Please split it.",
        )


def check_length(text: str, limits: Limits) -> None:
    """Raise `Refused` when ``text`` is blank or longer than ``limits.max_chars`` allows."""
    if len(text) > limits.max_chars:
        raise Refused(
            Verdict.TOO_LARGE,
            f"The document has {len(text):,} characters; at most {limits.max_chars:,} are "
            "accepted. Please split it.",
        )
    if not any(is_visible(character) for character in text):
        raise Refused(Verdict.EMPTY, "The document holds no text, only blank space.")


def is_visible(character: str) -> bool:
    """Return whether a reader sees it: no space, control, joiner, direction mark or accent."""
    return unicodedata.category(character) not in _INVISIBLE and character not in _BLANK_LETTERS


def check_lines(text: str, limits: Limits) -> None:
    """Raise `Refused` when ``text`` has more lines than ``limits.max_lines``."""
    lines = text.count("\n") + 1
    if lines > limits.max_lines:
        raise Refused(
            Verdict.TOO_LARGE,
            f"The document has {lines:,} lines; at most {limits.max_lines:,} are accepted. "
            "Please split it.",
        )


def verdict_on(document: ParsedDocument) -> Verdict:
    """Return `Verdict.PARTLY_SCANNED` for a document with pages nobody read, `Verdict.NO_HEADINGS`
    for a long one without sections, else `Verdict.OK`.
    """
    if document.unread_pages:
        return Verdict.PARTLY_SCANNED
    if document.cut_by_page:
        return Verdict.NO_HEADINGS
    if document.root.heading or next(document.root.sections(), None):
        return Verdict.OK
    long = len(document.text) > _TOKENS_WITHOUT_HEADINGS * _CHARACTERS_PER_TOKEN
    return Verdict.NO_HEADINGS if long else Verdict.OK
