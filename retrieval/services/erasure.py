"""What goes with a document on this side, from the events of runs: its quotes, and its passages
that came near without answering.

Its citations go by the cascade. An answer stays with whoever asked; its markers then say that
their source was deleted. A run that ends meanwhile keeps its documents (`DocumentQuerySet.keep`),
so that it ends before the deletion looks, or after it is over.
"""

from typing import Any

from django.db.models import Q

from knowledge.models import Document
from retrieval.agent.sufficiency import INSUFFICIENT
from retrieval.models import Run, RunEvent


def forget_quotes(sender: type[Document], instance: Document, **kwargs: Any) -> None:
    """Delete the citation events of a document that is about to be deleted."""
    RunEvent.objects.filter(
        run__base_id=instance.base_id, kind="citation", payload__document_id=instance.pk
    ).delete()


def forget_nearest(sender: type[Document], instance: Document, **kwargs: Any) -> None:
    """Take the passages of a document that is about to be deleted out of abstentions."""
    events = RunEvent.objects.filter(
        run__base_id=instance.base_id,
        kind="abstained",
        payload__nearest__contains=[{"document_id": instance.pk}],
    )
    changed = list(events)
    for event in changed:
        event.payload["nearest"] = [
            near for near in event.payload["nearest"] if near["document_id"] != instance.pk
        ]
    RunEvent.objects.bulk_update(changed, ["payload"])


def forget_reasons(sender: type[Document], instance: Document, **kwargs: Any) -> None:
    """Say without its title why runs abstained that named a document about to be deleted."""
    names = Q(payload__named__contains=[instance.pk])
    # Earlier versions of Cairn did not store whom a reason names.
    may_name = ~Q(payload__has_key="named") & Q(run__reason__contains=instance.title)
    abstained = RunEvent.objects.filter(run__base_id=instance.base_id, kind="abstained")
    events = list(abstained.filter(names | may_name))
    for event in events:
        event.payload["reason"] = INSUFFICIENT
    RunEvent.objects.bulk_update(events, ["payload"])
    Run.objects.filter(pk__in=[event.run_id for event in events]).update(reason=INSUFFICIENT)
