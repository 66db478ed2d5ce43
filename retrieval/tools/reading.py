"""read: the text at addresses, paged by tokens."""

import re
from dataclasses import dataclass

from accounts.tenancy import tenant_transaction
from knowledge.ingest.tokens import MIN_LIMIT, count_tokens, split_by_tokens
from knowledge.models import VersionText
from retrieval.services.places import Place, place_at
from retrieval.services.scopes import Scope, UnknownAddress, uri_of
from retrieval.tools.result import ToolItem, ToolResult

PAGE_TOKENS = 1_200
"""Tokens of one read; the agent asks for more where it needs more."""

NO_CURSOR = "That is no cursor of this read."
_CURSOR = re.compile(r"(?P<number>[0-9]{1,4}):(?P<offset>[0-9]{1,9})\Z")
# More characters than a piece of `split_by_tokens` has a token, so that the next piece shows.
_WINDOW_PER_TOKEN = 8


@dataclass(frozen=True, slots=True)
class _Passage:
    """What stands at an address, with its text."""

    scope: Scope
    place: Place
    text: str


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
        passage = _passage(scopes[number])
        if passage is None:
            return ToolResult("read", tuple(items), error="That is a whole base; list it.")
        if offset and offset >= len(passage.text):
            return ToolResult("read", error=NO_CURSOR)
        item = _item(passage, _head(passage.text[offset:], room))
        items.append(item)
        room -= item.tokens
        offset += len(item.text)
        if offset < len(passage.text):
            return ToolResult("read", tuple(items), cursor=f"{number}:{offset}")
        offset = 0
    return ToolResult("read", tuple(items))


def _place(cursor: str, count: int) -> tuple[int, int] | None:
    if not cursor:
        return 0, 0
    match = _CURSOR.match(cursor)
    if match is None or int(match["number"]) >= count:
        return None
    return int(match["number"]), int(match["offset"])


def _head(text: str, tokens: int) -> str:
    """Return as much of the text's beginning as fits, with the white space that follows it.

    So the pages together are the text, and none is blank at its end.
    """
    window = text[: tokens * _WINDOW_PER_TOKEN]
    pieces = split_by_tokens(window, tokens)
    return window[: pieces[1].start] if len(pieces) > 1 else window


def _passage(scope: Scope) -> _Passage | None:
    if not scope.path:
        return None
    with tenant_transaction(scope.reader.tenant_id):
        place = place_at(scope.base, scope.path)
        if place is None:
            raise UnknownAddress(f"There is nothing at {scope.uri} any more.")
        text = VersionText.objects.get(version_id=place.version_id).content
    return _Passage(scope, place, text[place.start : place.end])


def _item(passage: _Passage, text: str) -> ToolItem:
    return ToolItem(
        handle="",
        uri=uri_of(passage.scope.base, passage.scope.path),
        kind=passage.place.kind,
        title=passage.place.title,
        group=passage.place.document.title,
        tokens=count_tokens(text),
        text=text,
        page=passage.place.page,
    )
