"""The reasoner of this process."""

from knowledge.embedder import current_embedder
from retrieval.agent.extractive import ExtractiveReasoner
from retrieval.agent.reasoner import Reasoner


def current_reasoner() -> Reasoner:
    """Return what writes answers here. Without a model, sentences of the documents themselves."""
    return ExtractiveReasoner(current_embedder())
