"""Is it text at all? Fonts without a true map to letters, told by the statistics of the letters.

A PDF draws glyphs; what letter a glyph is comes from a map that may be absent, shifted or wrong.
Each font is judged by itself, on a sample: a wrong map is wrong for the whole font.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise

# Letters by share of text, per thousand, rounded; from the usual frequency tables. Only the shape
# matters: a permuted alphabet has a similarity of .5 to .85 to the nearest of them, real text in
# these languages and their kin above .9 (measured on 64 documents).
_FREQUENCIES = {
    "en": "e127t91a82o75i70n67s63h61r60d43l40c28u28m24w24f22g20y20p19b15v10k8j2x2q1z1",
    "de": "e174n98i76s73r70a65t62d51h48u44l34c31g30m25o25b19w19f17k12z11v7p8j3y1x1q1",
    "fr": "e159a81s79i75t72n71r66u64l55o54d37c33m30p30v18q14f11b9g9h7j6x4y3z1w1k1",
    "es": "e137a125o87s80n67r69i62l50d50t46c40u39m32p25b22g18v11y10q9h7f7z5j5x2k1w1",
    "pl": "a99i82o86e88z65n57r46w46s50c40t40y38k35d33p31m28u25l21j23b15g14h11f3v1x1q1",
    "tr": "a118e94i139n72r70l60k57d49m38t36u46y34s48b28o31g25z15v10h12c20p9f5j1",
    "ru": "о109е85а80и74н67т63с55р47в45л44к35м32д30п28у26я20ы19ь17г17з16б16ч14й12х10ж9ш7ю6ц5щ4э3ф3",
    "uk": "о94а81н65и61і57в53т54е48р47с41к36л36у32м31д31п29я24з23ь18г16б18ч14й14х11ц8ї8ж8ю7ш7є4щ4",
    "el": "α115ο98ι93ε86τ79σ79ν70η55υ43ρ42π42κ40μ32λ28ω20δ17γ16χ12θ12φ8β7ξ5ζ3ψ2",
    "ar": "ا160ل117ي75م62ن60و62ر48ت47ب37ه37ع36د33س30ف28ك25ق25ح22ة38ج14ش13ص11أ25خ10ط11ض7ذ8ز6ث6غ5ء4",
    "he": "י113ו103ה98ל67א64ר60ת57ב52מ50ש46נ38ע35ד29ח26כ24פ22ק22ם24ט15ז14ס18ג14ן14צ12ך8ף3ץ2",
}
_SCRIPTS = {
    "latin": (re.compile("[a-z]"), ("en", "de", "fr", "es", "pl", "tr")),
    "cyrillic": (re.compile("[\u0400-\u04ff]"), ("ru", "uk")),
    "greek": (re.compile("[\u0370-\u03ff]"), ("el",)),
    "arabic": (re.compile("[\u0620-\u064a\u066e-\u06d5]"), ("ar",)),
    "hebrew": (re.compile("[\u05d0-\u05ea]"), ("he",)),
}
_ABJADS = frozenset({"arabic", "hebrew"})
# In every language vowels and consonants take turns, so words tell a true map where no table is for
# their language: of the pairs of letters .56 and more are one of each (88 translations of Django;
# Arabic and Persian have least), of a permuted alphabet mostly .1 to .5, rarely .6: of 20 at least
# 18 are found out. The scripts that leave vowels out have letters for some.
_VOWELS = frozenset(
    "aeiouyаеёиоуыэюяіїєөүұәαεηιουωאויע\u0627\u0648\u0649\u064a\u06cc\u06d0\u06d5\u06c6\u06c7\u06c8\u06ce"
)
_LEAST_TURNS = 0.56
_LEAST_TURNS_OF_ABJADS = 0.5
_COMMON_HAN = frozenset(
    "的一是不了在人有我他这個个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发"
    "后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因"
    "只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应"
    "向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原"
    "東為國來時說會對過發後種經動進樣開從實軍無與長機間關點業將兩問應頭體見產條款項目規定本合同"
)
_HAN = re.compile("[\u3400-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff]")
_UNKNOWN = re.compile("[\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff\x00-\x08\x0e-\x1f\x80-\x9f]")
# Nobody sees these, so they are left out of a text: between two letters they were a third one. In
# the scripts behind these, an invisible blank parts words.
_LOST = re.compile(
    "(?<=[A-Za-z\u00c0-\u0dff])[\x00-\x08\x0e-\x1f\u200b\u2060\ufeff]+(?=[A-Za-z\u00c0-\u0dff])"
)
_FILLERS = re.compile(r"[\s._\-–—…·•*=|\ue000-\uf8ff]+")
_MOJIBAKE = re.compile("[\u00a1-\u00ff\u0100-\u024f]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_NOT_WORD = re.compile(r"\W")

_LEAST_LETTERS = 300
_LEAST_SIMILARITY = 0.85
_LEAST_WORDS = 60
_MOST_UNKNOWN = 0.15
# Lost ligatures ("fi") are fewer.
_MOST_LOST = 0.02
_LEAST_COMMON_HAN = 0.03
_MOST_ACCENTED = 0.45
_LEAST_WORDY = 0.3


def garbled_fonts(samples: Mapping[str, list[str]]) -> frozenset[str]:
    """Return the names of the fonts whose text is none; ``samples`` holds text by font."""
    return frozenset(font for font, parts in samples.items() if is_garbled("".join(parts)))


def is_garbled(text: str) -> bool:
    """Return whether ``text`` comes from a wrong or absent map of glyphs to letters.

    Short texts, numbers and code are not; nor is real text of any script without a table here.
    """
    solid = _FILLERS.sub("", text)
    marks = sum(map(len, text.split()))
    unknown = len(_UNKNOWN.findall(text))
    if unknown >= 20 and unknown > _MOST_UNKNOWN * marks:
        return True
    lost = len(_LOST.findall(text))
    if lost >= 20 and lost > _MOST_LOST * marks:
        return True
    if len(solid) < _LEAST_LETTERS:
        return False
    return _strange_signs(solid) or _strange_letters(text, solid) or _strange_han(text)


def _strange_signs(solid: str) -> bool:
    """Return whether signs stand where letters would, or accents nearly everywhere."""
    signs = [sign for sign in _NOT_WORD.findall(solid) if unicodedata.category(sign)[0] != "M"]
    if len(solid) - len(signs) < _LEAST_WORDY * len(solid):
        return True
    accented = len(_MOJIBAKE.findall(solid))
    return accented > _MOST_ACCENTED * len(solid)


def _strange_letters(text: str, solid: str) -> bool:
    # Different words only: a form printed over and over follows no language.
    words = set(_WORD.findall(unicodedata.normalize("NFKC", text).lower()))
    if len(words) < _LEAST_WORDS:
        return False
    letters = sum(character.isalpha() for character in text)
    counts = Counter(unicodedata.normalize("NFKD", "".join(words)))
    for script, (pattern, languages) in _SCRIPTS.items():
        found = {key: count for key, count in counts.items() if pattern.match(key)}
        total = sum(found.values())
        # Letters among mostly digits are units and codes, which follow no language either.
        if total < _LEAST_LETTERS or letters * 3 < len(solid):
            continue
        best = max(_similarity(found, _reference(language)) for language in languages)
        least = _LEAST_TURNS_OF_ABJADS if script in _ABJADS else _LEAST_TURNS
        if best < _LEAST_SIMILARITY and _turns(words, pattern) < least:
            return True
    return False


def _turns(words: Iterable[str], script: re.Pattern[str]) -> float:
    """Return of how many pairs of letters in one ``script`` one is a vowel, one a consonant."""
    pairs = turns = 0
    for word in words:
        letters = [sign for sign in unicodedata.normalize("NFKD", word) if script.match(sign)]
        pairs += max(0, len(letters) - 1)
        turns += sum((a in _VOWELS) != (b in _VOWELS) for a, b in pairwise(letters))
    return turns / max(1, pairs)


def _strange_han(text: str) -> bool:
    han = _HAN.findall(text)
    if len(han) < _LEAST_LETTERS or len(_KANA.findall(text)) * 10 > len(han):
        return False
    common = sum(character in _COMMON_HAN for character in han)
    return common < _LEAST_COMMON_HAN * len(han)


@cache
def _reference(language: str) -> Mapping[str, float]:
    pairs = re.findall(r"(\D)(\d+)", _FREQUENCIES[language])
    return {letter: float(share) for letter, share in pairs}


def _similarity(counts: Mapping[str, int], reference: Mapping[str, float]) -> float:
    """Return the cosine of two distributions of letters, 0 to 1."""
    dot = sum(count * reference.get(letter, 0.0) for letter, count in counts.items())
    length = sum(count**2 for count in counts.values()) ** 0.5
    other = sum(share**2 for share in reference.values()) ** 0.5
    return float(dot / (length * other)) if length else 0.0
