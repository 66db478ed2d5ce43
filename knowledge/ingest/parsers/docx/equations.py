"""Equations of Office (m:oMath) as one line of text: a fraction is (a)/(b), a power x^(2)."""

from __future__ import annotations

from collections.abc import Callable

from lxml import etree

from .names import Element, M, W

_SIMPLE = 1


def linear(element: Element) -> str:
    """Return an m:oMath, m:oMathPara or any part of one as text."""
    name = etree.QName(element).localname
    if element.tag in (M + "t", W + "t"):
        return element.text or ""
    if name.endswith("Pr"):
        return ""
    build = _BUILDERS.get(name)
    return build(element) if build else "".join(linear(child) for child in element)


def _part(element: Element, name: str) -> str:
    found = element.find(M + name)
    return linear(found).strip() if found is not None else ""


def _grouped(text: str) -> str:
    return text if len(text) <= _SIMPLE or text.isalnum() else f"({text})"


def _property(element: Element, group: str, name: str, default: str) -> str:
    found = element.find(f"{M}{group}/{M}{name}")
    return default if found is None else found.get(M + "val", default)


def _scripts(element: Element) -> str:
    sub, sup = _part(element, "sub"), _part(element, "sup")
    low = f"_{_grouped(sub)}" if sub else ""
    high = f"^{_grouped(sup)}" if sup else ""
    return low + high


def _fraction(element: Element) -> str:
    return f"{_grouped(_part(element, 'num'))}/{_grouped(_part(element, 'den'))}"


def _scripted(element: Element) -> str:
    return _grouped(_part(element, "e")) + _scripts(element)


def _before(element: Element) -> str:
    return _scripts(element) + _part(element, "e")


def _radical(element: Element) -> str:
    return f"{_part(element, 'deg')}√({_part(element, 'e')})"


def _nary(element: Element) -> str:
    sign = _property(element, "naryPr", "chr", "∫")
    return f"{sign}{_scripts(element)} {_part(element, 'e')}"


def _delimited(element: Element) -> str:
    begin = _property(element, "dPr", "begChr", "(")
    end = _property(element, "dPr", "endChr", ")")
    between = _property(element, "dPr", "sepChr", "|")
    return begin + between.join(linear(part) for part in element.findall(M + "e")) + end


def _function(element: Element) -> str:
    return f"{_part(element, 'fName')}({_part(element, 'e')})"


def _rows(element: Element) -> str:
    lines = [[linear(cell) for cell in row.findall(M + "e")] for row in element.findall(M + "mr")]
    return "[" + "; ".join(", ".join(line) for line in lines) + "]"


def _array(element: Element) -> str:
    return "; ".join(linear(part) for part in element.findall(M + "e"))


def _limit(element: Element) -> str:
    sign = "^" if element.tag == M + "limUpp" else "_"
    return f"{_part(element, 'e')}{sign}{_grouped(_part(element, 'lim'))}"


_BUILDERS: dict[str, Callable[[Element], str]] = {
    "f": _fraction,
    "sSup": _scripted,
    "sSub": _scripted,
    "sSubSup": _scripted,
    "sPre": _before,
    "rad": _radical,
    "nary": _nary,
    "d": _delimited,
    "func": _function,
    "m": _rows,
    "eqArr": _array,
    "limLow": _limit,
    "limUpp": _limit,
}
