"""The embedder of this process, guarded against being called with a transaction open."""

from collections.abc import Sequence

from django.conf import settings

from accounts.tenancy import require_no_transaction
from knowledge.embedding import Embedder, embedder_for
from knowledge.embedding.embedder import Vectors


class GuardedEmbedder:
    """Passes calls on; raises accounts.tenancy.OpenTransaction when a transaction is open."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.max_tokens = embedder.max_tokens

    def passages(self, texts: Sequence[str]) -> Vectors:
        require_no_transaction("The embedder")
        return self._embedder.passages(texts)

    def query(self, text: str) -> Vectors:
        require_no_transaction("The embedder")
        return self._embedder.query(text)


def current_embedder() -> Embedder:
    """Return the embedder that the settings choose. Raises EmbeddingError."""
    return GuardedEmbedder(embedder_for(settings.EMBEDDING_SERVER or settings.EMBEDDER))
