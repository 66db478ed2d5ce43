"""Whether a model answers: one tiny call, its outcome in a sentence, its tokens in the ledger."""

import time
from dataclasses import dataclass

from retrieval.agent.metering import Spent
from retrieval.llm.chat import ChatRequest, Message, Usage
from retrieval.llm.errors import ModelError
from retrieval.model_resolver import model_of
from retrieval.models import LanguageModel
from retrieval.services.ledger import usage_record

WISH = "Reply with one word: ready"
PICTURE_WISH = "Which colour is this? Reply with one word."
MAX_TOKENS = 200
"""Room for a model that thinks before it says its word."""

RED = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsIty/dMY"
    "yQi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGB"
    "ywI6LQEAwyG+sAAAAABJRU5ErkJggg=="
)
"""64 x 64 pixels of one colour; Qwen2-VL, for one, takes no picture below 28."""


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    replied: bool
    sentence: str


def model_check(row: LanguageModel) -> CheckOutcome:
    """Return what came of asking the model for one word; no transaction may be open."""
    model = model_of(row)
    began = time.monotonic()
    try:
        reply = model.complete(_request(row))
    except ModelError as error:
        _record(row, error.usage or Usage(), began, failed=True)
        return CheckOutcome(False, f"“{row.name}” did not answer. {error.sentence}")
    _record(row, reply.usage, began)
    seconds = time.monotonic() - began
    return CheckOutcome(True, f"“{row.name}” answered in {seconds:.1f} seconds.")


def _request(row: LanguageModel) -> ChatRequest:
    message = Message("user", WISH)
    if row.role == LanguageModel.Role.VISION:
        message = Message("user", PICTURE_WISH, images=(RED,))
    return ChatRequest((message,), "check", max_tokens=MAX_TOKENS)


def _record(row: LanguageModel, usage: Usage, began: float, *, failed: bool = False) -> None:
    spent = Spent("check", row.name, usage, time.monotonic() - began, failed)
    usage_record(row.tenant_id, spent)
