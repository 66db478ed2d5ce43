"""The vectors of stored questions, made anew after the model that serves their base has changed."""

import logging

from pgvector import HalfVector

from accounts.connections import release_connection
from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingError
from knowledge.models import KnowledgeBase
from retrieval.models import ExperienceQuestion, ExperienceSettings
from retrieval.models.experience import policy_of
from retrieval.services.search import query_vector

logger = logging.getLogger(__name__)

AT_ONCE = 50
"""Questions of a base that one sweep embeds: the worker has other work as well."""


def questions_embed(*, tenant: Tenant) -> int:
    """Embed questions whose vectors no search is compared with any more; return how many.

    The next call goes on from there. A model that does not answer now is asked again then.
    """
    with tenant_transaction(tenant):
        outdated = ExperienceQuestion.objects.outdated().values("base")
        found = KnowledgeBase.objects.filter(pk__in=outdated)
        bases = [base for base in found if policy_of(base) != ExperienceSettings.Policy.OFF]
    try:
        return sum(_embed(tenant, base) for base in bases)
    except EmbeddingError as error:
        logger.warning("The questions of tenant %s keep their old vectors: %s", tenant.pk, error)
        return 0
    finally:
        release_connection()


def _embed(tenant: Tenant, base: KnowledgeBase) -> int:
    """Embed some questions of a base, no connection held meanwhile. Raises EmbeddingError."""
    with tenant_transaction(tenant):
        outdated = ExperienceQuestion.objects.outdated().filter(base=base).order_by("pk")
        texts = list(outdated.values_list("pk", "text")[:AT_ONCE])
    for done, (key, text) in enumerate(texts):
        vector = query_vector(base, text)
        if vector.values is None:  # the model of former settings does not answer
            return done
        with tenant_transaction(tenant):
            ExperienceQuestion.objects.filter(pk=key).update(
                embedding_model=vector.model, dense=HalfVector(vector.values)
            )
    return len(texts)
