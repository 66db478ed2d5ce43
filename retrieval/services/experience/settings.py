"""What a base does with experience."""

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.models import ExperienceSettings


def experience_set(
    *, tenant: Tenant, base: KnowledgeBase, policy: str, audit_share: float
) -> ExperienceSettings:
    """Store a base's policy and the share of its answers that are audited, 0 to 1."""
    with tenant_transaction(tenant):
        row, _ = ExperienceSettings.objects.update_or_create(
            tenant_id=tenant.pk,
            base=base,
            defaults={"policy": policy, "audit_share": audit_share},
        )
    return row
