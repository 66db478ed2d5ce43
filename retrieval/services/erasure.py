"""What goes with a document on this side: the quotes kept in the events of the runs that cite it.

Its citations go by the cascade. An answer stays with whoever asked; its markers then say that
their source was deleted.
"""

from typing import Any

from knowledge.models import Document
from retrieval.models import RunEvent


def forget_quotes(sender: type[Document], instance: Document, **kwargs: Any) -> None:
    """Delete the citation events of a document that is about to be deleted."""
    RunEvent.objects.filter(
        run__citations__document=instance, kind="citation", payload__document_id=instance.pk
    ).delete()
