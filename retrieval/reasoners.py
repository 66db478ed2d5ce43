"""The reasoner of this process."""

from knowledge.embedder import current_embedder
from retrieval.agent.extractive import ExtractiveReasoner
from retrieval.agent.reasoner import Reasoner
from retrieval.llm.chat import ChatModel


def current_reasoner() -> Reasoner:
    """Return what writes answers here. Without a model, sentences of the documents themselves."""
    return ExtractiveReasoner(current_embedder())


def configured_models() -> dict[str, ChatModel]:
    """Return the site's language models by role, none where none is configured."""
    return {}
