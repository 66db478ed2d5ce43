"""Addresses: ``kb://<knowledge base>/<folder>/.../<document>/<section>/.../<leaf>``, and subtrees.

Folders, if there are any, stand in front of the document: which component is the document's is
known to the base alone, in which no document has the path of a folder (`Uri.document` is the first
component, a folder's or a document's).

Errors: `InvalidUri` for anything that is not such an address. A malformed scope is never read as
"everything" (the empty path has no bounds here).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from .slugs import is_slug

SCHEME = "kb://"
ABSTRACT = ".abstract"
MAX_COMPONENTS = 64
MAX_COMPONENT_LENGTH = 200

_LEAF = re.compile(r"[ptf][1-9][0-9]{0,8}\Z")
_CHUNK = re.compile(r"c[1-9][0-9]{0,8}\Z")
_SENTENCE = re.compile(r"s[1-9][0-9]{0,8}\Z")
_ENUMERATED = re.compile(r"[a-z][0-9]+\Z")


class InvalidUri(ValueError):
    """An address that breaks the grammar; the message names the part that does."""


@dataclass(frozen=True, slots=True)
class Uri:
    """A parsed address; ``document`` is '' for a whole base, ``path`` '' for a whole document."""

    kb: str
    document: str = ""
    path: str = ""


def parse_uri(uri: str) -> Uri:
    """Return the parts of ``uri``; one trailing slash and percent-encoding are accepted.

    Raises `InvalidUri`.
    """
    if not uri.startswith(SCHEME):
        raise InvalidUri(f"An address starts with {SCHEME}, this one does not: {uri[:80]!r}")
    parts = uri[len(SCHEME) :].removesuffix("/").split("/")
    # Decoded after the split: an encoded slash must not make a component.
    try:
        parts = [unquote(part, errors="strict") if "%" in part else part for part in parts]
    except UnicodeDecodeError as error:
        raise InvalidUri(f"Percent-encoding is not UTF-8: {uri[:80]!r}") from error
    return _checked(parts)


def format_uri(kb: str, document: str = "", path: str = "") -> str:
    """Return the address of a base, document or node. Raises `InvalidUri`.

    ``document`` may have its folders in front.
    """
    if path and not document:
        raise InvalidUri("A path needs a document")
    parts = [kb, *(document.split("/") if document else []), *(path.split("/") if path else [])]
    _checked(parts)
    return SCHEME + "/".join(parts)


def prefixes(path: str) -> list[str]:
    """Return ``path`` and every path above it, the topmost first; nothing for the empty path."""
    components = path.split("/") if path else []
    return ["/".join(components[:end]) for end in range(1, len(components) + 1)]


def is_ancestor(ancestor: str, descendant: str) -> bool:
    """Return whether the components of ``ancestor`` are a proper prefix of ``descendant``'s.

    Both are paths or both are addresses; the empty path is above every other.
    """
    if not ancestor:
        return bool(descendant)
    return descendant.startswith(ancestor + "/")


def subtree_bounds(path: str) -> tuple[str, str, str]:
    """Return (path, low, high): a node lies in the subtree when its path equals the first or is
    in [low, high) by code points, which is how COLLATE "C" orders UTF-8; '0' follows '/'.

    Raises `InvalidUri` for the empty path, whose subtree is no such range.
    """
    if not path or path.startswith("/") or path.endswith("/"):
        raise InvalidUri(f"No path: {path!r}")
    return path, path + "/", path + "0"


def parent_path(path: str) -> str:
    """Return ``path`` without its last component; '' for a top one."""
    return path.rpartition("/")[0]


def _checked(parts: list[str]) -> Uri:
    if len(parts) > MAX_COMPONENTS:
        raise InvalidUri(f"An address has at most {MAX_COMPONENTS} components")
    for position, part in enumerate(parts):
        if len(part) > MAX_COMPONENT_LENGTH or not (part == ABSTRACT or is_slug(part)):
            raise InvalidUri(f"Component {position + 1} is not a name: {part[:80]!r}")
        if position < 2 and _is_enumerated(part):
            raise InvalidUri(f"{part!r} names a leaf, not a base or document")
    _check_order(parts[2:])
    return Uri(parts[0], parts[1] if len(parts) > 1 else "", "/".join(parts[2:]))


def _check_order(path: list[str]) -> None:
    """Sections, then at most one leaf (and its sentence), chunk or abstract."""
    for position, part in enumerate(path):
        if not _is_enumerated(part):
            continue
        rest = path[position + 1 :]
        fits = (
            (_LEAF.match(part) and (not rest or (len(rest) == 1 and _SENTENCE.match(rest[0]))))
            or (_CHUNK.match(part) and not rest)
            or (part == ABSTRACT and not rest)
        )
        if not fits:
            raise InvalidUri(f"{part!r} is no leaf, or something stands below it")
        return


def _is_enumerated(part: str) -> bool:
    return part == ABSTRACT or bool(_ENUMERATED.match(part))
