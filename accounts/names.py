"""Names that people give to things: what is invisible in them goes, something must be left."""

import unicodedata

_JOINERS = "\u200c\u200d"
"""Between letters they are spelling (Persian, Hindi), and they hold emoji together."""


class NameRefused(ValueError):
    """The name cannot be used; the message says why."""


def clean_name(name: str) -> str:
    """Return the name in NFC on one line, without control, direction and other hidden characters.

    A direction mark (U+202E, say) would turn round what stands beside the name too. Raises
    NameRefused for a name without a single letter or digit: it could be neither read nor addressed.
    """
    text = unicodedata.normalize("NFC", name)
    kept = "".join(_kept(character) for character in text)
    cleaned = " ".join(kept.split())
    if not any(character.isalnum() for character in cleaned):
        raise NameRefused("Choose a name with at least one letter or digit.")
    return cleaned


def _kept(character: str) -> str:
    if character.isspace():
        return " "
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co", "Cs")
    return "" if hidden and character not in _JOINERS else character
