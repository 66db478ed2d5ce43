"""How the documents of a base are to be read, as far as people choose it."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace

from .preflight import Limits, OcrMode, ParseMode, TrackedChanges

LANGUAGES_PATTERN = r"[A-Za-z][A-Za-z_]{1,19}(\+[A-Za-z][A-Za-z_]{1,19}){0,4}"
"""Tesseract's names of at most five languages, joined by '+': 'eng', 'deu+chi_sim'."""

THOROUGH_PAGE_S = 1.5
"""What the layout model takes for a page, at most: 0.2 to 0.7 s were measured on two cores."""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The choices of a base. Raises ValueError for languages that are no names of Tesseract's."""

    parse_mode: ParseMode = "fast"
    tracked_changes: TrackedChanges = "accepted"
    ocr: OcrMode = "auto"
    ocr_languages: str = "eng"

    def __post_init__(self) -> None:
        if not re.fullmatch(LANGUAGES_PATTERN, self.ocr_languages):
            raise ValueError(
                f"{self.ocr_languages!r} does not name languages as Tesseract does: eng, deu+fra"
            )

    def within(self, limits: Limits) -> Limits:
        """Return the limits with these choices; who reads thoroughly gets the time it takes."""
        chosen = replace(limits, **asdict(self))
        if self.parse_mode == "thorough":
            more_s = limits.max_layout_pages * THOROUGH_PAGE_S
            return replace(chosen, timeout_s=limits.timeout_s + more_s)
        return chosen
