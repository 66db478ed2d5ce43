"""The arguments of commands that choose how the documents of a base are read."""

from typing import Any

from django.core.management.base import CommandParser

from accounts.operator import BadUsage
from knowledge.ingest.reading_options import ReadingOptions
from knowledge.models import KnowledgeBase

NAMES = ("parse_mode", "tracked_changes", "ocr", "ocr_languages")


def options_add(parser: CommandParser) -> None:
    """Add an argument for each option; one that is not given leaves the base as it is."""
    kept = "stored with the base, for all its documents from now on"
    parser.add_argument(
        "--parse-mode", choices=KnowledgeBase.ParseMode.values,
        help=f"headings of PDF files: fast, or thorough at about a page a second; {kept}",
    )  # fmt: skip
    parser.add_argument(
        "--tracked-changes", choices=KnowledgeBase.TrackedChanges.values,
        help=f"which text of changed Word files is read; {kept}",
    )  # fmt: skip
    parser.add_argument(
        "--ocr", choices=KnowledgeBase.Ocr.values,
        help=f"whether scanned pages are read by OCR; {kept}",
    )  # fmt: skip
    parser.add_argument(
        "--ocr-languages", metavar="LANGUAGES",
        help=f"Tesseract's names, joined by +: eng, deu+fra; {kept}",
    )  # fmt: skip


def options_chosen(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given, by their names. Raises BadUsage for bad languages."""
    chosen = {name: options[name] for name in NAMES if options.get(name) is not None}
    try:
        ReadingOptions(**chosen)
    except ValueError as error:
        raise BadUsage(f"--ocr-languages: {error}.") from error
    return chosen
