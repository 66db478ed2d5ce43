"""The stored record of a run in progress: its events, its end, and whether it was told to stop."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Self

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from retrieval.agent.checking import Citation as CheckedCitation
from retrieval.agent.events import AnswerSnapshot, Event, Failed
from retrieval.models import Citation, Run, RunEvent


def snapshots_forget(run_ids: Collection[int]) -> None:
    """Delete the snapshots of answers but each run's last, which holds what the others held.

    The runs are over; in an open transaction.
    """
    snapshots = RunEvent.objects.filter(run__in=run_ids, kind=AnswerSnapshot.kind)
    later = snapshots.filter(run=OuterRef("run"), number__gt=OuterRef("number"))
    snapshots.filter(Exists(later)).delete()


@dataclass(slots=True)
class Journal:
    """Writes for one claimed run, each call in a short transaction of its own.

    `claim` fences it: a process that was given up for dead writes nothing any more.
    """

    tenant_id: int
    run_id: int
    claim: str
    events: int = field(default=0, init=False)
    _snapshots: int = field(default=0, init=False)

    def run(self) -> Run:
        """Return the run with its base."""
        with tenant_transaction(self.tenant_id):
            return Run.objects.select_related("base").get(pk=self.run_id)

    def write(self, event: Event) -> bool:
        """Store an event under the next number; return whether the run is to go on.

        It is not when someone pressed Stop, or it was taken from this process.
        """
        with tenant_transaction(self.tenant_id):
            held = self._running([self]).select_for_update(no_key=True)
            stop_requested = held.values_list("stop_requested", flat=True).first()
            if stop_requested is None:
                return False
            self._append([event])
        return not stop_requested

    @classmethod
    def beat(cls, works: Collection[Self]) -> None:
        """Give a sign of life of all, in an open transaction of their tenant."""
        cls._running(works).update(heartbeat_at=timezone.now())

    @classmethod
    def going_on(cls, works: Collection[Self]) -> set[int]:
        """Return the runs that nobody stopped or took from this process."""
        going_on = cls._running(works).filter(stop_requested=False)
        return set(going_on.values_list("pk", flat=True))

    def rewritten(self, question: str) -> None:
        """Store the question as it is searched for."""
        with tenant_transaction(self.tenant_id):
            Run.objects.filter(pk=self.run_id, claim=self.claim).update(rewritten=question)

    def spent(self, **fields: object) -> None:
        """Store the tokens of a run that ends early."""
        with tenant_transaction(self.tenant_id):
            Run.objects.filter(pk=self.run_id, claim=self.claim).update(**fields)

    def fail(self, sentence: str) -> None:
        """End the run as failed, with a sentence for the reader."""
        self.end(Run.State.FAILED, Failed(sentence), reason=sentence)

    def end(
        self,
        state: str,
        *events: Event,
        citations: tuple[CheckedCitation, ...] = (),
        **fields: object,
    ) -> None:
        """Store the outcome, its citations and its last events in one transaction."""
        with tenant_transaction(self.tenant_id):
            now = timezone.now()
            if not self._running([self]).update(state=state, finished_at=now, **fields):
                return
            Citation.objects.bulk_create([self._row(citation) for citation in citations])
            self._append(events)
            if self._snapshots > 1:
                snapshots_forget([self.run_id])

    @staticmethod
    def _running(journals: "Collection[Journal]") -> "QuerySet[Run]":
        """The runs that are still these journals' own; no two runs have the same claim."""
        return Run.objects.filter(
            pk__in=[one.run_id for one in journals],
            claim__in=[one.claim for one in journals],
            state=Run.State.RUNNING,
        )

    def _append(self, events: Collection[Event]) -> None:
        """Store events while the run's row is locked, which keeps their numbers in order."""
        rows = [
            RunEvent(
                tenant_id=self.tenant_id,
                run_id=self.run_id,
                number=number,
                kind=event.kind,
                payload=event.to_payload(),
            )
            for number, event in enumerate(events, self.events + 1)
        ]
        RunEvent.objects.bulk_create(rows)
        self.events += len(rows)
        self._snapshots += sum(row.kind == AnswerSnapshot.kind for row in rows)

    def _row(self, citation: CheckedCitation) -> Citation:
        return Citation(
            tenant_id=self.tenant_id,
            run_id=self.run_id,
            number=citation.number,
            document_id=citation.block.document_id,
            version_id=citation.block.version_id,
            path=citation.leaf.path,
            quote=citation.quote,
            char_start=citation.start,
            char_end=citation.end,
            page=citation.leaf.page,
            match=citation.match,
        )
