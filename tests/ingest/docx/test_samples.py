"""Each sample becomes the outline, or ends in the verdict, that stands beside it."""

from __future__ import annotations

import pytest

from knowledge.ingest.flatten import flatten
from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Refused, Verdict
from tests.ingest.docx.samples import SAMPLES
from tests.ingest.trees import assert_chunks_are_sound, assert_tree_is_sound, chunks_of, outline


@pytest.mark.parametrize("name", SAMPLES)
def test_a_word_document_becomes_what_its_sample_says(name: str) -> None:
    build, expected = SAMPLES[name]
    data = build()
    if isinstance(expected, Verdict):
        with pytest.raises(Refused) as refusal:
            parse(data, f"{name}.docx")
        assert refusal.value.verdict is expected
        assert refusal.value.sentence.endswith(".")
        return
    document = parse(data, f"{name}.docx")
    assert outline(document) == expected
    assert document == parse(data, f"{name}.docx")
    nodes = flatten(document)
    assert_tree_is_sound(document, nodes)
    assert_chunks_are_sound(
        document, nodes, chunks_of(document, max_tokens=60, target_tokens=40), 60
    )
