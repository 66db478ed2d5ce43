"""What the worker calls by the clock."""

from accounts.models import Tenant
from retrieval.services.sweeping import answers_sweep


def sweep() -> None:
    """Mark the answers that dead processes left, in every tenant."""
    for tenant in Tenant.objects.all():
        answers_sweep(tenant=tenant)
