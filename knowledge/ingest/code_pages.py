"""Code pages that give the same bytes to letters of different languages, told by their spelling.

Latin pages differ in a few letters: the one is meant in which a single language writes all of
them. Hebrew takes the places of the small Cyrillic letters, and each has rules the other breaks.
"""

from __future__ import annotations

import re

# The letters beyond ASCII of the languages a page is made for, with those of common loan words.
_ALPHABETS = {
    "cp1252": (
        "äöüßéèàêçôâ",  # German
        "àâæçéèêëîïôœùûüÿ",  # French, Welsh, Albanian
        "áéíñóúüèªº",  # Spanish, Irish
        "áâãàçéêíóôõúüªº",  # Portuguese
        "àèéìòùªº",  # Italian
        "àçèéíïòóúü",  # Catalan
        "áéëèêïíóöúü",  # Dutch
        "åæøéèêòóôäö",  # Danish, Norwegian
        "åäöéüàšž",  # Swedish, Finnish
        "äöõüšž",  # Estonian
        "áæðéíóöúýþ",  # Icelandic
    ),
    "cp1250": (
        "áčďéěíňóřšťúůýž",  # Czech
        "áäčďéíľňóôšťúýž",  # Slovak
        "ąćęłńóśźż",  # Polish
        "áéíóöőúüű",  # Hungarian
        "ăâîşţ",  # Romanian
        "čćđšž",  # Croatian, Slovene
    ),
    "cp1254": ("çğıöşüâîûİ",),  # Turkish
    "cp1257": ("ąčęėįšųūž", "āčēģīķļņšūž"),  # Lithuanian, Latvian
}
_OF_LETTERS = {
    page: tuple(frozenset(letters + letters.upper()) for letters in alphabets)
    for page, alphabets in _ALPHABETS.items()
}
_OF_LETTERS["iso8859_2"] = _OF_LETTERS["cp1250"]
# Its reading of Central European text is the first guess at times, and never the right one.
_NEVER = "iso8859_10"
_SYMBOL_IN_WORD = re.compile(r"(?<=[^\W\d_])[¡-©«-´¶-¹»-¿](?=[^\W\d_])|[ª®º](?=[^\W\d_])")
# The Turkish ı and ş as cp1252 has them: Icelandic, which alone writes both, has no second ý in a
# word and a vowel, j, r or v behind þ.
_TURKISH = re.compile("ý(?=\\w*ý)|þ(?![aáeéiíjoóruúvyýæö])", re.IGNORECASE)
# English with a few names of other countries stays below it; Hungarian, with the fewest, above.
_LEAST_SHARE = 0.008
_LEAST_FOREIGN = 2
_CLEARLY = 4

# Five letters have a form for the end of a word. The Cyrillic й follows no consonant, and modern
# words neither begin nor end with ъ: as such do the י and ת of Hebrew look.
_HEBREW_FAULT = re.compile("[ךםןףץ](?=[א-ת])|(?<=[א-ת])[כמנפצ](?![א-ת])")
_CYRILLIC_FAULT = re.compile(r"[бвгджзклмнпрстфхцчшщъ]й|\b[ъьы]|ъ\b", re.IGNORECASE)


def sibling_page(sample: bytes, encoding: str) -> str:
    """Return the code page whose languages spell so, ``encoding`` where none does clearly better.

    Only pages that share their places with ``encoding`` are weighed.
    """
    if encoding == "cp1251":
        return "cp1255" if _is_hebrew(sample) else encoding
    if encoding not in _OF_LETTERS and encoding != _NEVER:
        return encoding
    here = _foreign(sample, encoding)
    best = min((_foreign(sample, page), page != encoding, page) for page in _OF_LETTERS)
    letters = sum(character.isalpha() for character in sample.decode(best[2], errors="replace"))
    least = max(_LEAST_FOREIGN, _LEAST_SHARE * letters, _CLEARLY * best[0])
    return best[2] if here >= least else encoding


def _foreign(sample: bytes, page: str) -> int:
    """Return how many letters are not in the one alphabet of the page that has most of them."""
    text = sample.decode(page, errors="replace")
    letters = [character for character in text if character > "\x7f" and character.isalpha()]
    fewest = min(
        (sum(one not in known for one in letters) for known in _OF_LETTERS.get(page, ())),
        default=len(letters),
    )
    faults = len(_SYMBOL_IN_WORD.findall(text)) + text.count("\ufffd")
    return fewest + faults + (len(_TURKISH.findall(text)) if page == "cp1252" else 0)


def _is_hebrew(sample: bytes) -> bool:
    try:
        hebrew = _HEBREW_FAULT.findall(sample.decode("cp1255"))
    except UnicodeDecodeError:
        return False
    cyrillic = _CYRILLIC_FAULT.findall(sample.decode("cp1251", errors="replace"))
    return len(hebrew) < len(cyrillic)
