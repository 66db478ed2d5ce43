"""Zip archives read by counted bytes: what an archive says of its own sizes is not believed.

Sources: the attacks in David Fifield, "A better zip bomb" (WOOT 2019), and 200 entries each just
below a limit on single entries.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass

from .preflight import MEGABYTE, Refused, Verdict

# A ratio says something only of an entry that has become large: XML of blank cells packs 50:1.
_RATIO_FROM = 16 * MEGABYTE
_MOST_RATIO = 100
_MOST_ENTRIES = 10_000
# Word files that are stored unpacked bring the signatures of their own entries.
_MOST_SIGNATURES = 50_000
_STEP = 256 * 1024
_ENTRY_SIGNATURE = b"PK\x01\x02"


@dataclass(slots=True)
class Budget:
    """The bytes that may still be inflated from one upload, over all of its entries."""

    remaining: int = 512 * MEGABYTE

    def spend(self, size: int) -> None:
        """Take ``size`` bytes; raises `Refused` (bomb) when there are not as many left."""
        self.remaining -= size
        if self.remaining < 0:
            raise Refused(
                Verdict.BOMB,
                "The file unpacks to far more data than a document has; it was not read further.",
            )


def open_archive(data: bytes, *, max_entries: int = _MOST_ENTRIES) -> zipfile.ZipFile:
    """Return ``data`` as an archive; nothing of it is inflated yet.

    Raises `Refused`: a bomb for more than ``max_entries`` entries, damaged for what is no archive
    or a part of one.
    """
    # Counted before the directory is read, since reading makes an object of each entry.
    signatures = data.count(_ENTRY_SIGNATURE)
    if signatures > _MOST_SIGNATURES:
        raise _too_many(signatures, max_entries)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, OverflowError) as error:
        raise _damaged() from error
    entries = len(archive.infolist())
    if entries > max_entries:
        raise _too_many(entries, max_entries)
    return archive


def read_entry(
    archive: zipfile.ZipFile,
    name: str | zipfile.ZipInfo,
    budget: Budget,
    *,
    max_bytes: int = 128 * MEGABYTE,
) -> bytes:
    """Return the inflated bytes of an entry, counted against ``budget`` as they come.

    At most a quarter of a megabyte more than is allowed is ever held. Raises KeyError without
    such an entry and `Refused`: encrypted, a bomb (budget or ratio), too large, or damaged, which
    an entry is too whose bytes are not as many as the directory says.
    """
    entry = archive.getinfo(name) if isinstance(name, str) else name
    if entry.flag_bits & 0x1:
        raise Refused(
            Verdict.ENCRYPTED,
            "The file is protected by a password. Please remove the protection and upload again.",
        )
    parts: list[bytes] = []
    size = 0
    try:
        with archive.open(entry) as stream:
            while part := stream.read(_STEP):
                budget.spend(len(part))
                size += len(part)
                _check(size, entry.compress_size, max_bytes)
                parts.append(part)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
        raise _damaged() from error
    except (NotImplementedError, RuntimeError) as error:
        raise Refused(
            Verdict.UNSUPPORTED, "The file is packed in a way that cannot be read."
        ) from error
    return b"".join(parts)


def _check(size: int, packed: int, max_bytes: int) -> None:
    if size > _RATIO_FROM and size > packed * _MOST_RATIO:
        raise Refused(
            Verdict.BOMB,
            f"A part of the file unpacks to more than {_MOST_RATIO} times its size, as documents "
            "never do; it was not read further.",
        )
    if size > max_bytes:
        raise Refused(
            Verdict.TOO_LARGE,
            f"A part of the file unpacks to more than {max_bytes // MEGABYTE} MB. Please split it.",
        )


def _too_many(entries: int, most: int) -> Refused:
    return Refused(
        Verdict.BOMB, f"The archive has {entries:,} entries; at most {most:,} are accepted."
    )


def _damaged() -> Refused:
    return Refused(
        Verdict.DAMAGED,
        "The file is damaged or was not uploaded completely: it cannot be unpacked.",
    )
