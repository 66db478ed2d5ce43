"""The moment at which a base begins to be served by another model: one transaction."""

from django.db import connection
from django.db.models import Exists, F, FloatField, Func, IntegerField, OuterRef, Q, QuerySet

from knowledge.embedder import current_server
from knowledge.embedding import Embedder
from knowledge.models import EntryVector, IndexEntry, KnowledgeBase
from knowledge.services.reembedding import entries_to_change

_MOVE = """
    UPDATE {entries} entry
    SET dense = vector.dense, embedding_model = vector.model, input_hash = vector.input_hash
    FROM {vectors} vector
    WHERE vector.tenant_id = %s AND vector.base_id = %s
        AND entry.tenant_id = vector.tenant_id AND entry.id = vector.entry_id
"""


def serving_switch(base: KnowledgeBase, embedder: Embedder) -> bool:
    """Put the new vectors in the old ones' place; False if one is missing or no unit vector.

    In a transaction that has locked the base: publishing and deleting wait for it, searches do
    not, and see either all old vectors or all new. Bad vectors are deleted, to be made again.
    """
    vectors = EntryVector.objects.filter(base=base)
    if _bad(base, embedder).delete()[0]:
        return False
    missing = entries_to_change(base, embedder.name).filter(
        ~Exists(EntryVector.objects.filter(entry=OuterRef("pk")))
    )
    if missing.exists():
        return False
    tables = {"entries": IndexEntry._meta.db_table, "vectors": EntryVector._meta.db_table}
    with connection.cursor() as cursor:
        cursor.execute(_MOVE.format(**tables), [base.tenant_id, base.pk])
    vectors.delete()
    KnowledgeBase.objects.filter(pk=base.pk).update(
        serving_model=embedder.name, serving_server=current_server(), words_only_since=None
    )
    return True


def _bad(base: KnowledgeBase, embedder: Embedder) -> "QuerySet[EntryVector]":
    length = Func(F("dense"), function="l2_norm", output_field=FloatField())
    numbers = Func(F("dense"), function="vector_dims", output_field=IntegerField())
    wrong = Q(length__lt=0.5) | ~Q(numbers=embedder.dimensions) | ~Q(model=embedder.name)
    vectors = EntryVector.objects.filter(base=base).annotate(length=length, numbers=numbers)
    return vectors.filter(wrong)
