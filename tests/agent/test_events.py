"""Events are stored as JSON and keep what they say."""

import json

import pytest

from retrieval.agent import events


@pytest.mark.parametrize(
    "event",
    [
        events.Started("Who?", "adaptive", "extractive", "kb://hr"),
        events.Searched("Who?", 3, 900, ("Handbook", "Price list")),
        events.Assembled(2, 700),
        events.AnswerSnapshot("Ada [1]"),
        events.CitationFound(1, 7, 9, "Handbook", "h/p1", ("Staff",), 4, 10, 13, "Ada", "exact"),
        events.Finished("Ada [1]", 1, 0.4),
        events.Abstained(
            "Nothing about it.", 0.2, ("lunch",), (events.Nearest("Handbook", 7, "h"),)
        ),
        events.Failed("The server did not answer."),
    ],
)
def test_every_event_has_its_own_kind_and_a_payload_of_plain_json(event):
    payload = event.to_payload()
    assert json.loads(json.dumps(payload)) == payload
    assert event.kind != events.Event.kind


def test_tokens_nobody_counted_are_unknown_and_not_zero():
    assert events.Finished("Ada [1]", 1, 0.4).to_payload()["prompt_tokens"] is None
