"""The hold of one process on one audit; each call is a short transaction of its own."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

from django.utils import timezone

from accounts.tenancy import tenant_transaction
from retrieval.models import ShadowAudit
from retrieval.services.experience.audit_queue import MOST_ATTEMPTS


@dataclass(slots=True)
class AuditClaim:
    """An audit in its nth attempt, which fences it: who was given up for dead writes nothing.

    ``run_id`` is that of the audit's row, as `heartbeat.Work` names it.
    """

    tenant_id: int
    run_id: int
    attempt: int

    def audit(self) -> ShadowAudit:
        """Return the audit with its run and base."""
        with tenant_transaction(self.tenant_id):
            return ShadowAudit.objects.select_related("run__base").get(pk=self.run_id)

    @classmethod
    def beat(cls, works: Collection[Self]) -> None:
        """Give a sign of life of all, in an open transaction of their tenant."""
        ids = cls.going_on(works)
        ShadowAudit.objects.filter(pk__in=ids).update(heartbeat_at=timezone.now())

    @classmethod
    def going_on(cls, works: Collection[Self]) -> set[int]:
        """Return the audits that are still this process's own."""
        running = ShadowAudit.objects.filter(state=ShadowAudit.State.RUNNING)
        rows = running.filter(pk__in=[work.run_id for work in works])
        attempts = dict(rows.values_list("pk", "attempts"))
        return {one.run_id for one in works if attempts.get(one.run_id) == one.attempt}

    def stop_requested(self) -> bool:
        """Return whether the audit was taken from this process, or is gone with its run."""
        with tenant_transaction(self.tenant_id):
            return not ShadowAudit.objects.filter(**self._mine()).exists()

    def fail(self, sentence: str) -> None:
        """End the audit as failed for good."""
        self.end(state=ShadowAudit.State.FAILED, reason=sentence)

    def put_back(self, sentence: str, *, counts: bool = True) -> None:
        """Let it be tried again later, at most so often; what ``counts`` not, is no attempt."""
        if counts and self.attempt >= MOST_ATTEMPTS:
            self.fail(sentence)
            return
        self._update(
            state=ShadowAudit.State.QUEUED,
            attempts=self.attempt if counts else self.attempt - 1,
            reason=sentence,
            heartbeat_at=timezone.now(),
        )

    def end(self, **fields: object) -> None:
        """Store the outcome."""
        self._update(**{"state": ShadowAudit.State.DONE, "finished_at": timezone.now(), **fields})

    def _update(self, **fields: object) -> None:
        with tenant_transaction(self.tenant_id):
            ShadowAudit.objects.filter(**self._mine()).update(**fields)

    def _mine(self) -> dict[str, object]:
        return {
            "pk": self.run_id,
            "state": ShadowAudit.State.RUNNING,
            "attempts": self.attempt,
        }


def audit_claim(tenant_id: int, audit_id: int) -> AuditClaim | None:
    """Return the claim on a queued audit; None if it is not queued any more."""
    now = timezone.now()
    with tenant_transaction(tenant_id):
        queued = ShadowAudit.objects.filter(pk=audit_id, state=ShadowAudit.State.QUEUED)
        attempts = queued.values_list("attempts", flat=True).first()
        if attempts is None:
            return None
        claimed = queued.filter(attempts=attempts).update(
            state=ShadowAudit.State.RUNNING, attempts=attempts + 1, heartbeat_at=now
        )
    return AuditClaim(tenant_id, audit_id, attempts + 1) if claimed else None
