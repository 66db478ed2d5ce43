"""What is kept of an answer that grew before its reader's eyes."""

from __future__ import annotations

import pytest

from retrieval.services import answering
from retrieval.services.streaming import run_stream
from tests.answering.conftest import BLANK, Asking, saying
from tests.scripted_replies import say_json

QUESTION = "How long is the warranty of the SL-420?"
QUOTE = "The SL-420 has a warranty of 36 months."
ANSWER = "The documents say how long it is: it is 36 months [1]."


@pytest.fixture(autouse=True)
def _every_step_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "SNAPSHOT_S", 0.0)


def test_of_all_that_was_shown_of_an_answer_the_last_is_kept(asking: Asking) -> None:
    asking.script(saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION)
    with_numbers = list(asking.numbered(run))
    assert with_numbers[-1][0] > len(with_numbers)  # there were others
    assert [payload for _, kind, payload in with_numbers if kind == "answer"] == [{"text": ANSWER}]
    frames = list(run_stream(tenant_id=run.tenant_id, run_id=run.pk))
    assert [frame.answer for frame in frames if frame.kind == "answer"] == [ANSWER, ANSWER]


def test_an_answer_that_was_taken_back_is_not_kept(asking: Asking) -> None:
    asking.script(say_json({**BLANK, "answer": "It is 36 months, says nobody."}))
    run = asking.ask(QUESTION)
    assert run.abstained
    shown = [payload for _, kind, payload in asking.numbered(run) if kind == "answer"]
    assert shown == [{"text": ""}]
