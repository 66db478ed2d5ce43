"""Who writes abstracts: set by the app that knows language models, which knowledge does not import.

Without one, and for tenants or bases it has none for, abstracts are sentences of the documents.
"""

from collections.abc import Callable

from knowledge.ingest.abstracts import AbstractWriter
from knowledge.models import KnowledgeBase

WriterFactory = Callable[[KnowledgeBase], AbstractWriter | None]
"""Returns who writes for a base; what it spends is the base's tenant's. Called once a version."""


def _nobody(base: KnowledgeBase) -> AbstractWriter | None:
    return None


_factory: WriterFactory = _nobody


def set_writers(factory: WriterFactory) -> None:
    """Let `factory` decide from now on who writes in this process."""
    global _factory
    _factory = factory


def writer_for(base: KnowledgeBase) -> AbstractWriter | None:
    """Return the model that writes the base's abstracts, None if there is none."""
    return _factory(base)
