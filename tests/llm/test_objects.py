"""JSON objects in what models write: whole, wrapped, broken off, and still coming."""

from __future__ import annotations

import json
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.llm.field_reader import FieldReader
from retrieval.llm.objects import parse_object

TEXT = st.text(max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(TEXT, VALUES, st.sampled_from(["{}", "```json\n{}\n```", "Sure!\n{}\nDone."]), st.booleans())
def test_a_whole_object_is_read_as_a_parser_reads_it(
    answer: str, other: object, frame: str, ascii_only: bool
) -> None:
    value = {"quotes": other, "answer": answer, "sufficient": True}
    written = json.dumps(value, ensure_ascii=ascii_only)
    found = parse_object(frame.replace("{}", written), ["answer"])
    assert found == json.loads(written.replace("\\u0000", "\\ufffd"))


@given(TEXT, VALUES, st.lists(st.integers(0, 400), max_size=6), st.booleans())
def test_a_field_grows_to_its_value_however_the_text_is_cut(
    answer: str, other: object, cuts: list[int], ascii_only: bool
) -> None:
    value = {"quotes": other, "nested": {"answer": "no"}, "answer": answer, "after": [other]}
    written = json.dumps(value, ensure_ascii=ascii_only)
    reader = FieldReader("answer")
    seen = [""]
    bounds = [0, *sorted(cut for cut in cuts if cut < len(written)), len(written)]
    for start, end in pairwise(bounds):
        if reader.feed(written[start:end]):
            assert reader.value.startswith(seen[-1])
            seen.append(reader.value)
    assert seen[-1] == reader.value == answer.replace("\0", "\ufffd")


@given(st.text() | st.text(alphabet='{}[]",:\\u01 \n<think/>atr'))
def test_no_text_breaks_the_reading(text: str) -> None:
    found = parse_object(text)
    assert found is None or json.dumps(found).isascii()
    reader = FieldReader("a")
    for character in text:
        reader.feed(character)
    reader.value.encode()


@given(VALUES, st.integers(1, 300))
def test_what_is_broken_off_keeps_what_was_whole(other: object, length: int) -> None:
    written = json.dumps({"answer": "45 euros", "quotes": other, "sufficient": True})
    cut = written[: max(len('{"answer": "45 euros"'), length)]
    found = parse_object(cut, ["answer"])
    assert found is not None
    assert found["answer"] == "45 euros"
    assert parse_object(cut, cut=False) in (None, found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1,}', {"a": 1}),
        ('{"a": [1, 2,], "b": {"c": 3,},}', {"a": [1, 2], "b": {"c": 3}}),
        ('{"a": "line\nend"}', {"a": "line\nend"}),
        ('{"a": "x, }"', {"a": "x, }"}),
        ('{"a": 1, "b', {"a": 1}),
        ('{"a": 1, "b":', {"a": 1, "b": None}),
        ('{"a": 1, "b": tru', {"a": 1}),
        ('{"a": 1, "b": "x', {"a": 1, "b": None}),
        ('{"a": 1, "b": "x\\', {"a": 1, "b": None}),
        ('{"a": 1, "b": "x\\u00', {"a": 1, "b": None}),
        ('{"a": ["x", {"b": "y, z', {"a": ["x", {"b": None}]}),
        ('{"note": "first"} {"a": 1}', {"a": 1}),
        ('{"reply": {"a": 1}}', {"a": 1}),
        ('{"name": "answer", "arguments": {"a": 1}}', {"a": 1}),
        ('{"a": {"a": 1}}', {"a": {"a": 1}}),
        ('{"reply": [{"a": 1}]}', None),
        ("{" * 100_000, None),
        ('{"a":' * 100_000, None),
        ("[1, 2]", None),
        ('"a"', None),
        ("", None),
        ('{"a": ' + "9" * 10_000 + "}", None),
    ],
)
def test_broken_objects(text: str, expected: dict[str, object] | None) -> None:
    assert parse_object(text, ["a"]) == expected


@pytest.mark.parametrize(
    "written",
    [
        '<think>{"a": "draft"}</think>{"a": "answer"}',
        'So {"a": "draft"}, or rather\n</think>\n{"a": "answer"}',
        '[THINK]{"a": "draft"}[/THINK]{"a": "answer"}',
        '<|channel|>analysis<|message|>{"a": "draft"}<|end|><|channel|>final{"a": "answer"}',
        '<think>{"a": "answer"}',
    ],
)
def test_what_is_drafted_in_a_thought_is_no_answer(written: str) -> None:
    assert parse_object(written, ["a"]) == {"a": "answer"}


def test_a_thought_that_never_ended_holds_no_answer() -> None:
    assert parse_object('<think>\nPerhaps {"a": "draft"}, but', ["a"]) is None


def test_a_field_is_read_behind_a_thought() -> None:
    reader = FieldReader("answer")
    written = '<think>{"answer": "not this"}</think>\n```json\n{"answer": "45 \\ud83d\\ude00"}'
    for character in written:
        reader.feed(character)
    assert reader.value == "45 😀"


def test_a_long_thought_takes_no_longer_than_its_length() -> None:
    reader = FieldReader("answer")
    began = time.process_time()
    for piece in ["<think>", *["word "] * 20_000, "</think>", '{"answer": "45 euros"}']:
        reader.feed(piece)
    assert reader.value == "45 euros"
    assert time.process_time() - began < 3


def test_half_a_surrogate_pair_waits_for_its_other_half() -> None:
    reader = FieldReader("a")
    reader.feed('{"a": "x\\ud83d')
    assert reader.value == "x"
    reader.feed("\\ude00")
    assert reader.value == "x😀"
