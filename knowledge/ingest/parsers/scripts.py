"""Raised and lowered text as Unicode or a sign tells it: 10⁶, m², H₂O, 10^(n+1).

As plain text 10⁶ would be 106. What has letters and numbers, or a point, has no characters of its
own and is written as in equations, '^(n+1)' and '_(i+1)'; other letters stay as they are, 20th.
"""

from __future__ import annotations

import re

_DIGITS = "0123456789"
_SIGNS = "+-−"
_RAISED_DIGITS = str.maketrans(_DIGITS, "⁰¹²³⁴⁵⁶⁷⁸⁹")
_RAISED = _RAISED_DIGITS | str.maketrans(_SIGNS, "⁺⁻⁻")
_LOWERED_DIGITS = str.maketrans(_DIGITS, "₀₁₂₃₄₅₆₇₈₉")
_LOWERED = _LOWERED_DIGITS | str.maketrans(_SIGNS, "₊₋₋")
# A dash between numbers or letters is no sign.
_WITH_SIGN = re.compile(r"\s*(?:[+\-−]?\d*|\d*[+\-−])\s*\Z")
_EXPRESSION = re.compile(
    r"(?:(?:[+\-−]|(?=[\w.,*/−–-]*[\d+−]))(?=[\w.,+\-−–*/]*[^\W\d_])|[+\-−]?\d+\.(?=\d))"
    r"[\w.,+\-−–*/]*\Z"
)
# Whole sentences are set in a small raised face too; nothing stands in front of their numbers.
_LONGEST = 20


def scripted(text: str, script: str) -> str:
    """Return the text of a run whose w:vertAlign is ``script``."""
    if script not in ("superscript", "subscript") or len(text) > _LONGEST:
        return text
    is_raised = script == "superscript"
    if _EXPRESSION.match(text):
        return f"{'^' if is_raised else '_'}({text})"
    if _WITH_SIGN.match(text):
        return text.translate(_RAISED if is_raised else _LOWERED)
    return text.translate(_RAISED_DIGITS if is_raised else _LOWERED_DIGITS)
