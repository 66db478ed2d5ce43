"""Every sample becomes the tree, or the verdict, that stands beside it."""

from __future__ import annotations

import pytest

from knowledge.ingest.flatten import flatten
from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits, Refused
from tests.ingest.pdf.samples import SAMPLES
from tests.ingest.trees import (
    assert_chunks_are_sound,
    assert_tree_is_sound,
    chunks_of,
    outline,
)

NO_OCR = Limits(ocr="off")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_becomes_what_stands_beside_it(name: str) -> None:
    build, expected = SAMPLES[name]
    data = build()
    if isinstance(expected, str):
        with pytest.raises(Refused) as refusal:
            parse(data, "sample.pdf", limits=NO_OCR)
        assert refusal.value.verdict == expected
        assert refusal.value.sentence.endswith(".")
        return
    document = parse(data, "sample.pdf", limits=NO_OCR)
    nodes = flatten(document)
    assert_tree_is_sound(document, nodes)
    assert_chunks_are_sound(document, nodes, chunks_of(document), 1000)
    found = outline(document)
    assert [_cut(line, like) for line, like in zip(found, expected, strict=False)] == expected
    assert len(found) == len(expected)
    assert parse(data, "sample.pdf", limits=NO_OCR) == document


def _cut(line: str, like: str) -> str:
    if like.endswith("...") and line.startswith(like[:-3]):
        return like
    return line


@pytest.mark.parametrize("name", SAMPLES)
def test_leaves_stand_on_their_pages_in_order(name: str) -> None:
    build, expected = SAMPLES[name]
    if isinstance(expected, str):
        return
    document = parse(build(), "sample.pdf", limits=NO_OCR)
    last = 1
    for leaf in document.root.leaves():
        assert leaf.page is not None
        assert last <= leaf.page <= (document.pages or 0)
        last = leaf.page
        assert leaf.boxes
        for page, x0, y0, x1, y1 in leaf.boxes:
            assert page >= leaf.page
            assert x0 < x1
            assert y0 < y1
