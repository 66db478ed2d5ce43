"""Raised and lowered digits as Unicode has them: 10⁶, m², H₂O; as plain ones they fuse to 106."""

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
# Whole sentences are set in a small raised face too; nothing stands in front of their numbers.
_LONGEST = 20


def scripted(text: str, script: str) -> str:
    """Return the text of a run whose w:vertAlign is ``script``; letters stay as they are."""
    if script not in ("superscript", "subscript") or len(text) > _LONGEST:
        return text
    is_raised = script == "superscript"
    if _WITH_SIGN.match(text):
        return text.translate(_RAISED if is_raised else _LOWERED)
    return text.translate(_RAISED_DIGITS if is_raised else _LOWERED_DIGITS)
