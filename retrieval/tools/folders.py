"""What stands immediately in a base or a folder: folders first, then documents."""

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.models import Document
from knowledge.reading.report import file_type
from knowledge.services.lazy_abstracts import document_abstracts
from retrieval.services.scopes import Scope, uri_of
from retrieval.tools.result import ToolItem

LIST_MAX = 200
PREVIEW = 200


@dataclass(slots=True)
class _Folder:
    title: str
    documents: int = 0
    tokens: int = 0


def folder_items(scope: Scope) -> tuple[ToolItem, ...]:
    """Return an item for each folder and document, at most one more than are shown."""
    ready = Document.objects.ready().filter(base=scope.base).at(scope.path)
    depth = scope.path.count("/") + 1 if scope.path else 0
    folders: dict[str, _Folder] = {}
    here: list[int] = []
    for key, path, filename, tokens in ready.values_list(
        "pk", "path", "filename", "current_version__tokens"
    ):
        components = path.split("/")
        if len(components) == depth + 1:
            here.append(key)
            continue
        below = "/".join(components[: depth + 1])
        folder = folders.setdefault(below, _Folder(filename.split("/")[depth]))
        folder.documents += 1
        folder.tokens += tokens
    items = [_folder_item(scope, path, folders[path]) for path in sorted(folders)]
    shown = ready.filter(pk__in=here[: LIST_MAX + 1]).select_related("current_version")
    items += document_items(scope, list(shown))
    return tuple(items[: LIST_MAX + 1])


def document_items(scope: Scope, documents: Sequence[Document]) -> tuple[ToolItem, ...]:
    """Return the cards of ready documents, their current versions joined, with their abstracts."""
    versions = [document.current_version_id for document in documents]
    about = document_abstracts(scope.base, [version for version in versions if version])
    return tuple(
        _document_item(scope, document, about.get(document.current_version_id or 0, ""))
        for document in documents
    )


def _document_item(scope: Scope, document: Document, about: str) -> ToolItem:
    version = document.current_version
    card = (
        f"{document.filename}, {file_type(document.filename)}, {version.language}, "
        f"version {version.number} of {version.created_at:%Y-%m-%d}"
    )
    return ToolItem(
        handle="",
        uri=uri_of(scope.base, document.path),
        kind="document",
        title=document.title,
        group="",
        tokens=version.tokens,
        text=f"{card}\n{about[:PREVIEW]}" if about else card,
    )


def _folder_item(scope: Scope, path: str, folder: _Folder) -> ToolItem:
    return ToolItem(
        handle="",
        uri=uri_of(scope.base, path),
        kind="folder",
        title=folder.title,
        group="",
        tokens=folder.tokens,
        text=f"{folder.documents} document{'' if folder.documents == 1 else 's'}",
    )
