"""Tracked changes: which of two texts a reader is to see."""

from __future__ import annotations

from knowledge.ingest.plurals import counted
from knowledge.ingest.preflight import TrackedChanges

from .names import Element, W

Policy = TrackedChanges

_INSERTED = (W + "ins", W + "moveTo")
_DELETED = (W + "del", W + "moveFrom")


def is_change(element: Element) -> bool:
    """Return whether ``element`` wraps inserted, deleted or moved content."""
    return element.tag in _INSERTED or element.tag in _DELETED


def is_shown(element: Element, policy: Policy) -> bool:
    """Return whether the content of a change is part of the text under ``policy``."""
    if policy == "marked":
        return True
    return element.tag in (_INSERTED if policy == "accepted" else _DELETED)


def mark(element: Element) -> str:
    """Return the word that opens a change in the marked text."""
    return "inserted" if element.tag in _INSERTED else "deleted"


def goes_on(properties: Element | None, policy: Policy) -> bool:
    """Return whether the end of a paragraph is no end: its mark was deleted, or not yet inserted.

    ``properties`` is the w:pPr. In the marked text every end stands.
    """
    found = properties.find(W + "rPr") if properties is not None else None
    if found is None or policy == "marked":
        return False
    return any(found.find(name) is not None for name in _gone(policy))


def is_gone(properties: Element | None, policy: Policy) -> bool:
    """Return whether a row or cell is not part of the table; ``properties`` is its Pr element."""
    if properties is None or policy == "marked":
        return False
    cell = "cellDel" if policy == "accepted" else "cellIns"
    names = (*_gone(policy), W + cell)
    return any(properties.find(name) is not None for name in names)


def _gone(policy: Policy) -> tuple[str, str]:
    return _DELETED if policy == "accepted" else _INSERTED


def changes_told(body: Element, policy: Policy) -> tuple[str, ...]:
    """Return a sentence on what became of the tracked changes below ``body``, () without any.

    Changes of content and of rows are counted, each end of a moved text as one; marks at the end of
    a paragraph come with those.
    """
    inserted, deleted = (
        sum(_is_counted(element) for name in names for element in body.iter(name))
        for names in (_INSERTED, _DELETED)
    )
    if not inserted and not deleted:
        return ()
    new, old = counted(inserted, "insertion"), counted(deleted, "deletion")
    if policy == "marked":
        return (f"Tracked changes: {new} and {old} are marked in the text.",)
    if policy == "accepted":
        return (f"Tracked changes: {new} kept, {old} left out.",)
    return (f"Tracked changes: the text before them; {old} undone, {new} left out.",)


def _is_counted(element: Element) -> bool:
    parent = element.getparent()
    return len(element) > 0 or (parent is not None and parent.tag == W + "trPr")
