"""What Tesseract's languages are called."""

from __future__ import annotations

from collections.abc import Iterable

_NAMES = {
    "ara": "Arabic", "bul": "Bulgarian", "cat": "Catalan", "ces": "Czech",
    "chi_sim": "Chinese (simplified)", "chi_tra": "Chinese (traditional)", "dan": "Danish",
    "deu": "German", "ell": "Greek", "eng": "English", "est": "Estonian", "fas": "Persian",
    "fin": "Finnish", "fra": "French", "heb": "Hebrew", "hin": "Hindi", "hrv": "Croatian",
    "hun": "Hungarian", "ind": "Indonesian", "ita": "Italian", "jpn": "Japanese", "kor": "Korean",
    "lav": "Latvian", "lit": "Lithuanian", "nld": "Dutch", "nor": "Norwegian", "pol": "Polish",
    "por": "Portuguese", "ron": "Romanian", "rus": "Russian", "slk": "Slovak", "slv": "Slovenian",
    "spa": "Spanish", "srp": "Serbian", "swe": "Swedish", "tha": "Thai", "tur": "Turkish",
    "ukr": "Ukrainian", "urd": "Urdu", "vie": "Vietnamese",
}  # fmt: skip


def language_name(code: str) -> str:
    """Return the English name of a language, the code itself for one of the rarer ones."""
    return _NAMES.get(code, code)


def language_names(codes: Iterable[str]) -> str:
    """Return the names joined: "English, German"."""
    return ", ".join(map(language_name, codes))
