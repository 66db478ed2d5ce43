"""Vectors that are kept: a text is sent to the server once, and its vector stays the same."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from knowledge.embedding import (
    EmbeddingUnavailable,
    RememberingEmbedder,
    ServerOptions,
    VectorMemory,
    embedder_for,
)
from knowledge.embedding.openai_compatible import OpenAICompatibleEmbedder
from tests.embedding.test_embedders import TEXTS
from tests.scripted_model import ScriptedModel
from tests.scripted_replies import Fail

NUMBERS = 64


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel(dimensions=NUMBERS) as server:
        yield server


def remembering(
    server: ScriptedModel,
    memory: VectorMemory | None = None,
    owner: str = "1",
    model: str = "scripted",
) -> RememberingEmbedder:
    options = ServerOptions(base_url=server.base_url, model=model, dimensions=NUMBERS)
    asked = OpenAICompatibleEmbedder(options, retries=0)
    return RememberingEmbedder(asked, VectorMemory() if memory is None else memory, owner)


def sent(server: ScriptedModel) -> list[str]:
    return [text for one in server.embedded for text in one.body["input"]]


def test_a_text_is_sent_once_and_new_ones_together(server: ScriptedModel) -> None:
    embedder = remembering(server)
    embedder.passages(["one", "two", "one"])
    embedder.passages(["three", "two", "one", "four"])
    assert [one.body["input"] for one in server.embedded] == [["one", "two"], ["three", "four"]]
    embedder.query("When?")
    embedder.query("When?")
    assert sent(server)[4:] == ["When?"]


@pytest.mark.parametrize("choice", ["bundled", "hashing"])
def test_vectors_are_those_of_the_embedder_to_the_last_bit(choice: str) -> None:
    plain = embedder_for(choice)
    embedder = RememberingEmbedder(plain, VectorMemory(), "1")
    embedder.passages(TEXTS[2:4])
    for _ in range(2):
        assert (embedder.passages(TEXTS) == plain.passages(TEXTS)).all()
        assert (embedder.query(TEXTS[0]) == plain.query(TEXTS[0])).all()


def test_a_vector_that_was_changed_by_its_receiver_is_given_unchanged(
    server: ScriptedModel,
) -> None:
    embedder = remembering(server)
    for _ in range(2):
        for vector in (embedder.passages(["one"])[0], embedder.query("one")):
            assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
            vector *= 2


def test_a_text_is_sent_again_for_another_purpose_model_and_owner(server: ScriptedModel) -> None:
    memory = VectorMemory()
    embedder = remembering(server, memory)
    embedder.passages(["one"])
    embedder.query("one")
    remembering(server, memory, model="another").passages(["one"])
    remembering(server, memory, owner="2").passages(["one"])
    assert sent(server) == ["one"] * 4
    remembering(server, memory).passages(["one"])  # a new one for each question
    assert sent(server) == ["one"] * 4


def test_what_was_not_used_for_longest_is_forgotten_first(server: ScriptedModel) -> None:
    embedder = remembering(server, VectorMemory(most_bytes=2_000))  # three vectors of 256 bytes
    embedder.passages(["one", "two", "three"])
    embedder.passages(["one"])
    embedder.passages(["four"])
    embedder.passages(["one", "three", "four"])
    assert sent(server) == ["one", "two", "three", "four"]
    embedder.passages(["two"])
    assert sent(server)[4:] == ["two"]


def test_more_texts_than_there_is_room_for_all_have_their_vectors(server: ScriptedModel) -> None:
    texts = [f"text {number}" for number in range(10)]
    plain = remembering(server).passages(texts)
    for room in (0, 2_000):
        embedder = remembering(server, VectorMemory(most_bytes=room))
        assert (embedder.passages(texts) == plain).all()
        assert (embedder.passages(texts) == plain).all()


def test_an_error_is_raised_and_not_remembered() -> None:
    with ScriptedModel(dimensions=NUMBERS, embeddings=[Fail(500)]) as server:
        embedder = remembering(server)
        with pytest.raises(EmbeddingUnavailable):
            embedder.passages(["one"])
        assert embedder.passages(["one"]).shape == (1, NUMBERS)


def test_threads_share_a_memory_that_stays_within_its_room() -> None:
    plain = embedder_for("hashing")
    embedder = RememberingEmbedder(plain, VectorMemory(most_bytes=20_000), "1")
    texts = [f"text {number}" for number in range(40)]
    expected = plain.passages(texts)
    results: list[bool] = []

    def embed(step: int) -> None:
        for start in range(0, 400, step):
            rows = [(start + number) % 40 for number in range(7)]
            vectors = embedder.passages([texts[row] for row in rows])
            results.append(bool((vectors == expected[rows]).all()))

    threads = [threading.Thread(target=embed, args=(step,)) for step in (1, 3, 7, 11)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(results)
    assert len(results) == sum(len(range(0, 400, step)) for step in (1, 3, 7, 11))
