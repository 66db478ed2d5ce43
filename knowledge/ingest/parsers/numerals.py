"""Numbers in the forms in which lists count: digits, letters, Roman, Russian, Chinese."""

from __future__ import annotations

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
          (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщэюя"
_CHINESE = "〇一二三四五六七八九"


def numeral(number: int, form: str) -> str:
    """Return ``number`` as a w:numFmt writes it; forms not known here count in digits."""
    if form in ("lowerRoman", "upperRoman"):
        return _cased(_roman(number), form)
    if form in ("lowerLetter", "upperLetter"):
        return _cased(_letters(number, "abcdefghijklmnopqrstuvwxyz"), form)
    if form in ("russianLower", "russianUpper"):
        return _cased(_letters(number, _RUSSIAN), form)
    if form == "decimalZero":
        return f"{number:02}"
    if form == "ordinal":
        ending = (
            "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        )
        return f"{number}{ending}"
    if form.startswith(("chinese", "japaneseCounting", "ideographDigital", "taiwanese")):
        return _chinese(number)
    return "" if form == "none" else str(number)


def _cased(text: str, form: str) -> str:
    return text.upper() if form.startswith("upper") or form.endswith("Upper") else text


def _roman(number: int) -> str:
    if not 0 < number < 4_000:
        return str(number)
    text = ""
    for size, letters in _ROMAN:
        text += letters * (number // size)
        number %= size
    return text


def _letters(number: int, alphabet: str) -> str:
    """Return a, b, ..., z, aa, bb, ..., as Word counts."""
    if not 0 < number <= len(alphabet) * 20:
        return str(number)
    return alphabet[(number - 1) % len(alphabet)] * ((number - 1) // len(alphabet) + 1)


def _chinese(number: int) -> str:
    if not 0 < number < 100:
        return str(number)
    tens, ones = divmod(number, 10)
    head = "" if not tens else ("十" if tens == 1 else _CHINESE[tens] + "十")
    return head + (_CHINESE[ones] if ones else "")
