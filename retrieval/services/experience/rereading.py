"""The keys of stored questions, made anew after the rules they are read by have changed."""

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from retrieval.experience import READ_BY
from retrieval.models import ExperienceQuestion
from retrieval.services.experience.slotting import reading

AT_ONCE = 500
"""Questions that one sweep reads, half a second: the worker has other work as well."""


def questions_read(*, tenant: Tenant) -> int:
    """Make the keys that are missing or made by other rules; return how many. The next call goes
    on from there."""
    with tenant_transaction(tenant):
        rows = ExperienceQuestion.objects.read_otherwise(READ_BY).only("pk", "text")
        questions = list(rows.select_for_update(no_key=True).order_by("pk")[:AT_ONCE])
        for question in questions:
            question.slots_key = reading(question.text).key
        ExperienceQuestion.objects.bulk_update(questions, ["slots_key"], batch_size=100)
    return len(questions)
