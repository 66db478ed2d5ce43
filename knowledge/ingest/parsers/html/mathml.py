"""Formulas of MathML on one line, as those of Word are: a fraction is (a)/(b), a power x^(2)."""

from __future__ import annotations

from .note_marks import start_of_text
from .stylesheets import Element

# What stands in front of and behind the parts of each.
_SIGNS = {
    "msup": (("", ""), ("^(", ")")),
    "mover": (("", ""), ("^(", ")")),
    "msub": (("", ""), ("_(", ")")),
    "munder": (("", ""), ("_(", ")")),
    "msubsup": (("", ""), ("_(", ")"), ("^(", ")")),
    "munderover": (("", ""), ("_(", ")"), ("^(", ")")),
    "mfrac": (("(", ")"), ("/(", ")")),
    "mroot": (("(", ")"), ("^(1/(", "))")),
}


def write_formulas(root: Element) -> None:
    """Write into the formulas below ``root`` the signs that their places on the page tell."""
    for formula in root.iter(*_SIGNS):
        parts = list(formula)
        signs = _SIGNS[str(formula.tag)]
        if len(parts) != len(signs):
            continue
        formula.text = None
        for part, (before, after) in zip(parts, signs, strict=True):
            part.tail = (part.tail or "").strip() if part is not parts[-1] else part.tail
            enclose(part, before, after)
    for radical in root.iter("msqrt"):
        enclose(radical, "√(", ")")
    for number in root.iter("mn"):
        behind = number.getnext()
        if behind is not None and (behind.tag == "mfrac" or start_of_text(behind)[:1].isdecimal()):
            number.tail = " "
    for cell in root.iter("mtd"):
        cell.tail = f" {cell.tail or ''}"


def enclose(element: Element, before: str, after: str) -> None:
    """Put signs around the text of ``element``."""
    element.text = before + (element.text or "").lstrip()
    if len(element):
        element[-1].tail = (element[-1].tail or "").rstrip() + after
    else:
        element.text = element.text.rstrip() + after
