"""Reading the picture of a page: one protocol, and the engines that may be installed.

Tesseract comes as the library inside MuPDF, so no program is started; what it needs are its
language files. RapidOCR is a Python package.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

_DATA_FOLDERS = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
)


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A word, or a line of them, and its box in pixels of the picture: x0, y0, x1, y1."""

    text: str
    box: tuple[float, float, float, float]


class OcrEngine(Protocol):
    """Reads one page at a time; keeps nothing between pages."""

    def __call__(self, page_png: bytes, languages: Sequence[str]) -> Sequence[OcrWord]:
        """Return the words of a PNG in reading order. Raises RuntimeError when it cannot."""
        ...


def find_engine() -> OcrEngine | None:
    """Return the engine that is installed, Tesseract first, None without one."""
    folder = tesseract_data()
    if folder:
        return Tesseract(folder)
    return RapidOcr() if find_spec("rapidocr") else None


@cache
def tesseract_data() -> str | None:
    """Return the folder of Tesseract's language files, None when there is none."""
    return next((name for name in _DATA_FOLDERS if any(Path(name).glob("*.traineddata"))), None)


def installed_languages() -> tuple[str, ...]:
    """Return Tesseract's names of the languages that this machine reads, sorted; () without it."""
    folder = tesseract_data()
    names = {path.stem for path in Path(folder).glob("*.traineddata")} if folder else set()
    return tuple(sorted(names - {"osd", "equ"}))  # these two recognise no language


class Tesseract:
    """Tesseract through MuPDF; languages without a file are left out."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def known(self, languages: Sequence[str]) -> list[str]:
        """Return those of these languages that it has a file of, English if there is none."""
        folder = Path(self._folder)
        return [name for name in languages if (folder / f"{name}.traineddata").exists()] or ["eng"]

    def __call__(self, page_png: bytes, languages: Sequence[str]) -> Sequence[OcrWord]:
        """Return the words of a PNG. Raises RuntimeError when Tesseract cannot read it."""
        import pymupdf

        pixmap = pymupdf.Pixmap(page_png)
        known = "+".join(self.known(languages))
        page_pdf = pixmap.pdfocr_tobytes(language=known, tessdata=self._folder)
        with pymupdf.open(stream=page_pdf, filetype="pdf") as document:
            page = document[0]
            across, down = pixmap.width / page.rect.width, pixmap.height / page.rect.height
            return tuple(
                OcrWord(
                    word[4], (word[0] * across, word[1] * down, word[2] * across, word[3] * down)
                )
                for word in page.get_text("words")
                if word[4].strip()
            )


class RapidOcr:
    """RapidOCR; it reads lines, and its languages are those of its model."""

    def __call__(self, page_png: bytes, languages: Sequence[str]) -> Sequence[OcrWord]:
        """Return the lines of a PNG."""
        found = _rapid_model()(page_png)
        texts, boxes = found.txts or (), found.boxes if found.boxes is not None else ()
        return tuple(
            OcrWord(
                text,
                (
                    float(min(point[0] for point in box)),
                    float(min(point[1] for point in box)),
                    float(max(point[0] for point in box)),
                    float(max(point[1] for point in box)),
                ),
            )
            for text, box in zip(texts, boxes, strict=True)
        )


@cache
def _rapid_model() -> Any:
    from rapidocr import RapidOCR  # type: ignore[import-not-found, unused-ignore]

    return RapidOCR()
