"""Characters of Symbol, Wingdings and Webdings, which files keep in the private use area.

Source: Adobe's encoding of Symbol, and the characters that Unicode 7 has for the others, the common
sign in place of one that is in hardly any font. What only decorates is a bullet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_PRIVATE = re.compile("[\uf020-\uf0ff]")
_UNKNOWN = "▪"


def _table(*ranges: tuple[int, str]) -> dict[int, str]:
    """Return characters by code: each range begins at its code, blanks in it stand for nothing."""
    return {
        first + place: character
        for first, characters in ranges
        for place, character in enumerate(characters)
        if character != " "
    }


_SYMBOL = _table(
    (0x21, "!∀#∃%&∍()*+,−./0123456789:;<=>?"),
    (0x40, "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"),
    (0x60, "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}~"),
    (0xA0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵"),
    (0xC0, "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓"),
    (0xE0, "◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"),
)
_WINGDINGS = _table(
    (0x22, "✂✁"), (0x28, "☎✆✉"), (0x36, "⌛"), (0x3F, "✍"), (0x41, "✌"), (0x43, "👍👎☜☞☝☟"),
    (0x4A, "☺😐☹💣☠⚑"), (0x51, "✈☼"), (0x54, "❄"), (0x58, "✠✡☪☯"),
    (0x5D, "☸♈♉♊♋♌♍♎♏♐♑♒♓"),
    (0x6C, "●❍■□□❑❒⬧⧫◆❖"), (0x78, "⌧"), (0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
    (0x9E, "·•"), (0xA1, "○"), (0xA4, "◉◎"), (0xA7, "▪☐"), (0xAB, "★"), (0xB1, "⌖"), (0xB5, "✪✰"),
    (0xB7, "🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛"), (0xD5, "⌫⌦"), (0xD8, "➢"), (0xDF, "←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩"),
    (0xF4, "⇳"), (0xFB, "✗✓☒☑"),
) | {0xB7: "•", 0xE8: "➔"}  # fmt: skip
_WINGDINGS_2 = _table(
    (0x27, "☎☎"), (0x3C, "👍👎"), (0x42, "👈👉"), (0x4A, "👆👇"), (0x4F, "✗✓☒☑☒☒"),
    (0x56, "⊘⊘🛇⦸"), (0x69, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"), (0x80, "☉"), (0x82, "☽☾"), (0x85, "✝"),
    (0x95, "⋅•●●○"), (0x9D, "⊙◉"), (0xA1, "◾■□"), (0xA8, "▣"), (0xAE, "◆◇"), (0xB7, "⬧◊"),
    (0xEA, "★"), (0xF8, "※⁂"),
)  # fmt: skip
_WINGDINGS_3 = _table(
    (0x21, "←→↑↓↖↗↙↘"), (0x31, "↔↕"), (0x52, "⎋⌤⌃⌥␣"), (0x58, "⇪"), (0x66, "←→↑↓↖↗↙↘↔↕"),
    (0x70, "▲▼△▽◀▶◁▷◣◢◤◥◀▶▲"), (0x80, "▼▲▼◀▶"),
)  # fmt: skip
_WEBDINGS = _table(
    (0x33, "◀▶▲▼⏪⏩⏮⏭⏸⏹⏺"), (0x61, "✓"), (0x63, "□"), (0x67, "■"), (0x69, "ℹ"), (0x6C, "●"),
    (0x6E, "●"), (0x72, "✗❓"), (0x78, "⦸⊖"), (0x80, "♂♀"), (0xCF, "🔒🔓"), (0xE9, "♿"),
)  # fmt: skip
_FONTS: dict[str, Mapping[int, str]] = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": _WINGDINGS_3,
    "webdings": _WEBDINGS,
}


def symbol(code: int, font: str) -> str:
    """Return the character that ``code`` (plain, or 0xF000 above it) shows in ``font``."""
    plain = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    table = _of(font)
    if table is not None or code != plain:
        # Text of the private area without a font of its own is Symbol's, as its bullets are.
        return (_SYMBOL if table is None else table).get(plain, _UNKNOWN)
    return chr(plain) if 0 <= plain < 0x110000 else _UNKNOWN


def glyph(text: str, font: str = "") -> str:
    """Return ``text`` with its characters as what they show in ``font``.

    Those that files write as plain letters change only where the sign they show is known.
    """
    table = _of(font)
    if table is not None:
        text = "".join(table.get(ord(character), character) for character in text)
    if not _PRIVATE.search(text):
        return text
    return _PRIVATE.sub(lambda match: symbol(ord(match[0]), font), text)


# Cuts of them under other names: SymbolMT, Symbol (Type 1); Symbola is a font of text.
_CUT = re.compile(r"(?:symbol|wingdings)(?:mt|ps|std|bt)?(?![a-z])")


def _of(font: str) -> Mapping[int, str] | None:
    folded = font.strip().casefold()
    known = _FONTS.get(folded)
    if known is None and _CUT.match(folded):
        return _SYMBOL if folded.startswith("symbol") else _WINGDINGS
    return known
