"""A document comes back from the sandbox as it was, and bytes that are none do not come back."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import replace
from typing import Any

import pytest

from knowledge.ingest.parsers import parse
from knowledge.ingest.sandbox.codec import Malformed, decode, encode
from knowledge.ingest.tree import Leaf, NodeKind, ParsedDocument, Section, Span

SOURCE = """---
title: Hours
---
# Hours

The office opens at nine. Кухня закрывается в десять. 厨房十点关门。

## Prices

| what | price |
|---|---|
| tea | 1 |
| coffee | 2 |

- one
- two

```
code
more
```

![A picture](a.png)
"""
MOST = 1_000_000


def document() -> ParsedDocument:
    return parse(SOURCE.encode(), "hours.md")


def with_root(**changes: Any) -> bytes:
    parsed = document()
    return encode(replace(parsed, root=replace(parsed.root, **changes)))


def with_structure(change) -> bytes:
    """Return an encoded document whose JSON went through `change`."""
    data = encode(document())
    end = 8 + int.from_bytes(data[:8], "big")
    return data[:end] + json.dumps(change(json.loads(data[end:]))).encode()


def test_a_document_comes_back_as_it_was() -> None:
    parsed = document()
    assert {leaf.kind for leaf in parsed.root.leaves()} >= {"table", "list", "code", "paragraph"}
    assert decode(encode(parsed), max_chars=MOST) == parsed


def test_pages_and_boxes_come_back_as_they_were() -> None:
    leaf = Leaf(NodeKind.PARAGRAPH, Span(0, 4), (Span(0, 4),), (), 3, ((3.0, 1.5, 2.0, 9.0, 8.0),))
    root = Section("", 0, None, Span(0, 4), (leaf,))
    parsed = ParsedDocument("Text", "T", "en", root, "pdf", "1", 7, ("A warning.",))
    assert decode(encode(parsed), max_chars=MOST) == parsed


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        bytes(8),
        b"\xff" * 64,
        bytes(8) + b"null",
        bytes(8) + b"[]",
        bytes(8) + b"[" * 1_000_000,
        bytes(8) + b'{"a":' * 100_000,
        bytes(8) + b"[" + b"1," * 13_000_000 + b"1]",
        bytes(8) + b"9" * 10_000,
        pickle.dumps(document()),
        (4).to_bytes(8, "big") + b"\xff\xfe\xff\xfe" + b"[]",
    ],
)
def test_bytes_that_are_no_document_are_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        decode(data, max_chars=MOST)


@pytest.mark.parametrize(
    "changes",
    [
        {"span": Span(0, 10**6)},
        {"span": Span(1, 5)},
        {"children": (Leaf(NodeKind.PARAGRAPH, Span(5, 3)),)},
        {"children": (Leaf(NodeKind.PARAGRAPH, Span(0, 10**6)),)},
        {"children": (Leaf(NodeKind.PARAGRAPH, Span(4, 9)), Leaf(NodeKind.CODE, Span(2, 4)))},
        {"children": (Leaf(NodeKind.PARAGRAPH, Span(0, 9), (Span(0, 10),)),)},
        {"children": (Leaf(NodeKind.PARAGRAPH, Span(0, 9), page=0),)},
        {"children": (Leaf(NodeKind.PARAGRAPH, Span(0, 9), boxes=((float("nan"),),)),)},
        {"title": "a\x00b"},
        {"level": 2**40},
        {"level": -1},
    ],
)
def test_what_no_parser_may_give_is_refused(changes: dict) -> None:
    with pytest.raises(Malformed):
        decode(with_root(**changes), max_chars=MOST)


def test_sections_one_in_another_without_end_are_refused() -> None:
    section = Section("s", 1, None, Span(0, 1), ())
    for _ in range(100):
        section = Section("s", 1, None, Span(0, 1), (section,))
    parsed = replace(document(), text="x", root=section)
    with pytest.raises(Malformed):
        decode(encode(parsed), max_chars=MOST)


def test_a_text_longer_than_allowed_is_refused() -> None:
    with pytest.raises(Malformed):
        decode(encode(document()), max_chars=100)


@pytest.mark.parametrize("value", ["1", 1.5, True, None, [], {}, "\ud800"])
@pytest.mark.parametrize("place", range(7))
def test_a_value_of_another_type_is_refused(place: int, value: object) -> None:
    def change(values: list) -> list:
        expected = values[place]
        same = type(value) is type(expected) or (value is None and expected is None)
        values[place] = {"no": 1} if same and value != "\ud800" else value
        return values

    allowed_null = place == 5 and value is None  # pages
    if allowed_null or (place == 6 and value == []):
        decode(with_structure(lambda values: values), max_chars=MOST)
        return
    with pytest.raises(Malformed):
        decode(with_structure(change), max_chars=MOST)


def test_a_node_of_a_kind_that_there_is_none_of_is_refused() -> None:
    def change(values: list) -> list:
        values[2][4][0][0] = 7  # the kind of the first node below the root
        return values

    with pytest.raises(Malformed):
        decode(with_structure(change), max_chars=MOST)


def test_changed_bytes_give_a_sound_document_or_are_refused() -> None:
    chance = random.Random(1)  # noqa: S311  which bytes change must be the same in every run
    whole = encode(document())
    for _ in range(2_000):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            decoded = decode(bytes(data), max_chars=MOST)
        except Malformed:
            continue
        assert all(leaf.span.end <= len(decoded.text) for leaf in decoded.root.leaves())
