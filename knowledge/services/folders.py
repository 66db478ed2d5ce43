"""Folders of a base: not rows of their own, but what the paths of its documents have in common.

See docs/decisions/0007-folders.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from pathlib import PurePosixPath

from knowledge.ingest.paths import prefixes
from knowledge.ingest.slugs import slug
from knowledge.models import Document, KnowledgeBase

MAX_FOLDERS = 20
MAX_LENGTH = 400


class TooDeep(ValueError):
    """The folders of a file are too many, or their names together too long."""


def free_path(base: KnowledgeBase, name: str) -> str:
    """Return the path of a new document of this file name: its folders' slugs, then its own.

    No document stands at it, above it or below it. The base is locked. Raises TooDeep.
    """
    file = PurePosixPath(name)
    folders = file.parent.parts
    if len(folders) > MAX_FOLDERS:
        raise TooDeep(f"It lies more than {MAX_FOLDERS} folders deep.")
    path = ""
    for folder in folders:
        path = _folder_path(base, f"{path}/{slug(folder)}" if path else slug(folder))
    own = slug(file.stem)
    path = _document_path(base, f"{path}/{own}" if path else own)
    if len(path) > MAX_LENGTH:
        raise TooDeep("The names of its folders are too long together.")
    return path


def _folder_path(base: KnowledgeBase, wanted: str) -> str:
    """Return the path of a folder, another one than wanted where a document has that."""
    taken = _taken(base, wanted)
    return next(path for path in _numbered(wanted) if path not in taken)


def _document_path(base: KnowledgeBase, wanted: str) -> str:
    taken = {path for given in _taken(base, wanted) for path in prefixes(given)}
    return next(path for path in _numbered(wanted) if path not in taken)


def _taken(base: KnowledgeBase, wanted: str) -> set[str]:
    documents = Document.objects.filter(base=base, path__startswith=wanted)
    return set(documents.values_list("path", flat=True))


def _numbered(wanted: str) -> Iterator[str]:
    """Yield the path, then with -2, -3 ... behind it."""
    return chain([wanted], (f"{wanted}-{number}" for number in count(2)))
