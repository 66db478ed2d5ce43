"""Characters of the fonts Symbol and Wingdings, which files keep in the private use area."""

from __future__ import annotations

import re

_PRIVATE = re.compile("[\uf020-\uf0ff]")
# Symbol puts Greek on the Latin keys; the two alphabets below run in step.
_LATIN = "ABCDEFGHIKLMNOPQRSTUWXYZabcdefghijklmnopqrstuwxyz"
_GREEK = "ΑΒΧΔΕΦΓΗΙΚΛΜΝΟΠΘΡΣΤΥΩΞΨΖαβχδεφγηιϕκλμνοπθρστυωξψζ"
_SYMBOL = dict(zip(map(ord, _LATIN), _GREEK, strict=True)) | {
    0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°",
    0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠",
    0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xC5: "⊕", 0xC7: "∩", 0xC8: "∪", 0xCC: "⊂", 0xCE: "∈",
    0xD1: "∇", 0xD2: "®", 0xD3: "©", 0xD4: "™", 0xD5: "∏", 0xD6: "√", 0xDE: "⇒", 0xE5: "∑",
    0xF2: "∫",
}  # fmt: skip
_WINGDINGS = {
    0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x76: "❖", 0xA7: "▪", 0xA8: "☐", 0xB7: "•",
    0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒",
    0xFE: "☑",
}  # fmt: skip
_UNKNOWN = "▪"


def symbol(code: int, font: str) -> str:
    """Return the character that ``code`` (plain, or 0xF000 above it) shows in ``font``."""
    plain = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    folded = font.casefold()
    if folded.startswith("wingdings"):
        return _WINGDINGS.get(plain, _UNKNOWN)
    if folded.startswith("symbol") or code != plain:
        ascii_ = chr(plain) if 0x20 <= plain < 0x7F else ""
        return _SYMBOL.get(plain) or ascii_ or _UNKNOWN
    return chr(plain) if 0 <= plain < 0x110000 else _UNKNOWN


def glyph(text: str, font: str = "") -> str:
    """Return ``text`` with its characters of the private use area as what they show."""
    if not _PRIVATE.search(text):
        return text
    return _PRIVATE.sub(lambda match: symbol(ord(match[0]), font), text)
