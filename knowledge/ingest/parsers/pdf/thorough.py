"""The layout model of PyMuPDF as the judge of headings: slow (about a page a second), optional."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pymupdf

from .damage import DAMAGE
from .lines import Box, Line, covers

_TITLES = ("title", "section-header", "section_header")


def mark_headings(document: pymupdf.Document, runs: Mapping[int, list[list[Line]]]) -> None:
    """Mark the rows that the model calls headings with level -1: what level, their looks say.

    A page the model fails on is judged by looks alone.
    """
    for number in sorted(runs):
        titles = _title_boxes(document, number)
        for run in runs[number]:
            before: Box | None = None
            for line in run:
                box = next((title for title in titles if covers(title, line.box)), None)
                if box and line.content is None:
                    line.mark = (0, "") if box == before else (-1, "")
                before = box


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
