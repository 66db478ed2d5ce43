"""Which parts of an equation are read: tracked changes by the policy, nothing struck or hidden."""

from __future__ import annotations

from copy import deepcopy

from lxml import etree

from knowledge.ingest.parsers.composing import STRUCK_OUT

from .names import Element, M
from .revisions import Policy, is_change, is_shown, mark
from .styles import Styles


def revised(element: Element, policy: Policy, styles: Styles, remarks: list[str]) -> Element:
    """Return a copy of an m:oMath or m:oMathPara with the text that ``policy`` gives.

    What it leaves out because it is struck out adds to ``remarks``.
    """
    copy = deepcopy(element)
    for change in [part for part in copy.iter(etree.Element) if is_change(part)]:
        control = change.getparent()
        if control is not None and control.tag == M + "ctrlPr":
            _undo_structure(control, change, policy)
        elif not is_shown(change, policy):
            _remove(change)
        elif policy == "marked":
            _enclose(change, mark(change))
    for run in list(copy.iter(M + "r")):
        look = styles.of_run(run)
        if look.hidden:
            _remove(run)
        elif look.struck and policy == "accepted":
            remarks.append(STRUCK_OUT)
            _remove(run)
        elif look.struck and policy == "marked":
            _enclose(run, "deleted")
    return copy


def _undo_structure(control: Element, change: Element, policy: Policy) -> None:
    """Leave the parts of a fraction or power that is not there in its line."""
    properties = control.getparent()
    built = properties.getparent() if properties is not None else None
    if built is not None and not is_shown(change, policy):
        built.tag = M + "box"


def _remove(element: Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _enclose(element: Element, word: str) -> None:
    for place, text in ((0, f"[{word}: "), (len(element) + 1, "]")):
        written = element.makeelement(M + "t")
        written.text = text
        element.insert(place, written)
