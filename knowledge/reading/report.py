"""What is told of a version: its type and language in words, its verdict, what it saved."""

from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import get_language_info

from knowledge.ingest.parsers import suffix_of
from knowledge.ingest.preflight import Verdict
from knowledge.models import DocumentVersion

_TYPES = {
    "Markdown": (".md", ".markdown", ".mdown", ".mkd"),
    "Plain text": (".txt", ".text"),
    "Word": (".docx", ".docm"),
    "Web page": (".html", ".htm", ".xhtml"),
    "PDF": (".pdf",),
}
_TYPE_OF = {suffix: name for name, suffixes in _TYPES.items() for suffix in suffixes}
_VERDICTS: dict[str, str] = {
    Verdict.OK: "It was read without problems.",
    Verdict.PARTLY_SCANNED: "Some of its pages are pictures without text.",
    Verdict.NO_HEADINGS: "It has no headings, so its passages are found by their words alone.",
}


@dataclass(frozen=True, slots=True)
class Reuse:
    """How much of a version was not paid for again.

    `vectors` of `entries` were taken over, and with them `tokens`; `share` is 0 to 1, None when the
    version has no entries.
    """

    vectors: int
    entries: int
    share: float | None
    tokens: int

    @property
    def percent(self) -> int:
        return round(100 * (self.share or 0))


@dataclass(frozen=True, slots=True)
class VersionReport:
    """`verdict` is a sentence, '' while the version is unread; `language` is '' if unknown."""

    type: str
    language: str
    verdict: str
    reuse: Reuse


def version_report(version: DocumentVersion) -> VersionReport:
    """Return what the pages and commands tell of a version, from its own columns."""
    failed = version.state == DocumentVersion.State.FAILED
    return VersionReport(
        type=file_type(version.filename),
        language=_language(version.language),
        verdict=version.message if failed else _VERDICTS.get(version.verdict, ""),
        reuse=reuse_of(version),
    )


def reuse_of(version: DocumentVersion) -> Reuse:
    share = round(version.reused_vectors / version.chunks, 3) if version.chunks else None
    return Reuse(version.reused_vectors, version.chunks, share, version.reused_tokens)


def reuse_json(version: DocumentVersion) -> dict[str, Any]:
    """Return the field `reused` of the commands' reports."""
    return asdict(reuse_of(version))


def abstracts_json(version: DocumentVersion) -> dict[str, Any]:
    """Return the field `abstracts`: those made at ingestion, and how much of them was taken over.

    `tokens` are what a model took; `share` is 0 to 1, None without any.
    """
    made, reused = version.abstracts, version.reused_abstracts
    share = round(reused / made, 3) if made else None
    return {"made": made, "reused": reused, "share": share, "tokens": version.abstract_tokens}


def estimate_json(version: DocumentVersion) -> dict[str, Any] | None:
    """Return the field `estimate`: what a model was to be paid for, None where nothing was.

    `price` is None, and `currency` with it, where the site has no prices.
    """
    if version.estimate is None:
        return None
    figures = version.estimate.get("figures", 0)  # an estimate of before did not count them
    told = {name: version.estimate[name] for name in ("pages", "tokens", "price", "currency")}
    return told | {"figures": figures}


def file_type(filename: str) -> str:
    """Return what a file is by the suffix of its name: "Markdown", or the suffix in capitals."""
    suffix = suffix_of(filename)
    return _TYPE_OF.get(suffix, suffix.removeprefix(".").upper() or "File")


def _language(code: str) -> str:
    """Return a language's name in English, its code if Django does not know it."""
    if code in ("", "und"):
        return ""
    try:
        return str(get_language_info({"zh": "zh-hans", "no": "nb"}.get(code, code))["name"])
    except KeyError:
        return code
