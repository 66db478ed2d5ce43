"""What stands immediately in a base or a folder: folders first, then documents."""

from dataclasses import dataclass

from knowledge.models import Document
from retrieval.services.scopes import Scope, uri_of
from retrieval.tools.result import ToolItem

LIST_MAX = 200


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
    items += [document_item(scope, document) for document in shown]
    return tuple(items[: LIST_MAX + 1])


def document_item(scope: Scope, document: Document) -> ToolItem:
    """Return the item of a ready document, its current version joined."""
    version = document.current_version
    return ToolItem(
        handle="",
        uri=uri_of(scope.base, document.path),
        kind="document",
        title=document.title,
        group="",
        tokens=version.tokens,
        text=f"{document.filename}, {version.language}, "
        f"version {version.number} of {version.created_at:%Y-%m-%d}",
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
