"""Pictures taken from a file: a page as it looks, and the figures that stand in its tree."""

from __future__ import annotations

from dataclasses import dataclass

Box = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page as PNG, its size in pixels; ``found`` is whether the quote was found on it."""

    png: bytes
    width: int
    height: int
    found: bool


@dataclass(frozen=True, slots=True)
class FigureImage:
    """The picture of a FIGURE leaf; ``place`` counts those leaves in reading order, from 0.

    ``media_type`` is image/png or image/jpeg; the size is in pixels.
    """

    place: int
    data: bytes
    media_type: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class FigureImages:
    """The figures whose pictures could be taken, and sentences about those left out."""

    images: tuple[FigureImage, ...]
    warnings: tuple[str, ...] = ()
