"""A DOCX file as a package of parts: opened, checked and parsed without trust.

The parts are read straight from the archive, since python-docx inflates every part, pictures and
all, by the sizes the archive states, and gives up on one relationship that leads nowhere.
"""

from __future__ import annotations

import posixpath
from copy import copy
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree

from knowledge.ingest.archives import Budget, open_archive, read_entry
from knowledge.ingest.preflight import MEGABYTE, Limits, Refused, Verdict, check_size, content_name

from .names import STRICT, Element, R

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
# A tree of lxml takes some ten times its XML: this much stays within a parser's memory.
_MOST_XML = 96 * MEGABYTE
_MOST_INFLATED = 256 * MEGABYTE


@dataclass(frozen=True, slots=True)
class Relation:
    """Where a relationship leads: a part of the package, or an address nobody follows."""

    kind: str
    target: str
    external: bool


class Package:
    """The parts of a Word document; raises `Refused` for what is none."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        check_size(data, limits)
        _check_content(data)
        self._archive = open_archive(data)
        self._names = {name.lower(): name for name in self._archive.namelist()}
        self._budget = Budget(_MOST_INFLATED)
        self.warnings: list[str] = []
        self.remarks: list[str] = []
        self.main = self._main_part()
        self.relations = self.relations_of(self.main)

    def document(self) -> Element:
        """Return the root of the main part."""
        root = parse_xml(self.read(self.main))
        if etree.QName(root).localname != "document":
            raise Refused(Verdict.UNSUPPORTED, "The file is no Word document.")
        return root

    def read(self, name: str) -> bytes:
        """Return a part's bytes; raises KeyError when the package has none of that name."""
        return read_entry(self._archive, self._names[name.lower()], self._budget)

    def related(self, kind: str) -> Element | None:
        """Return the root of the part that the document names as ``kind``, None without one.

        A damaged one is left out, with a warning.
        """
        target = next((r.target for r in self.relations.values() if r.kind == kind), None)
        return self.part(target) if target else None

    def seen_from(self, kind: str) -> Package:
        """Return this package with the relationships of the part that it names as ``kind``.

        Both count what is inflated together, and warn together.
        """
        seen = copy(self)
        seen.main = next((r.target for r in self.relations.values() if r.kind == kind), "")
        seen.relations = self.relations_of(seen.main)
        return seen

    def part(self, name: str) -> Element | None:
        """Return the root of an XML part, None when it is missing or, with a warning, damaged."""
        try:
            return parse_xml(self.read(name))
        except KeyError:
            return None
        except Refused as refused:
            if refused.verdict is not Verdict.DAMAGED:
                raise
            self.warnings.append(
                f"A part of the document ({posixpath.basename(name)}) is damaged and was left out."
            )
            return None

    def relations_of(self, name: str) -> dict[str, Relation]:
        """Return the relationships of a part by their ids."""
        folder, base = posixpath.split(name)
        root = self.part(posixpath.join(folder, "_rels", base + ".rels"))
        found = {}
        for item in root.iter(_RELATIONSHIP) if root is not None else ():
            target = unquote(item.get("Target", ""))
            external = item.get("TargetMode") == "External"
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            kind = item.get("Type", "").rpartition("/")[2]
            found[item.get("Id", "")] = Relation(kind, target, external)
        return found

    def _main_part(self) -> str:
        known = self.relations_of("")
        stated = [r.target for r in known.values() if r.kind == "officeDocument"]
        main = stated[0] if stated else "word/document.xml"
        if main.lower() in self._names:
            return main
        if "word/document.xml" in self._names:
            return "word/document.xml"
        if "[content_types].xml" in self._names:
            raise Refused(
                Verdict.DAMAGED, "The Word document is damaged: the part with its text is missing."
            )
        raise Refused(
            Verdict.UNSUPPORTED,
            "The file is a ZIP archive but no Word document. Please save it as DOCX.",
        )


def parse_xml(data: bytes) -> Element:
    """Return the root of ``data``, no entity expanded, nothing fetched.

    Raises `Refused` for what is not well-formed, declares entities, or nests more than 256 deep
    (libxml2's limit).
    """
    if len(data) > _MOST_XML:
        raise Refused(
            Verdict.TOO_LARGE,
            f"The document holds more than {_MOST_XML // MEGABYTE} MB of markup. Please split it.",
        )
    # Office writes no document type; entities need one. UTF-16 spells it with NULs between.
    if b"<!DOCTYPE" in data or b"<\0!\0D\0O\0C\0T" in data or b"\0<\0!\0D\0O\0C\0T" in data:
        raise Refused(
            Verdict.UNSUPPORTED,
            "The document declares entities of its own, which Word never does; it was not read.",
        )
    for strict, name in STRICT.items():
        if strict in data:
            data = data.replace(strict, name)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        deep = "depth" in str(error)
        raise Refused(
            Verdict.DAMAGED,
            "The document nests its parts deeper than any writer does; it was not read."
            if deep
            else "The Word document is damaged: its text cannot be read to the end. "
            "Please open it in Word, repair it, and save it again.",
        ) from error


def relation_id(element: Element, *names: str) -> str:
    """Return the first of the relationship attributes ``names`` that ``element`` has, or ''."""
    return next((element.get(R + name, "") for name in names if element.get(R + name)), "")


def _check_content(data: bytes) -> None:
    if data.startswith(b"PK\x03\x04"):
        return
    if data.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise Refused(
                Verdict.ENCRYPTED,
                "The Word document is protected by a password. Please remove the password and "
                "upload it again.",
            )
        raise Refused(
            Verdict.UNSUPPORTED,
            "The file is in the old Word format (.doc). Please open it in Word and save it as "
            ".docx.",
        )
    name = content_name(data)
    if name:
        raise Refused(Verdict.UNSUPPORTED, f"The file is named like a Word document but is {name}.")
    raise Refused(
        Verdict.DAMAGED,
        "The file is no Word document, or it is damaged: it cannot be unpacked.",
    )
