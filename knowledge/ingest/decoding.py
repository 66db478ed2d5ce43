"""Bytes to canonical text: the text all spans of a version index."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from .charset import guess_encoding
from .plurals import counted
from .preflight import Limits, Refused, Verdict, check_length, check_size, content_name
from .utf16 import unmarked_utf16

# UTF-32's mark starts with UTF-16's, so it comes first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE_END = re.compile(r"\r\n?|[\v\f]")
# C0 controls, except the tab and the newline.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f]")
_VALID_SEQUENCE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
# What turns ASCII into two bytes a character, for Japanese and Korean; terminals begin with "[".
_ISO_2022 = re.compile(rb"\x1b\$(?:[@B]|\)C)")

# Lines that end in CR alone were written on a Macintosh before 2001, or by a program of that time.
_MACINTOSH = ("mac_roman", "mac_cyrillic")

# More than one control character in so many is no text.
_CONTROL_SHARE = 200
_SNIFFED = 8_192


@dataclass(frozen=True, slots=True)
class Decoded:
    """Canonical text, the encoding it was in, and what the uploader should know about it."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def decode(data: bytes, limits: Limits) -> Decoded:
    """Return the text of ``data``: no mark, newlines as \\n, no control characters but \\n and \\t.

    Tried in turn: a byte order mark, the escapes of ISO 2022, UTF-8, UTF-16 without a mark, UTF-8
    with single damaged bytes, the encoding it reads best in. Whatever was guessed or replaced is in
    ``warnings``. Raises `Refused` for data that is empty, too large, binary, or readable in no
    encoding.
    """
    check_size(data, limits)
    name = content_name(data)
    if name:
        raise Refused(Verdict.BINARY, f"The file is named like text but is {name}.")
    decoded = (
        _marked(data)
        or _escaped(data)
        or _utf8(data)
        or _utf16(data)
        or _damaged_utf8(data)
        or _guessed(data)
    )
    text, warnings = _canonical(decoded.text)
    check_length(text, limits)
    return Decoded(text, decoded.encoding, decoded.warnings + warnings)


def canonical(text: str) -> str:
    """Return ``text`` with newlines as \\n and without control characters but \\n and \\t."""
    return _CONTROL.sub("", _LINE_END.sub("\n", text))


def _canonical(text: str) -> tuple[str, tuple[str, ...]]:
    folded = _LINE_END.sub("\n", text)
    clean = _CONTROL.sub("", folded)
    removed = len(folded) - len(clean)
    if removed * _CONTROL_SHARE > len(folded) and removed > 1:
        raise Refused(Verdict.BINARY, "The file holds binary data, not text.")
    if not removed:
        return clean, ()
    return clean, (f"{removed:,} invisible control characters were left out.",)


def _marked(data: bytes) -> Decoded | None:
    for mark, encoding in _MARKS:
        if not data.startswith(mark):
            continue
        try:
            return Decoded(data[len(mark) :].decode(encoding), encoding)
        except UnicodeDecodeError:
            text = data[len(mark) :].decode(encoding, errors="replace")
            return Decoded(text, encoding, (_replaced(text.count("\ufffd")),))
    return None


def _utf8(data: bytes) -> Decoded | None:
    # UTF-16 without a mark is valid UTF-8 full of NULs where its text is ASCII.
    if unmarked_utf16(data) is not None:
        return None
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return None


def _escaped(data: bytes) -> Decoded | None:
    """Return ``data`` in ISO 2022, which is ASCII but for its escapes (RFC 1468, RFC 1557)."""
    if _ISO_2022.search(data) is None or not data.isascii():
        return None
    for encoding in ("iso2022_jp", "iso2022_kr"):
        try:
            return Decoded(data.decode(encoding), encoding)
        except UnicodeDecodeError:
            continue
    return None


def _utf16(data: bytes) -> Decoded | None:
    encoding = unmarked_utf16(data)
    if encoding is None:
        return None
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        return None


def _damaged_utf8(data: bytes) -> Decoded | None:
    """Return ``data`` as UTF-8 where most of what is above ASCII is UTF-8.

    Bytes of another encoding seldom make a valid sequence: in Western and Cyrillic ones next to
    none, in Chinese one for four places that are none. So twice as many are enough.
    """
    text = data.decode("utf-8", errors="replace")
    bad = text.count("\ufffd")
    if len(_VALID_SEQUENCE.findall(data)) < 2 * bad:
        return None
    return Decoded(text, "utf-8", (_replaced(bad),))


def _guessed(data: bytes) -> Decoded:
    if data[:_SNIFFED].count(0) > 1:
        raise Refused(Verdict.BINARY, "The file holds binary data, not text.")
    encoding = guess_encoding(data, first=_MACINTOSH if b"\r" in data and b"\n" not in data else ())
    if encoding is None:
        raise Refused(
            Verdict.BINARY,
            "The character encoding of the file was not recognised. Please save it as UTF-8.",
        )
    text = data.decode(encoding, errors="replace")
    warning = f"The file is not UTF-8 and was read as {encoding}. Please check its letters."
    bad = text.count("\ufffd")
    return Decoded(text, encoding, (warning, _replaced(bad)) if bad else (warning,))


def _replaced(number: int) -> str:
    verb = "is" if number == 1 else "are"
    return f"{counted(number, 'damaged character')} {verb} shown as \ufffd."
