"""Equations of Office (m:oMath) as one line of text: a fraction is (a)/(b), a power x^(2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lxml import etree

from .names import Element, M, W

_RUNS = (M + "r", M + "t", W + "t", W + "r")
_OPENING = "(√^_"


def linear(element: Element) -> str:
    """Return an m:oMath, m:oMathPara or any part of one as text.

    A space keeps a fraction, power or root apart from the numbers and names next to it: 3 1/2.
    """
    name = etree.QName(element).localname
    if element.tag in (M + "t", W + "t"):
        return element.text or ""
    if name.endswith("Pr"):
        return ""
    build = _BUILDERS.get(name)
    return build(element) if build else _joined(element)


def fraction(above: str, below: str) -> str:
    """Return two parts of an equation as one divided by the other."""
    return f"{grouped(above)}/{grouped(below)}"


def root(inside: str, degree: str = "") -> str:
    """Return the root of a part of an equation, the square one without a ``degree``."""
    return f"({inside})^(1/{grouped(degree)})" if degree else f"√({inside})"


def grouped(text: str) -> str:
    """Return a part of an equation in brackets, unless it is one sign, number or word."""
    return text if len(text) <= 1 or text.isdecimal() or text.isalpha() else f"({text})"


def joined(parts: Iterable[tuple[str, bool]]) -> str:
    """Return parts of an equation in a line; each tells whether it is more than plain signs."""
    text = ""
    was_built = False
    for part, is_built in parts:
        if not part:
            continue
        text += " " * _run_together(text, part, was_built, is_built) + part
        was_built = is_built
    return text


def _run_together(left: str, right: str, was_built: bool, is_built: bool) -> bool:
    """Return whether two parts would be read as something else without a space between them."""
    if not left or not (left[-1].isalnum() or left[-1] == ")"):
        return False
    if was_built and (right[0].isalnum() or right[0] in _OPENING):
        return True
    return is_built and (right[0].isdecimal() or right[0] in "^_")


def _joined(element: Element) -> str:
    return joined((linear(child), _is_built(child)) for child in element)


def _is_built(element: Element) -> bool:
    # Marks of changes and the like only hold what stands in the line.
    return element.tag not in _RUNS and etree.QName(element).localname in _BUILDERS


def _part(element: Element, name: str) -> str:
    found = element.find(M + name)
    return linear(found).strip() if found is not None else ""


def _property(element: Element, group: str, name: str, default: str) -> str:
    found = element.find(f"{M}{group}/{M}{name}")
    return default if found is None else found.get(M + "val", default)


def _scripts(element: Element) -> str:
    sub, sup = _part(element, "sub"), _part(element, "sup")
    low = f"_{grouped(sub)}" if sub else ""
    high = f"^{grouped(sup)}" if sup else ""
    return low + high


def _fraction(element: Element) -> str:
    above, below = _part(element, "num"), _part(element, "den")
    # Without a bar it is a binomial, or just two lines.
    if _property(element, "fPr", "type", "bar") == "noBar":
        return f"{above}; {below}"
    return fraction(above, below)


def _scripted(element: Element) -> str:
    return grouped(_part(element, "e")) + _scripts(element)


def _before(element: Element) -> str:
    base = _part(element, "e")
    return _scripts(element) + " " * base[:1].isdecimal() + base


def _radical(element: Element) -> str:
    return root(_part(element, "e"), _part(element, "deg"))


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


def _phantom(element: Element) -> str:
    """Return what takes up room, '' where nobody sees it."""
    is_hidden = _property(element, "phantPr", "show", "1") in ("0", "off", "false")
    return "" if is_hidden else _part(element, "e")


def _limit(element: Element) -> str:
    sign = "^" if element.tag == M + "limUpp" else "_"
    return f"{_part(element, 'e')}{sign}{grouped(_part(element, 'lim'))}"


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
    "phant": _phantom,
    "limLow": _limit,
    "limUpp": _limit,
}
