"""What reads and answers here: the site's language models, or sentences of the documents."""

from functools import cache

from django.conf import settings

from accounts.connections import release_connection
from accounts.tenancy import require_no_transaction
from knowledge.embedder import current_embedder
from retrieval.agent.extractive import ExtractiveReasoner
from retrieval.agent.presets import DEFAULT_PRESET
from retrieval.agent.reasoner import Reasoner
from retrieval.llm.chat import ChatModel

WITHOUT_MODEL = "naive"
"""Sentences are quoted from one round: rules neither plan nor explore."""


def current_reasoner() -> Reasoner:
    """Return what answers without a model: sentences of the documents themselves."""
    return ExtractiveReasoner(current_embedder())


def configured_models() -> dict[str, ChatModel]:
    """Return the site's language models by role, none where none is configured.

    There is a role "vision" only where a model is said to see.
    """
    if not settings.LLM_BASE_URL:
        return {}
    names = {"answer": settings.LLM_MODEL, "vision": settings.LLM_VISION_MODEL}
    return {
        role: _model(settings.LLM_BASE_URL, settings.LLM_API_KEY, name, settings.LLM_TIMEOUT_S)
        for role, name in names.items()
        if name
    }


def default_preset() -> str:
    """Return the preset of questions that choose none."""
    return DEFAULT_PRESET if configured_models() else WITHOUT_MODEL


@cache
def _model(base_url: str, api_key: str, name: str, timeout_s: float) -> ChatModel:
    """One client a process: what its server cannot do is learnt once."""
    from retrieval.llm.openai_model import OpenAIChatModel  # half a second of imports

    return OpenAIChatModel(
        base_url=base_url,
        api_key=api_key,
        model=name,
        timeout_s=timeout_s,
        before_call=_hold_nothing,
    )


def _hold_nothing() -> None:
    """Raise when a transaction is open, and give the connection back before the wait."""
    require_no_transaction("The model")
    release_connection()
