"""How languages of Latin letters spell, as far as that tells their code pages apart.

Each has its letters beyond ASCII, with those of common loan words, and what no word of it that has
such a letter looks like. The rules are those of the orthographies: a French ç stands before a, o
or u, a Portuguese õ before e, an Italian accent at the end. They need not be complete.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """Its letters beyond ASCII, small ones alone, and a pattern of what no word of it has."""

    letters: str
    fault: str = r"(?!)"

    def misspells(self, word: str) -> int:
        """Return how many letters of ``word``, which is in small ones, break its rules."""
        foreign = sum(letter > "\x7f" and letter not in self.letters for letter in word)
        return foreign + (re.search(self.fault, word) is not None)


# An open e, in French and in words from it: très, règle, Genève.
_GRAVE = r"è(?!s\b|[b-df-hj-np-tvxz]{1,3}e)"
# Of Polish, Hungarian and German, and of no Romance language.
_Z = r"[cds]z"
_ORDINAL = r"[ªº]\w\w"
_FRENCH = "|".join((
    _GRAVE, _Z, r"ç(?![aouâôû]|\b)", r"[âêî]\b", r"(?<!\bo)ù", r"k\w*[âêîû]|[âêîû]\w*k",
    r"[aeou]æ|æ[ao]",
    # sûr, coûter, dîmes and the past tenses: crût, fûmes, eût.
    r"(?<![bcdefl-pq-tvç])û|û(?![celmnrst]|\b)|(?<!e)ûn|tûr|û\b(?<!\b[bdlms]û)(?<!\bcrû)",
))  # fmt: skip
_ICELANDIC = "|".join((
    r"[cqwz]", r"\bð|ðý", r"[^e]im\b", r"æ[aeiouy]",
    # ský, glæný and few others end so; rándýr and víðsýn.
    r"ý\w*ý|\w\Bý\b(?<![bf]ý)(?<!\bný)(?<!æný)(?<!ský)(?<!hlý)|[aeiouáéíóúö]\w*(?<![rs])ý[klmnpt]\b",
    # It begins a stem, and few have a short vowel behind it.
    r"\Bþ\b|þ(?![aáeéiíjoóruúvyýæö]|\b)|þ(?=[aeiou])(?!a[fgknrtuð]|e[fgiklmnrstxyð]|i[glnstð]|o[klrt]|u[lmnr])",
))  # fmt: skip
# Its vowels follow each other by harmony, an ı only a or ı.
_TURKISH = "|".join((
    r"[qwx]", r"\bğ|[b-df-hj-np-tvyzş]ğ", r"[eiöü]ğ[aıou]|[aıou]ğ[eiöü]",
    r"[eioöuü][b-df-hj-np-tvyzçğş]{1,3}ı|ı[b-df-hj-np-tvyzçğş]{1,3}[eiöü]",
    r"\bş[bcdfghkmnpstvz]|[bcdgjlvz]ş", r"ie|ii\b", r"(?<![gkl])û|û\b|î\B",
    r"(?:\b|[bcdfgjmptvyz])[b-df-hj-np-tvyz]ç|ç[b-df-hj-np-tvyz]{2}",
))  # fmt: skip

LANGUAGES = {
    "cp1252": (
        Language("àâäçèéêôöüß", rf"{_GRAVE}|ç(?![aouâôû])|[âêô]\b"),  # German
        Language("àâæçèéêëîïôùûüÿœ", _FRENCH),
        Language("áâéêëîïôöû", r"[jkqvxz]|\bû|[áé]\w*[âêîôû]|[âêîôû]\w*[áé]"),  # Welsh
        Language("çë", r"w|\Bç[bcdfghjlmnpqrstvz]"),  # Albanian
        Language("ªºáèéíñóúü", rf"{_Z}|{_ORDINAL}|{_GRAVE}|ñ(?![aeiouáéíóúü])"),  # Spanish, Irish
        Language(
            "ªºàáâãçéêíóôõúü",  # Portuguese
            rf"{_Z}|{_ORDINAL}|[kwy]|õ(?!e)|ã(?![eios]|\b)|ç(?![aouáâãóôõú])|â\b",
        ),
        Language("ªºàèéìòù", rf"{_Z}|{_ORDINAL}|[jkwxy]|[àèìòù]\B"),  # Italian
        Language("àçèéíïòóúü", rf"{_Z}|[kw]|ç(?![aouàòóú]|\b)|(?<![aeiou])ï|è[aeo]"),  # Catalan
        Language(
            "áèéêëíïóöúü",  # Dutch
            rf"(?<!\bh){_GRAVE}|[ëïöü]\w*[áíóú]|[áíóú]\w*[ëïöü]|(?<![aeiou])[ëï]",
        ),
        Language(
            "äåæèéêòóôöø",  # Danish, Norwegian
            r"è\b|ò(?![gr])|[êô](?![lrt])|[aou]æ|æ[ao]|ø\w*[äö]|[äö]\w*ø",
        ),
        Language("àäåéöüšž", r"à\B"),  # Swedish, Finnish
        Language("äõöüšž", r"[cqwxyz]|[bdfg]õ|õ\b"),  # Estonian
        Language("áæéíðóöúýþ", _ICELANDIC),
    ),
    "cp1254": (Language("âçîöûüğış", _TURKISH),),
    "cp1250": (
        Language("áéíóúýčďěňřšťůž", r"[qw]|[ďňť][eií]"),  # Czech
        Language("áäéíóôúýčďľňšťž", r"[qw]|[ďľňť][eéií]"),  # Slovak
        Language("óąćęłńśźż", r"[qvx]|\b[ęńą]|[aeouyó][ąę]"),  # Polish
        Language("áéíóöúüőű", r"[qwx]"),  # Hungarian
        Language("âîăşţ", r"[kqwy]|ţ[bcdfghjklmnprstvxz]"),  # Romanian
        Language("ćčđšž", r"[qwxy]|đ[bcdfghkmprstz]"),  # Croatian, Slovene
    ),
    "cp1257": (
        Language("ąčėęįšūųž", r"[qwx]"),  # Lithuanian
        Language("āčēģīķļņšūž", r"[qwxy]"),  # Latvian
    ),
}  # fmt: skip
