"""The keys of stored questions, made anew after the rules they are read by have changed."""

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from retrieval.agent.phrases import question_language
from retrieval.experience import READ_BY, reading_of
from retrieval.models import ExperienceQuestion

AT_ONCE = 500
"""Questions that one sweep reads, mostly half a second: the worker has other work as well."""


def questions_read(*, tenant: Tenant) -> int:
    """Make the keys that are missing or made by other rules; return how many. The next call goes
    on from there.

    Keys of other rules are taken away first: a question without one is looked at by each look-up,
    one with another's by none. No row is held while questions are read.
    """
    with tenant_transaction(tenant):
        ExperienceQuestion.objects.read_otherwise(READ_BY).update(slots_key="")
        unread = ExperienceQuestion.objects.filter(slots_key="").order_by("pk")
        texts = list(unread.values_list("pk", "text")[:AT_ONCE])
    read = [
        ExperienceQuestion(pk=pk, slots_key=reading_of(text, question_language(text)).key)
        for pk, text in texts
    ]
    with tenant_transaction(tenant):
        ExperienceQuestion.objects.bulk_update(read, ["slots_key"], batch_size=100)
    return len(read)
