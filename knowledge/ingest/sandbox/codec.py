"""A parsed document as bytes that hold no code, and back again, every value checked.

Layout: the length of the text (8 bytes, big-endian), the text in UTF-8, then JSON in which a
dataclass is the array of its fields in order. The types are read off the dataclasses of `tree.py`,
so a new field there travels by itself. Pickle and marshal would run or crash on what a taken-over
child sends; JSON cannot, but a short one may unfold to much memory, so its values are counted
before it is read.

Errors: `Malformed` for bytes that are no such document.
"""

from __future__ import annotations

import base64
import json
import math
import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

from knowledge.ingest.tree import Leaf, ParsedDocument, Section, Span

MAX_STRUCTURE = 96 * 1024 * 1024
"""Bytes of the JSON."""
MAX_VALUES = 12_000_000
"""Commas in the JSON, brackets counted too: as Python objects at most some 700 MB."""
MAX_INTEGER = 2**31 - 1
MAX_DEPTH = 64

_LENGTH = 8

Decoder = Callable[[Any], Any]
Encoder = Callable[[Any], Any]
V = TypeVar("V")


class Malformed(ValueError):
    """Bytes that are no document."""


def encode(document: ParsedDocument) -> bytes:
    """Return `document` as bytes. Raises UnicodeEncodeError for a text with half characters."""
    text = document.text.encode("utf-8")
    structure = json.dumps(
        [_encoder(hint)(getattr(document, name)) for name, hint in _structure()],
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return len(text).to_bytes(_LENGTH, "big") + text + structure.encode("utf-8")


def decode(data: bytes | memoryview, *, max_chars: int) -> ParsedDocument:
    """Return the document in `data`, its spans inside the text and in order. Raises `Malformed`."""
    view = memoryview(data)
    end = _LENGTH + int.from_bytes(view[:_LENGTH], "big")
    if not _LENGTH <= end <= len(view) or end - _LENGTH > 4 * max_chars:
        raise Malformed("the text has another length than is said")
    try:
        text = str(view[_LENGTH:end], "utf-8")
        values = _json(bytes(view[end:]))
        document = _document(text, values)
    except (ValueError, TypeError, RecursionError, LookupError) as error:
        raise Malformed(str(error)[:200]) from error
    if len(text) > max_chars or "\x00" in text:
        raise Malformed("the text is too long, or holds a NUL")
    check(document)
    return document


def encode_value(value: Any) -> bytes:
    """Return an instance of a dataclass as bytes."""
    kind: Any = type(value)
    return json.dumps(_encoder(kind)(value), ensure_ascii=False).encode("utf-8")


def decode_value(data: bytes | memoryview, kind: type[V]) -> V:
    """Return the instance of the dataclass ``kind`` in ``data``. Raises `Malformed`."""
    hint: Any = kind
    try:
        value: V = _decoder(hint)(_json(bytes(data)))
    except (ValueError, TypeError, RecursionError, LookupError) as error:
        raise Malformed(str(error)[:200]) from error
    return value


def check(document: ParsedDocument) -> None:
    """Raise `Malformed` where a span leaves its parent's or starts before its neighbour's end."""
    if document.root.span != Span(0, len(document.text)):
        _refuse("the root does not span the text")
    _check_section(document.root, 0)


def _check_section(section: Section, depth: int) -> None:
    if depth > MAX_DEPTH:
        _refuse("the sections are nested too deeply")
    if section.heading is not None:
        _check_order([section.heading], section.span)
    _check_order([child.span for child in section.children], section.span)
    for child in section.children:
        if isinstance(child, Section):
            _check_section(child, depth + 1)
        else:
            _check_leaf(child)


def _check_leaf(leaf: Leaf) -> None:
    _check_order(leaf.sentences, leaf.span)
    _check_order([row.span for row in leaf.rows], leaf.span)
    if leaf.page is not None and leaf.page < 1:
        _refuse("a page is below 1")


def _check_order(spans: tuple[Span, ...] | list[Span], outer: Span) -> None:
    position = outer.start
    for span in spans:
        if not position <= span.start <= span.end <= outer.end:
            _refuse("a span is out of place")
        position = span.end


def _json(structure: bytes) -> Any:
    values = structure.count(b",") + 2 * structure.count(b"[") + 2 * structure.count(b"{")
    if len(structure) > MAX_STRUCTURE or values > MAX_VALUES:
        raise Malformed("the document has too many parts")
    return json.loads(structure, parse_constant=_refuse)


def _document(text: str, values: Any) -> ParsedDocument:
    parts = _structure()
    if not isinstance(values, list) or len(values) != len(parts):
        _refuse("no document")
    decoded = {
        name: _decoder(hint)(value) for (name, hint), value in zip(parts, values, strict=True)
    }
    return ParsedDocument(text=text, **decoded)


@cache
def _structure() -> tuple[tuple[str, Any], ...]:
    """Return name and type of every field but the text."""
    hints = get_type_hints(ParsedDocument)
    return tuple(
        (field.name, hints[field.name]) for field in fields(ParsedDocument) if field.name != "text"
    )


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((field.name, hints[field.name]) for field in fields(kind))


def _refuse(why: str) -> NoReturn:
    raise Malformed(why)


@cache
def _encoder(hint: Any) -> Encoder:
    """Return what turns a value of the type `hint` into one that JSON holds."""
    origin = get_origin(hint)
    if hint == tuple[Span, ...]:
        return lambda spans: [place for span in spans for place in (span.start, span.end)]
    if origin is tuple:
        items = get_args(hint)
        inner = items[0]
        if len(items) == 2 and items[1] is Ellipsis:
            return lambda values: [_encoder(inner)(value) for value in values]
        return lambda values: [
            _encoder(kind)(value) for kind, value in zip(items, values, strict=True)
        ]
    if origin in (Union, types.UnionType):
        return _union_encoder(get_args(hint))
    if isinstance(hint, type) and is_dataclass(hint):
        return lambda value: [_encoder(kind)(getattr(value, name)) for name, kind in _fields(hint)]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return lambda value: value.value
    if hint is bytes:
        return lambda value: base64.b64encode(value).decode("ascii")
    return lambda value: value


def _union_encoder(kinds: tuple[Any, ...]) -> Encoder:
    """An absent value is null; a dataclass among several is preceded by its place among them."""
    named = [kind for kind in kinds if kind is not type(None)]
    if len(named) == 1:
        return lambda value: None if value is None else _encoder(named[0])(value)

    def encode_one(value: Any) -> Any:
        if value is None:
            return None
        place = next(n for n, kind in enumerate(named) if isinstance(value, kind))
        return [place, _encoder(named[place])(value)]

    return encode_one


@cache
def _decoder(hint: Any) -> Decoder:
    """Return what turns JSON into a value of the type `hint`, or raises."""
    origin = get_origin(hint)
    if hint == tuple[Span, ...]:
        return _spans
    if origin is tuple:
        return _tuple_decoder(get_args(hint))
    if origin in (Union, types.UnionType):
        return _union_decoder(get_args(hint))
    if isinstance(hint, type) and is_dataclass(hint):
        return _dataclass_decoder(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    return _SCALARS[hint]


def _tuple_decoder(items: tuple[Any, ...]) -> Decoder:
    if len(items) == 2 and items[1] is Ellipsis:
        return lambda values: tuple(map(_decoder(items[0]), _list(values)))
    return lambda values: tuple(
        _decoder(kind)(value) for kind, value in zip(items, _list(values), strict=True)
    )


def _union_decoder(kinds: tuple[Any, ...]) -> Decoder:
    optional = type(None) in kinds
    named = [kind for kind in kinds if kind is not type(None)]

    def decode_one(value: Any) -> Any:
        if value is None and optional:
            return None
        if len(named) == 1:
            return _decoder(named[0])(value)
        place, inner = _list(value)
        return _decoder(named[_integer(place)])(inner)

    return decode_one


def _dataclass_decoder(kind: Any) -> Decoder:
    parts = _fields(kind)

    def decode_one(values: Any) -> Any:
        return kind(
            *(_decoder(hint)(value) for (_, hint), value in zip(parts, _list(values), strict=True))
        )

    return decode_one


def _spans(values: Any) -> tuple[Span, ...]:
    places = list(map(_integer, _list(values)))
    return tuple(map(Span, places[::2], places[1::2])) if len(places) % 2 == 0 else _refuse("span")


def _list(value: Any) -> list[Any]:
    return value if type(value) is list else _refuse("no list where one belongs")


def _integer(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MAX_INTEGER:
        _refuse("no whole number where one belongs")
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        _refuse("no number where one belongs")
    return float(value)


def _string(value: Any) -> str:
    if type(value) is not str or "\x00" in value:
        _refuse("no text where some belongs")
    value.encode("utf-8")  # raises for half a character
    return value


def _flag(value: Any) -> bool:
    return value if type(value) is bool else _refuse("neither true nor false")


def _bytes(value: Any) -> bytes:
    return base64.b64decode(_string(value), validate=True)


_SCALARS: dict[Any, Decoder] = {
    int: _integer,
    float: _number,
    str: _string,
    bool: _flag,
    bytes: _bytes,
}
