"""The encoding of a web page: its mark, then UTF-8 that reads as such, then what the page says.

Differs from the HTML standard in one thing: a page that is UTF-8 throughout is read as UTF-8
whatever it claims, since the claim is wrong far more often than that happens by chance.
"""

from __future__ import annotations

import codecs
import re

from knowledge.ingest.decoding import Decoded, canonical, decode
from knowledge.ingest.preflight import Limits, Refused, Verdict, check_length, check_size

from .encoding_labels import codec_of

# The standard looks at 1,024 bytes; pages with long comments in front declare later.
_PRESCAN = 8_192
_DECLARED = re.compile(
    rb"<meta[^>]{0,400}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})"
    rb"|<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{2,40})",
    re.IGNORECASE,
)
_WIDE = ("utf-16", "utf-32", "utf-7")
_ESCAPED = ("iso2022", "hz")


def decode_page(data: bytes, limits: Limits) -> Decoded:
    """Return the markup of ``data`` as text, as `decode` does, its declaration heeded.

    Raises `Refused` for what is empty, too large, or no text.
    """
    check_size(data, limits)
    name = _declared(data)
    if name and (name.startswith(_ESCAPED) or not _is_utf8(data)):
        try:
            text = canonical(data.decode(name))
        except (UnicodeDecodeError, LookupError):
            return decode(data, limits)
        if data[:1_000].count(0):
            raise Refused(Verdict.BINARY, "The file holds binary data, not a web page.")
        check_length(text, limits)
        return Decoded(text, name)
    return decode(data, limits)


def _declared(data: bytes) -> str:
    """Return the Python name of the encoding a page declares, '' for none that could be."""
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ""
    match = _DECLARED.search(data[:_PRESCAN])
    if not match:
        return ""
    name = codec_of((match[1] or match[2]).decode("ascii"))
    # The page could not have been read this far in one of these.
    return "" if name.startswith(_WIDE) else name


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
