"""What answers where no language model does."""

from knowledge.embedder import current_embedder
from knowledge.embedding import RememberingEmbedder, VectorMemory
from retrieval.agent.extractive import ExtractiveReasoner
from retrieval.agent.reasoner import Reasoner

# A question compares up to 36 sentences, 15-40 ms each with the bundled model; the next one on the
# same subject meets many of them again.
_VECTORS = VectorMemory()


def current_reasoner(tenant_id: int) -> Reasoner:
    """Return what answers the tenant without a model: sentences of the documents themselves."""
    embedder = RememberingEmbedder(current_embedder(), _VECTORS, owner=str(tenant_id))
    return ExtractiveReasoner(embedder)
