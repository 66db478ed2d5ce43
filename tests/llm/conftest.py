"""What the tests of the language model package share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from retrieval.llm.capabilities import CapabilityMemory
from retrieval.llm.openai_model import OpenAIChatModel
from tests.scripted_model import ScriptedModel

Serve = Callable[..., ScriptedModel]
Connect = Callable[..., OpenAIChatModel]

KEY = "sk-made-up-for-tests-0123456789"


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start scripted servers: `serve(reply, reply, refuses=...)`."""
    with ExitStack() as stack:
        yield lambda *replies, **options: stack.enter_context(ScriptedModel(*replies, **options))


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Make models that talk to a scripted server and hardly wait between attempts."""
    with ExitStack() as stack:

        def connected(server: ScriptedModel, **options: object) -> OpenAIChatModel:
            settings: dict = {
                "base_url": server.base_url,
                "api_key": KEY,
                "model": "scripted",
                "timeout_s": 30.0,
                "backoff_s": 0.01,
                "memory": CapabilityMemory(),
            }
            model = OpenAIChatModel(**(settings | options))
            stack.callback(model.close)
            return model

        yield connected
