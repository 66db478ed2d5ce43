"""Code pages that give the same bytes to letters of different languages, told by their spelling.

Latin pages differ in a few letters: the one is meant in which a single language writes all of
them so. Hebrew takes the places of the small Cyrillic letters, and each has rules the other breaks.
"""

from __future__ import annotations

import re
from collections import Counter

from .spelling import LANGUAGES, Language

# The first of those that fit equally well is taken.
_LANGUAGES = LANGUAGES | {
    "iso8859_2": LANGUAGES["cp1250"],
    "iso8859_3": (Language("àèìòùċġħż"), Language("ĉĝĥĵŝŭ")),  # Maltese; Esperanto
}
# Rare pages that are the first guess for Central European text at times, and then never right.
_NEVER = frozenset(("iso8859_10", "iso8859_14", "iso8859_16"))
# Damage, and the controls that ISO pages have where others have quotation marks and the euro.
_NO_TEXT = re.compile("[\ufffd\x80-\x9f]")
_SYMBOL_IN_WORD = re.compile(r"(?<=[^\W\d_])[¡-©«-´¶-¹»-¿](?=[^\W\d_])|[ª®º](?=[^\W\d_])")
# A letter of ISO 8859-2 that begins a word is such a sign in the others. Bounded, as the rules are
# quadratic.
_WORD = re.compile(r"(?:[©®](?=[a-zà-ÿ]))?[^\W\d_²³¹¼½¾]{1,80}")
# English with a few names of other countries stays below it; Hungarian, with the fewest, above.
_LEAST_SHARE = 0.008
_LEAST_FAULTS = 2
_CLEARLY = 4

# Five letters have a form for the end of a word. The Cyrillic й follows no consonant, and modern
# words neither begin nor end with ъ: as such do the י and ת of Hebrew look.
_HEBREW_FAULT = re.compile("[ךםןףץ](?=[א-ת])|(?<=[א-ת])[כמנפצ](?![א-ת])")
_CYRILLIC_FAULT = re.compile(r"[бвгджзклмнпрстфхцчшщъ]й|\b[ъьы]|ъ\b", re.IGNORECASE)


def sibling_page(sample: bytes, encoding: str) -> str:
    """Return the code page whose languages spell so, ``encoding`` where none does clearly better.

    Only pages that share their places with ``encoding`` are weighed. The rare ISO 8859-10, -14 and
    -16 are never returned.
    """
    if encoding == "cp1251":
        return "cp1255" if _is_hebrew(sample) else encoding
    if encoding not in _LANGUAGES and encoding not in _NEVER:
        return encoding
    there = {page: _faults(sample, page) for page in _LANGUAGES if page != encoding}
    best = min(there, key=there.__getitem__)
    if encoding in _NEVER:
        return best
    letters = sum(character.isalpha() for character in sample.decode(best, errors="replace"))
    least = max(_LEAST_FAULTS, _LEAST_SHARE * letters, _CLEARLY * there[best])
    return best if _faults(sample, encoding) >= least else encoding


def _faults(sample: bytes, page: str) -> int:
    """Return what speaks against ``page``: faults in the one language of it that has fewest.

    A word that none of its languages could have counts once more: foreign names in a text are
    words of one language each.
    """
    text = sample.decode(page, errors="replace")
    words = Counter(word for word in _WORD.findall(_small(text, page)) if not word.isascii())
    found = len(_SYMBOL_IN_WORD.findall(text)) + len(_NO_TEXT.findall(text))
    languages = _LANGUAGES.get(page, ())
    if not words or not languages:
        return found + words.total()
    in_each = [0] * len(languages)
    in_none = 0
    for word, times in words.items():
        faults = [language.misspells(word) for language in languages]
        in_each = [total + one * times for total, one in zip(in_each, faults, strict=True)]
        in_none += times if all(faults) else 0
    return found + min(in_each) + in_none


def _small(text: str, page: str) -> str:
    # The small letter of İ would be two characters.
    text = text.replace("İ", "i")
    return (text.replace("I", "ı") if page == "cp1254" else text).lower()


def _is_hebrew(sample: bytes) -> bool:
    try:
        hebrew = _HEBREW_FAULT.findall(sample.decode("cp1255"))
    except UnicodeDecodeError:
        return False
    cyrillic = _CYRILLIC_FAULT.findall(sample.decode("cp1251", errors="replace"))
    return len(hebrew) < len(cyrillic)
