"""The layout model of PyMuPDF as the judge of headings: slow (about a page a second), optional."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pymupdf

from .damage import DAMAGE
from .lines import Box, Line, covers

_TITLES = ("title", "section-header", "section_header")


REMARK = "Headings were judged by the layout model (thorough reading)."
TOO_MANY = "The layout model looked at the first {most:,} pages; later headings go by their looks."


@dataclass(frozen=True, slots=True)
class LayoutNotes:
    """What is told of the model's part, nothing where it had none."""

    remarks: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def mark_headings(
    document: pymupdf.Document, runs: Mapping[int, list[list[Line]]], most: int
) -> LayoutNotes:
    """Mark the rows that the model calls headings with level -1: what level, their looks say.

    A page the model fails on, and all after ``most`` pages, are judged by looks alone.
    """
    numbers = sorted(runs)
    for number in numbers[:most]:
        titles = _title_boxes(document, number)
        for run in runs[number]:
            before: Box | None = None
            for line in run:
                box = next((title for title in titles if covers(title, line.box)), None)
                if box and line.content is None:
                    line.mark = (0, "") if box == before else (-1, "")
                before = box
    warnings = (TOO_MANY.format(most=most),) if len(numbers) > most else ()
    return LayoutNotes((REMARK,), warnings)


def _title_boxes(document: pymupdf.Document, number: int) -> list[Box]:
    page: Any = document[number - 1]
    try:
        page.get_layout()
        found = page.layout_information or []
    except DAMAGE:
        return []
    return [
        (float(entry[0]), float(entry[1]), float(entry[2]), float(entry[3]))
        for entry in found
        if str(entry[4]).lower() in _TITLES
    ]
