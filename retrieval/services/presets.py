"""The preset that a base's questions are answered by."""

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.preset_choice import preset_require


def base_preset_set(*, tenant: Tenant, base: KnowledgeBase, name: str) -> None:
    """Let a base's questions be answered by a preset, '' being whatever fits the models.

    Nothing happens if the base has been deleted. Raises PresetRefused.
    """
    if name:
        preset_require(tenant, name)
    with tenant_transaction(tenant):
        KnowledgeBase.objects.filter(pk=base.pk).update(preset=name)
