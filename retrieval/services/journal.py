"""The stored record of a run in progress: its events, its end, and whether it was told to stop."""

from dataclasses import dataclass, field

from django.utils import timezone

from accounts.tenancy import tenant_transaction
from retrieval.agent.checking import Citation as CheckedCitation
from retrieval.agent.events import Event, Failed
from retrieval.models import Citation, Run, RunEvent


@dataclass(slots=True)
class Journal:
    """Writes for one claimed run, each call in a short transaction of its own.

    `claim` fences it: a process that was given up for dead writes nothing any more.
    """

    tenant_id: int
    run_id: int
    claim: str
    events: int = field(default=0, init=False)

    def run(self) -> Run:
        """Return the run with its base."""
        with tenant_transaction(self.tenant_id):
            return Run.objects.select_related("base").get(pk=self.run_id)

    def write(self, event: Event) -> None:
        """Store an event under the next number."""
        with tenant_transaction(self.tenant_id):
            if self._claimed():
                self._append(event)

    def beat(self) -> None:
        """Give a sign of life."""
        with tenant_transaction(self.tenant_id):
            self._claimed()

    def stop_requested(self) -> bool:
        """Return whether someone pressed Stop, or the run was taken from this process."""
        with tenant_transaction(self.tenant_id):
            return not Run.objects.filter(
                pk=self.run_id, claim=self.claim, state=Run.State.RUNNING, stop_requested=False
            ).exists()

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
        event: Event | None = None,
        citations: tuple[CheckedCitation, ...] = (),
        **fields: object,
    ) -> None:
        """Store the outcome, its citations and its last event in one transaction."""
        with tenant_transaction(self.tenant_id):
            ended = Run.objects.filter(
                pk=self.run_id, claim=self.claim, state=Run.State.RUNNING
            ).update(state=state, finished_at=timezone.now(), **fields)
            if not ended:
                return
            Citation.objects.bulk_create([self._row(citation) for citation in citations])
            if event is not None:
                self._append(event)

    def _claimed(self) -> bool:
        """Give a sign of life and return whether the run is still this process's own."""
        return bool(
            Run.objects.filter(pk=self.run_id, claim=self.claim, state=Run.State.RUNNING).update(
                heartbeat_at=timezone.now()
            )
        )

    def _append(self, event: Event) -> None:
        self.events += 1
        RunEvent.objects.create(
            tenant_id=self.tenant_id,
            run_id=self.run_id,
            number=self.events,
            kind=event.kind,
            payload=event.to_payload(),
        )

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
