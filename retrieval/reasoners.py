"""What answers where no language model does."""

from knowledge.embedder import current_embedder
from retrieval.agent.extractive import ExtractiveReasoner
from retrieval.agent.reasoner import Reasoner


def current_reasoner() -> Reasoner:
    """Return what answers without a model: sentences of the documents themselves."""
    return ExtractiveReasoner(current_embedder())
