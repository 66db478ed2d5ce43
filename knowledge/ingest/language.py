"""The language of a text, by its script and its commonest words; cheap and deterministic."""

from __future__ import annotations

import re
from collections import Counter

UNKNOWN = "und"

# Enough to be sure of, and bounded however long the document is.
_SAMPLE = 20_000

_SCRIPTS = {
    "latin": "A-Za-z\u00aa-\u024f\u1e00-\u1eff",
    "cyrillic": "\u0400-\u052f",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "hebrew": "\u0590-\u05ff",
    "arabic": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc",
    "devanagari": "\u0900-\u097f",
    "bengali": "\u0980-\u09ff",
    "tamil": "\u0b80-\u0bff",
    "thai": "\u0e00-\u0e7f",
    "georgian": "\u10a0-\u10ff",
    "armenian": "\u0530-\u058f",
    "hangul": "\u1100-\u11ff\uac00-\ud7af",
    "kana": "\u3040-\u30ff\uff66-\uff9d",
    "han": "\u3400-\u9fff\uf900-\ufaff",
}
_SCRIPT = re.compile("|".join(f"(?P<{name}>[{range_}])" for name, range_ in _SCRIPTS.items()))
_OF_SCRIPT = {
    "greek": "el",
    "hebrew": "he",
    "devanagari": "hi",
    "bengali": "bn",
    "tamil": "ta",
    "thai": "th",
    "georgian": "ka",
    "armenian": "hy",
    "hangul": "ko",
    "kana": "ja",
    "han": "zh",
}

_STOP_WORDS = {
    "en": "the of and to in is that for with are this be by on as it or from not an which",
    "de": "der die das und ist nicht ein eine mit von zu den für auf dem des im sich werden wird",
    "fr": "le la les et des du une est pour dans que qui sur pas par avec au ce aux sont",
    "es": "el los las y que en una del por con para es se no su al como más está son",
    "it": "il di che e la è per una sono del della con non le gli nel alla dei da anche",
    "pt": "o os que e do da em um uma para com não por dos das ao no na se mais",
    "nl": "de het een en van is dat op te met voor niet zijn aan er om ook bij wordt door",
    "pl": "i w na z się nie że do jest to o jak przez dla po od za oraz ale są",
    "sv": "och att det som en på är av för med den till inte har om ett kan vid från eller",
    "tr": "ve bir bu için ile da de olarak daha olan en gibi çok ya olduğu her veya ise kadar ne",
}
_WORDS = {language: frozenset(words.split()) for language, words in _STOP_WORDS.items()}
_LATIN_WORD = re.compile(r"[^\W\d_]+")


def stop_words(language: str) -> frozenset[str]:
    """Return the commonest words of a language (ISO 639-1), none of one that is not listed."""
    return _WORDS.get(language, frozenset())


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of the language most of ``text`` is in, or 'und'.

    A fifth of kana makes Han text Japanese. Words of Latin script decide by stop words; fewer
    than one such word in fifty, or none, is 'und'.
    """
    sample = text[:_SAMPLE]
    counts: Counter[str] = Counter()
    for character, count in Counter(sample).items():
        if match := _SCRIPT.match(character):
            counts[match.lastgroup or ""] += count
    if not counts:
        return UNKNOWN
    # A character of these scripts says as much as two or three letters do.
    for dense in ("han", "kana", "hangul"):
        counts[dense] *= 2
    if counts["kana"] * 5 > counts["kana"] + counts["han"]:
        counts["kana"] += counts.pop("han")
    script = counts.most_common(1)[0][0]
    if script == "latin":
        return _of_latin(sample)
    if script == "cyrillic":
        return _of_cyrillic(sample)
    if script == "arabic":
        return "fa" if len(re.findall("[پچژگی]", sample)) * 25 > counts["arabic"] else "ar"
    return _OF_SCRIPT[script]


def _of_latin(sample: str) -> str:
    words = Counter(_LATIN_WORD.findall(sample.casefold()))
    scores = {language: sum(words[word] for word in stop) for language, stop in _WORDS.items()}
    best = max(scores, key=lambda language: scores[language])
    return best if scores[best] * 50 >= words.total() and scores[best] else UNKNOWN


def _of_cyrillic(sample: str) -> str:
    lower = sample.casefold()
    if len(re.findall("[іїєґ]", lower)) > len(re.findall("[ыэёъ]", lower)):
        return "uk"
    return "ru"
