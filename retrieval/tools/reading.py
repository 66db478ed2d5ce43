"""read: the text at addresses, paged by tokens; of an abstract, which is no evidence, as well."""

import re
from dataclasses import dataclass

from django.db.models.functions import Substr

from accounts.tenancy import tenant_transaction
from knowledge.ingest.tokens import MIN_LIMIT, count_tokens, split_by_tokens
from knowledge.models import VersionText
from knowledge.services.lazy_abstracts import abstracts_shown
from retrieval.services.places import Place, abstract_of, is_folder, place_at
from retrieval.services.scopes import Scope, UnknownAddress, uri_of
from retrieval.tools.result import ToolItem, ToolResult

PAGE_TOKENS = 1_200
"""Tokens of one read; the agent asks for more where it needs more."""

NO_ABSTRACT = "There is no abstract of this; list it, or read it."
NO_CURSOR = "That is no cursor of this read."
_CURSOR = re.compile(r"(?P<number>[0-9]{1,4}):(?P<offset>[0-9]{1,9})\Z")
# More characters than a piece of `split_by_tokens` has a token, so that the next piece shows.
_WINDOW_PER_TOKEN = 8


@dataclass(frozen=True, slots=True)
class _Page:
    """A piece of what stands at an address; `rest` counts the characters behind it."""

    scope: Scope
    place: Place
    text: str
    rest: int


def read_items(scopes: list[Scope], cursor: str) -> ToolResult:
    """Return the texts in order, up to a page of tokens; `cursor` is item and character."""
    place = _place(cursor, len(scopes))
    if place is None:
        return ToolResult("read", error=NO_CURSOR)
    at, offset = place
    items: list[ToolItem] = []
    room = PAGE_TOKENS
    for number in range(at, len(scopes)):
        if room < MIN_LIMIT:
            return ToolResult("read", tuple(items), cursor=f"{number}:0")
        if not scopes[number].path:
            return ToolResult("read", tuple(items), error="That is a whole base; list it.")
        if _is_folder(scopes[number]):
            return ToolResult("read", tuple(items), error="That is a folder; list it.")
        if (told := _abstract(scopes[number])) is not None:
            if offset:
                return ToolResult("read", error=NO_CURSOR)
            items.append(told)
            room -= told.tokens
            continue
        page = _page(scopes[number], offset, room)
        if offset and not page.text:
            return ToolResult("read", error=NO_CURSOR)
        items.append(_item(page))
        room -= items[-1].tokens
        if page.rest:
            offset += len(page.text)
            return ToolResult("read", tuple(items), cursor=f"{number}:{offset}")
        offset = 0
    return ToolResult("read", tuple(items))


def _abstract(scope: Scope) -> ToolItem | None:
    """Return the abstract that the address names; None where it names anything else."""
    with tenant_transaction(scope.reader.tenant_id):
        place = abstract_of(scope.base, scope.path)
        if place is None or place.node is None:
            return None
        text = abstracts_shown(scope.base, [place.node]).get(place.node.pk, "")
    return ToolItem(
        handle="",
        uri=uri_of(scope.base, scope.path),
        kind="abstract",
        title=place.title,
        group=place.document.title,
        tokens=count_tokens(text),
        text=text or NO_ABSTRACT,
    )


def _is_folder(scope: Scope) -> bool:
    with tenant_transaction(scope.reader.tenant_id):
        return is_folder(scope.base, scope.path)


def _place(cursor: str, count: int) -> tuple[int, int] | None:
    if not cursor:
        return 0, 0
    match = _CURSOR.match(cursor)
    if match is None or int(match["number"]) >= count:
        return None
    return int(match["number"]), int(match["offset"])


def _page(scope: Scope, offset: int, tokens: int) -> _Page:
    """Return what fits from `offset` on. Of a long document only a window leaves the database.

    Raises UnknownAddress.
    """
    with tenant_transaction(scope.reader.tenant_id):
        place = place_at(scope.base, scope.path)
        if place is None:
            raise UnknownAddress(f"There is nothing at {scope.uri} any more.")
        start = place.start + offset
        length = max(0, min(place.end - start, tokens * _WINDOW_PER_TOKEN))
        # PostgreSQL counts characters from 1.
        window = Substr("content", start + 1, length)
        texts = VersionText.objects.filter(version_id=place.version_id)
        text = _head(texts.values_list(window, flat=True).get() if length else "", tokens)
    return _Page(scope, place, text, max(0, place.end - start - len(text)))


def _head(window: str, tokens: int) -> str:
    """Return as much of the window's beginning as fits, with the white space that follows it.

    So the pages together are the text, and none is blank at its end.
    """
    pieces = split_by_tokens(window, tokens)
    return window[: pieces[1].start] if len(pieces) > 1 else window


def _item(page: _Page) -> ToolItem:
    return ToolItem(
        handle="",
        uri=uri_of(page.scope.base, page.scope.path),
        kind=page.place.kind,
        title=page.place.title,
        group=page.place.document.title,
        tokens=count_tokens(page.text),
        text=page.text,
        page=page.place.page,
    )
