"""Embeddings of a server, over real HTTP: batches, faults, lengths."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import numpy as np
import pytest

from knowledge.embedder import current_embedder
from knowledge.embedding import (
    EmbeddingBadResult,
    EmbeddingError,
    EmbeddingUnavailable,
    ServerOptions,
    TextRefused,
    WrongDimensions,
)
from knowledge.embedding.openai_compatible import OpenAICompatibleEmbedder
from knowledge.ingest.tokens import count_tokens
from tests.scripted_model import ScriptedModel
from tests.scripted_replies import Endless, Fail, Vectors, rate_limited

KEY = "my-secret-key-0123456789"
Embed = Callable[..., tuple[ScriptedModel, OpenAICompatibleEmbedder]]


@pytest.fixture
def embed() -> Iterator[Embed]:
    """Start a scripted server and an embedder that talks to it and hardly waits."""
    with ExitStack() as stack:

        def started(
            options: dict | None = None, retries: int = 3, **scripted: object
        ) -> tuple[ScriptedModel, OpenAICompatibleEmbedder]:
            behaviour: dict = {"dimensions": 64} | scripted
            server = stack.enter_context(ScriptedModel(**behaviour))
            settings: dict = {"model": "scripted", "dimensions": 64, "api_key": KEY, "batch": 8}
            chosen = ServerOptions(base_url=server.base_url, **(settings | (options or {})))
            embedder = OpenAICompatibleEmbedder(chosen, retries=retries, backoff_s=0.01)
            stack.callback(embedder.close)
            return server, embedder

        yield started


def inputs(server: ScriptedModel) -> list[list[str]]:
    return [one.body["input"] for one in server.embedded]


def test_texts_go_in_batches_and_come_back_in_order(embed: Embed) -> None:
    server, embedder = embed()
    texts = [f"paragraph {number}" for number in range(20)]
    vectors = embedder.passages(texts)
    assert [len(batch) for batch in inputs(server)] == [8, 8, 4]
    alone = embedder.passages([texts[13]])[0]
    assert vectors[13] == pytest.approx(alone, abs=1e-5)
    assert server.embedded[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_batch_holds_no_more_tokens_than_servers_take(embed: Embed) -> None:
    server, embedder = embed({"max_tokens": 8_000})
    embedder.passages(["word " * 7_000] * 4)
    assert [len(batch) for batch in inputs(server)] == [2, 2]


@pytest.mark.parametrize(
    "faults",
    [[Fail(500), Fail(503)], [rate_limited("0")], [rate_limited("0.01"), Fail(502)]],
    ids=["5xx", "429", "both"],
)
def test_what_passes_is_tried_again(embed: Embed, faults: list[Fail]) -> None:
    server, embedder = embed(embeddings=faults)
    assert embedder.passages(["one", "two"]).shape == (2, 64)
    assert len(server.embedded) == len(faults) + 1


def test_a_wait_past_the_deadline_is_not_waited_for(embed: Embed) -> None:
    server, embedder = embed(embeddings=[rate_limited("3600")])
    with pytest.raises(EmbeddingUnavailable):
        embedder.query("one")
    assert len(server.embedded) == 1


def test_a_batch_that_is_refused_is_halved(embed: Embed) -> None:
    server, embedder = embed(embeddings=[Fail(413), Fail(400)])
    texts = [f"paragraph {number}" for number in range(8)]
    vectors = embedder.passages(texts)
    assert [len(batch) for batch in inputs(server)] == [8, 4, 2, 2, 4]
    assert vectors[7] == pytest.approx(embedder.passages([texts[7]])[0], abs=1e-5)


def test_a_text_that_cannot_be_embedded_is_named(embed: Embed) -> None:
    _, embedder = embed(rejects_text=lambda text: "poison" in text)
    texts = [f"paragraph {number}" for number in range(8)]
    texts[5] = "the poison paragraph"
    with pytest.raises(TextRefused, match="the poison paragraph"):
        embedder.passages(texts)
    assert issubclass(TextRefused, EmbeddingError)


def test_a_text_past_the_limit_is_cut_by_tokens_and_counted(embed: Embed) -> None:
    server, embedder = embed({"max_tokens": 100, "passage_prefix": "passage:"})
    embedder.passages(["short", "long words " * 500, "年假需要提前两周申请。" * 100])
    sent = inputs(server)[0]
    assert embedder.texts_cut == 2
    assert all(count_tokens(text) <= 100 for text in sent)
    assert all(text.startswith("passage: ") for text in sent)
    assert count_tokens(sent[1]) > 80


def test_a_text_that_the_servers_own_tokens_make_too_long_is_shortened(embed: Embed) -> None:
    server, embedder = embed({"max_tokens": 400}, embedding_max_tokens=100)
    vectors = embedder.passages(["short", "long words " * 150, "another"])
    assert vectors.shape == (3, 64)
    assert embedder.texts_cut == 1
    assert max(count_tokens(text) for text in inputs(server)[-2]) <= 100


def test_prefixes_tell_questions_from_passages_and_are_part_of_the_name(embed: Embed) -> None:
    server, embedder = embed({"query_prefix": "query:", "passage_prefix": "passage:"})
    embedder.query("how much")
    embedder.passages(["45 euros"])
    assert inputs(server) == [["query: how much"], ["passage: 45 euros"]]
    _, plain = embed()
    assert embedder.name != plain.name
    assert plain.name == "openai/scripted@64"
    _, long = embed({"model": "m" * 200})
    assert len(long.name) <= 100


def test_a_model_of_another_length_is_asked_for_the_one_configured(embed: Embed) -> None:
    server, embedder = embed({"dimensions": 32})
    assert embedder.passages(["one"]).shape == (1, 32)
    assert embedder.query("one").shape == (32,)
    assert [one.body.get("dimensions") for one in server.embedded] == [None, 32, 32]


def test_a_model_that_has_only_another_length_is_refused_with_both(embed: Embed) -> None:
    fixed = [Vectors(dimensions=48)] * 2
    _, embedder = embed(embeddings=fixed)
    with pytest.raises(WrongDimensions, match=r"48.*CAIRN_EMBEDDING_DIMENSIONS is 64"):
        embedder.passages(["one"])
    _, strict = embed(embeddings=[Vectors(dimensions=48), Fail(400, "no 'dimensions'")])
    with pytest.raises(WrongDimensions, match=r"48.*CAIRN_EMBEDDING_DIMENSIONS is 64"):
        strict.passages(["one"])


def test_four_thousand_dimensions_are_taken(embed: Embed) -> None:
    _, embedder = embed({"dimensions": 4_000}, dimensions=4_000)
    assert embedder.passages(["one", "two"]).shape == (2, 4_000)


@pytest.mark.parametrize(
    "fault",
    [
        Vectors(missing=1),
        Fail(200, body="<html>"),
        Fail(200, body={"data": []}),
        Fail(200, body={"data": [{"index": 0, "embedding": [1, None] * 32}]}),
        Fail(200, body={"data": [{"index": 0, "embedding": "abc"}]}),
        Fail(200, body={"data": [{"index": 0, "embedding": [0.0] * 64}]}),
        Fail(200, body='{"data": [{"index": 0'),
        Fail(200, body={"data": "vectors"}),
        Fail(200, body={"data": ["vector"]}),
        Fail(200, body={"data": [{"index": [0], "embedding": [1.0] * 64}]}),
        Fail(200, body={"data": [{"index": 0, "embedding": [10**400] * 64}]}),
        Fail(200, body={"data": [{"index": 0, "embedding": {"a": 1}}]}),
        Fail(200, body="[" * 200_000),
        Fail(200, body="\x1f", headers={"Content-Encoding": "gzip"}),
    ],
    ids=[
        *("one missing", "html", "none", "null", "text", "zeros", "cut", "a text", "texts"),
        *("odd index", "large numbers", "object", "deep", "packed"),
    ],
)
def test_what_is_no_set_of_vectors_is_a_bad_result(embed: Embed, fault: Fail | Vectors) -> None:
    _, embedder = embed(embeddings=[fault])
    with pytest.raises(EmbeddingBadResult):
        embedder.passages(["one"])


def test_an_answer_without_end_is_a_bad_result_after_a_few_megabytes(embed: Embed) -> None:
    server, embedder = embed(embeddings=[Endless(b"1.0, " * 10_000, b'{"data": [')])
    with pytest.raises(EmbeddingBadResult, match="longer than"):
        embedder.passages(["one"])
    (asked,) = server.embedded
    assert asked.ended.wait(10)
    assert asked.sent_bytes < 20 * 2**20


@pytest.mark.parametrize("status", [401, 403, 404, 429, 400, 500])
def test_no_error_holds_the_key(embed: Embed, status: int) -> None:
    _, embedder = embed(retries=0, embeddings=[Fail(status, f"Incorrect key {KEY}")] * 8)
    with pytest.raises(EmbeddingError) as caught:
        embedder.query("one")
    assert KEY not in f"{caught.value!r} {caught.value.__cause__!r} {embedder._options!r}"


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        options = ServerOptions(
            base_url=f"http://127.0.0.1:{taken.getsockname()[1]}/v1", model="x", dimensions=8
        )
        embedder = OpenAICompatibleEmbedder(options, retries=1, backoff_s=0.01)
        with closing(embedder), pytest.raises(EmbeddingUnavailable, match="cannot be reached"):
            embedder.query("one")


def test_nothing_is_asked_for_no_texts(embed: Embed) -> None:
    server, embedder = embed()
    assert embedder.passages([]).shape == (0, 64)
    assert server.embedded == []
    assert np.isfinite(embedder.passages([""])).all()


def test_the_settings_choose_it(settings) -> None:
    settings.EMBEDDING_SERVER = ServerOptions(
        base_url="http://127.0.0.1:1/v1", model="bge-m3", dimensions=1024
    )
    chosen = current_embedder()
    assert (chosen.name, chosen.dimensions) == ("openai/bge-m3@1024", 1024)
    settings.EMBEDDING_SERVER = None
    assert current_embedder().name.startswith("hashing")
