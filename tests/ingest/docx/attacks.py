"""Files that are damaged, hostile, or something else: name to (builder, verdict)."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable

from knowledge.ingest.preflight import Verdict
from tests.ingest.docx.making import docx, p, tbl, tc, tr, zipped

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
_MAIN = "word/document.xml"
_MEGABYTE = 1024 * 1024


def bomb() -> bytes:
    """Return a document whose main part is a gigabyte of zeros."""
    buffer = io.BytesIO()
    entry = zipfile.ZipInfo(_MAIN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    with (
        zipfile.ZipFile(buffer, "w") as archive,
        archive.open(entry, "w", force_zip64=True) as part,
    ):
        for _ in range(1024):
            part.write(bytes(_MEGABYTE))
    return buffer.getvalue()


def lying_directory() -> bytes:
    """Return a document whose directory states 100 bytes for a main part of 40 MB."""
    data = zipped({_MAIN: bytes(40 * _MEGABYTE)})
    return data.replace(struct.pack("<L", 40 * _MEGABYTE), struct.pack("<L", 100))


def many_entries() -> bytes:
    """Return an archive of 10,001 entries."""
    return zipped({f"word/{number}.xml": b"" for number in range(10_001)})


def large_parts() -> bytes:
    """Return a document with parts that are each below the limit of one, but not together."""
    blank = b"<x>" + b" " * (15 * _MEGABYTE) + b"</x>"
    parts = {f"word/charts/chart{n}.xml": blank for n in range(20)}
    graphic = "".join(
        "<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData>"
        f"<c:chart r:id='chart{n}'/></a:graphicData></a:graphic>"
        "</wp:inline></w:drawing></w:r></w:p>"
        for n in range(20)
    )
    return docx(graphic, parts)


def nested(levels: int) -> str:
    """Return tables inside each other."""
    inner = p("core")
    for _ in range(levels):
        inner = tbl(tr(tc(inner), "x"))
    return inner


def _entities() -> bytes:
    bomb_ = '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    return zipped({_MAIN: f"<!DOCTYPE x [{bomb_}]><x>&b;</x>"})


def _external() -> bytes:
    entity = '<!ENTITY a SYSTEM "file:///etc/passwd">'
    return zipped({_MAIN: f"<!DOCTYPE x [{entity}]><x>&a;</x>"})


ATTACKS: dict[str, tuple[Callable[[], bytes], Verdict]] = {
    "bomb_of_zeros": (bomb, Verdict.BOMB),
    "lying_zip_directory": (lying_directory, Verdict.DAMAGED),
    "ten_thousand_entries": (many_entries, Verdict.BOMB),
    "many_parts_below_the_limit": (large_parts, Verdict.BOMB),
    "entity_expansion": (_entities, Verdict.UNSUPPORTED),
    "external_entity": (_external, Verdict.UNSUPPORTED),
    "tables_nested_10000_deep": (lambda: docx(nested(10_000)), Verdict.DAMAGED),
    "truncated_archive": (lambda: docx(p("text"))[:-200], Verdict.DAMAGED),
    "truncated_markup": (lambda: zipped({_MAIN: "<w:document><w:body>"}), Verdict.DAMAGED),
    "main_part_missing": (lambda: zipped({"[Content_Types].xml": "<x/>"}), Verdict.DAMAGED),
    "archive_of_pictures": (lambda: zipped({"a.png": b"x"}), Verdict.UNSUPPORTED),
    "password_protected": (
        lambda: _OLE + "EncryptedPackage".encode("utf-16-le"),
        Verdict.ENCRYPTED,
    ),
    "old_doc_renamed": (lambda: _OLE + "WordDocument".encode("utf-16-le"), Verdict.UNSUPPORTED),
    "no_words": (lambda: docx(p() + p("  ")), Verdict.EMPTY),
    "zero_bytes": (lambda: b"", Verdict.EMPTY),
    "pdf_renamed": (lambda: b"%PDF-1.7\n", Verdict.UNSUPPORTED),
}
