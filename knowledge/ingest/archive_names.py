"""The names in a zip archive: in which encoding they are, and which of them are files to take.

Sources: APPNOTE.TXT 6.3.10, 4.4.4 (bit 11: UTF-8) and 4.6.9 (0x7075, the Unicode path of Info-ZIP).
"""

from __future__ import annotations

import re
import stat
import struct
import zipfile
import zlib
from pathlib import PurePosixPath

from .charset import guess_encoding

_UTF8 = 0x800
_UNICODE_PATH = 0x7075
# Archivers outside the West write their console's encoding; zip's own is cp437.
_ENCODINGS = ("cp866", "gb18030", "cp932", "big5", "euc_kr", "cp437", "cp850", "cp1251", "cp1252")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|\Z)", re.IGNORECASE)
# "report\u202efdp.exe" reads as one of a PDF file.
_OVERRIDE = re.compile("[\u202d\u202e]")
_ARCHIVES = {".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".jar"}
_OF_SYSTEMS = {"thumbs.db", "desktop.ini"}


def entry_names(entries: list[zipfile.ZipInfo]) -> list[str]:
    """Return the name of each entry as its writer saw it.

    In turn: the flag for UTF-8, the Unicode path where it belongs to this name, UTF-8 if every
    other name is that, the encoding in which all of them together read best.
    """
    raw = [_raw(entry) for entry in entries]
    unknown = [name for name in raw if isinstance(name, bytes)]
    encoding = _common_encoding(unknown)
    return [
        name if isinstance(name, str) else name.decode(encoding, errors="replace") for name in raw
    ]


def refusal_of(entry: zipfile.ZipInfo, name: str) -> str:
    """Return why an entry is left out, as a sentence about it; '' for one to take."""
    parts = _parts(name)
    if not parts:
        return "was left out: it has no name."
    kind = stat.S_IFMT(entry.external_attr >> 16)
    file = parts[-1].lower()
    if leads_out(name):
        return "was left out: its path leads out of the archive."
    if kind not in (0, stat.S_IFREG):
        return "was left out: it is a link or a device, not a file."
    if is_incidental(name):
        return incidental_refusal(name)
    if any(_DEVICE.match(part) for part in parts):
        return "was left out: its name is that of a device on Windows."
    if _OVERRIDE.search(name):
        return "was left out: its name is written to be read backwards."
    if PurePosixPath(file).suffix in _ARCHIVES:
        return "was left out: it is an archive inside of an archive. Please upload it by itself."
    return ""


def leads_out(name: str) -> bool:
    """Return whether a path leaves the archive or folder it came in."""
    return name.startswith(("/", "\\")) or bool(_DRIVE.match(name)) or ".." in _parts(name)


def is_incidental(name: str) -> bool:
    """Return whether nobody means to send such an entry: a system's, or a hidden file."""
    parts = _parts(name)
    return bool(parts) and (_is_of_system(parts) or parts[-1].startswith("."))


def incidental_refusal(name: str) -> str:
    """Return why such an entry is left out, as a sentence about it."""
    if _is_of_system(_parts(name)):
        return "was left out: it was made by a system, not by a person."
    return "was left out: it is a hidden file."


def _parts(name: str) -> list[str]:
    # Some archivers begin every name with "./".
    return [part for part in name.replace("\\", "/").split("/") if part != "."]


def _is_of_system(parts: list[str]) -> bool:
    folders = [part for part in parts[:-1] if part != ".."]
    inside = any(part == "__MACOSX" or part.startswith(".") for part in folders)
    return inside or parts[-1].lower() in _OF_SYSTEMS or parts[-1] == "__MACOSX"


def _raw(entry: zipfile.ZipInfo) -> str | bytes:
    """Return the name if its encoding is known, else its bytes."""
    name = entry.orig_filename
    if entry.flag_bits & _UTF8:
        return name
    # zipfile read the bytes as cp437, which has a character for each.
    stored = name.encode("cp437")
    return _unicode_path(entry.extra, stored) or stored


def _unicode_path(extra: bytes, stored: bytes) -> str | None:
    """Return the name in the extra field 0x7075, unless the entry was renamed since."""
    while len(extra) >= 4:
        kind, length = struct.unpack("<HH", extra[:4])
        field, extra = extra[4 : 4 + length], extra[4 + length :]
        if kind == _UNICODE_PATH and len(field) > 5 and field[0] == 1:
            if int.from_bytes(field[1:5], "little") != zlib.crc32(stored):
                return None
            try:
                return field[5:].decode("utf-8")
            except UnicodeDecodeError:
                return None
    return None


def _common_encoding(names: list[bytes]) -> str:
    joined = b"\n".join(names)
    try:
        joined.decode("utf-8")
    except UnicodeDecodeError:
        return guess_encoding(joined, first=_ENCODINGS) or "cp437"
    return "utf-8"
