"""read: the text at addresses, paged by tokens."""

from dataclasses import dataclass

from accounts.tenancy import tenant_transaction
from knowledge.ingest.tokens import count_tokens, split_by_tokens
from knowledge.models import VersionText
from retrieval.services.places import Place, place_at
from retrieval.services.scopes import Scope, UnknownAddress, uri_of
from retrieval.tools.result import ToolItem, ToolResult

PAGE_TOKENS = 1_200
"""Tokens of one read; the agent asks for more where it needs more."""


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
        return ToolResult("read", error="That is no cursor of this read.")
    at, offset = place
    items: list[ToolItem] = []
    room = PAGE_TOKENS
    for number in range(at, len(scopes)):
        passage = _passage(scopes[number])
        if passage is None:
            return ToolResult("read", tuple(items), error="That is a whole base; list it.")
        rest = passage.text[offset:]
        taken = _head(rest, room)
        items.append(_item(passage, taken))
        room -= count_tokens(taken)
        offset += len(taken)
        if offset < len(passage.text):
            return ToolResult("read", tuple(items), cursor=f"{number}:{offset}")
        offset = 0
        if room <= 0 and number + 1 < len(scopes):
            return ToolResult("read", tuple(items), cursor=f"{number + 1}:0")
    return ToolResult("read", tuple(items))


def _place(cursor: str, count: int) -> tuple[int, int] | None:
    if not cursor:
        return 0, 0
    number, _, offset = cursor.partition(":")
    if not (number.isdigit() and offset.isdigit()) or int(number) >= count:
        return None
    return int(number), int(offset)


def _head(text: str, tokens: int) -> str:
    """Return as much of the text's beginning as fits; at least something."""
    if not text:
        return ""
    (first, *_) = split_by_tokens(text, max(1, tokens))
    return text[: first.end]


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
