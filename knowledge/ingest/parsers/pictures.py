"""The pictures of figures, taken from the formats that hold any."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from knowledge.ingest.pictures import FigureImages
from knowledge.ingest.preflight import Limits

from .raster import Collection


def figures(
    data: bytes, suffix: str, *, limits: Limits, places: Sequence[Sequence[float]]
) -> FigureImages:
    """Return the pictures of the FIGURE leaves, whose boxes ``places`` are (page, x0, y0, x1, y1).

    Of a format without pages a box is empty and only their number counts. Other formats have none.
    Raises `preflight.Refused`.
    """
    collection = Collection()
    if suffix == ".pdf":
        _from_pdf(data, limits, places, collection)
    elif suffix in (".docx", ".docm"):
        _from_word(data, limits, places, collection)
    return collection.images()


def _from_pdf(
    data: bytes, limits: Limits, places: Sequence[Sequence[float]], collection: Collection
) -> None:
    pdf: Any = import_module("knowledge.ingest.parsers.pdf.figures")
    pages = frozenset(int(place[0]) for place in places if place)
    left = dict(enumerate(places))
    for figure in pdf.each_figure(data, limits=limits, only=pages):
        if not figure.caption:
            continue  # it has no words, so no leaf
        x, y = (figure.box[0] + figure.box[2]) / 2, (figure.box[1] + figure.box[3]) / 2
        # The box of a leaf is that of its picture together with the caption's.
        around = [
            number
            for number, place in left.items()
            if place and place[0] == figure.page and place[1] <= x <= place[3]
            and place[2] <= y <= place[4]
        ]  # fmt: skip
        if around:
            number = min(around, key=lambda one: _area(left[one]))
            del left[number]
            collection.add(number, figure.png)


def _from_word(
    data: bytes, limits: Limits, places: Sequence[Sequence[float]], collection: Collection
) -> None:
    docx: Any = import_module("knowledge.ingest.parsers.docx")
    for number, picture in enumerate(docx.pictures(data, limits)[: len(places)]):
        if picture is not None:
            collection.add(number, picture)


def _area(place: Sequence[float]) -> float:
    return (place[3] - place[1]) * (place[4] - place[2])
