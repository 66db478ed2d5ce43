"""English and German number words to their values."""

from __future__ import annotations

import re

_VALUES: tuple[int, ...] = (0, *range(2, 21), *range(30, 100, 10), 100, 1000, 10**6, 10**9)
# "One" and "ein" are not here: an article or a pronoun far more often than a number.
_ENGLISH: dict[str, int] = dict(
    zip(
        """
        zero two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy
        eighty ninety hundred thousand million billion
        """.split(),  # noqa: SIM905
        _VALUES,
        strict=True,
    )
)
_GERMAN: dict[str, int] = dict(
    zip(
        """
        null zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn
        fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig
        siebzig achtzig neunzig hundert tausend million milliarde
        """.split(),  # noqa: SIM905
        _VALUES,
        strict=True,
    )
) | {"zwo": 2, "dreissig": 30, "millionen": 10**6, "milliarden": 10**9}
_ORDINALS = {
    word: value
    for words in (
        "first second third fourth fifth sixth seventh eighth ninth tenth",
        "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte",
    )
    for value, word in enumerate(words.split(), start=1)
}
_NOT_ORDINAL = frozenset(["achten"])  # to heed


def english_value(word: str) -> int | None:
    """Return the value of a case-folded number word, ordinals up to ten included, else None."""
    return _ENGLISH.get(word, _ORDINALS.get(word))


def german_value(word: str) -> int | None:
    """Return the same of a German one, compounds (zweihundertfünfundzwanzig) included."""
    if word in _GERMAN:
        return _GERMAN[word]
    ordinal = re.sub(r"(?<=e)[nrsm]\Z", "", word)
    if ordinal in _ORDINALS and word not in _NOT_ORDINAL:
        return _ORDINALS[ordinal]
    for name, factor in (("tausend", 1000), ("hundert", 100)):
        head, found, tail = word.partition(name)
        if found:
            front = _counted(head)
            back = german_value(tail.removeprefix("und")) if tail else 0
            return None if front is None or back is None else front * factor + back
    unit, found, ten = word.partition("und")
    if not found or _GERMAN.get(ten, 0) < 20 or (one := _counted(unit or "-")) is None:
        return None
    return _GERMAN[ten] + one


def _counted(head: str) -> int | None:
    return 1 if head in ("", "ein") else german_value(head)
