"""Which embedding model serves a base: the one that made the vectors its searches compare."""

from django.db.models import Q
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from knowledge.embedder import current_embedder, current_server
from knowledge.models import DocumentVersion, IndexEntry, KnowledgeBase
from knowledge.services.claims import LostClaim


class ModelChanged(Exception):
    """The base is served by another model than the one a version was just indexed by."""


def serving_settle(base: KnowledgeBase) -> None:
    """Read what serves the base; one that nothing serves yet is served as the settings say.

    Raises EmbeddingError, and LostClaim when the base is gone.
    """
    configured = current_embedder()
    with tenant_transaction(base.tenant_id):
        bases = KnowledgeBase.objects.filter(pk=base.pk)
        # One without a passage to find, too: there is nothing yet that the vectors must fit.
        bases.filter(Q(serving_model="") | Q(entry_count=0)).update(
            serving_model=configured.name, serving_server=current_server()
        )
        found = bases.values_list("serving_model", "serving_server").first()
    if found is None:
        raise LostClaim
    base.serving_model, base.serving_server = found


def serving_require(base: KnowledgeBase) -> None:
    """Raise ModelChanged if the base has changed since `serving_settle`; in a transaction."""
    same = KnowledgeBase.objects.filter(pk=base.pk, serving_model=base.serving_model)
    if not same.exists():
        raise ModelChanged


def words_only_note(base: KnowledgeBase, *, is_so: bool) -> None:
    """Note that searches of the base go by words alone, or do no longer, in an open transaction.

    The pages tell it. Who searches waits for nobody: a base that is being written to is left.
    """
    if is_so is (base.words_only_since is not None):
        return
    bases = KnowledgeBase.objects.filter(pk=base.pk)
    free = bases.select_for_update(of=("self",), no_key=True, skip_locked=True)
    if free.exists():
        bases.update(words_only_since=timezone.now() if is_so else None)


def version_require_served(base: KnowledgeBase, version: DocumentVersion) -> None:
    """Raise ModelChanged unless one model made the version's vectors, and it is of use.

    Of use are the one that serves the base, and the configured one, which the base changes to.
    In an open transaction that has locked the base, so that it stays true until its end.
    """
    made = IndexEntry.objects.filter(version=version).order_by()
    models = set(made.values_list("embedding_model", flat=True).distinct())
    if len(models) > 1 or not models <= {base.serving_model, current_embedder().name}:
        raise ModelChanged
