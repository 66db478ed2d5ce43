"""Deleting documents for good: text, originals, vectors, statistics and what cites them."""

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import (
    Abstract,
    Document,
    Figure,
    IndexEntry,
    IngestionRun,
    KnowledgeBase,
    Node,
)
from knowledge.models.documents import DocumentQuerySet
from knowledge.services.statistics import statistics_remove


def document_delete(*, tenant: Tenant, document: Document) -> None:
    """Delete a document with all its versions; a second call finds nothing to do."""
    with tenant_transaction(tenant):
        if KnowledgeBase.objects.lock(document.base_id) is not None:
            documents_erase(Document.objects.filter(pk=document.pk))


def documents_erase(documents: DocumentQuerySet) -> None:
    """Delete these documents of one base, whose row the caller has locked, in an open transaction.

    Their runs are locked first, as publishing does it: a worker that is writing to a document ends
    its transaction before, one that comes later finds its run gone. So with the documents, which an
    answer keeps while it ends. Entries and nodes go by one statement each: through the ORM's
    cascade every row of a tree would be loaded first.
    """
    runs = IngestionRun.objects.filter(version__document__in=documents)
    list(runs.select_for_update(of=("self",), no_key=True).values_list("pk"))
    for document in documents.select_related("base").select_for_update(of=("self",)):
        if document.current_version_id is not None:
            statistics_remove(document.base, document.current_version_id)
        IndexEntry.objects.filter(document=document).delete()
        pictures = Figure.objects.filter(version__document=document)
        pictures._raw_delete(pictures.db)  # without loading their bytes
        abstracts = Abstract.objects.filter(version__document=document)
        abstracts._raw_delete(abstracts.db)
        nodes = Node.objects.filter(version__document=document)
        nodes._raw_delete(nodes.db)
        document.delete()
