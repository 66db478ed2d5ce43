"""The hold of a worker on its run."""

from dataclasses import dataclass

from django.utils import timezone

from accounts.tenancy import tenant_transaction
from knowledge.models import IngestionRun


class LostClaim(Exception):
    """The run is no longer this worker's: another has it, or it was deleted."""


@dataclass(frozen=True, slots=True)
class Claim:
    tenant_id: int
    run_id: int
    version_id: int
    token: str

    def hold(self) -> IngestionRun:
        """Lock the run's row until the open transaction ends and return it.

        First in every transaction that writes for the run. Raises LostClaim.
        """
        run = (
            IngestionRun.objects.select_for_update(no_key=True)
            .filter(pk=self.run_id, claim=self.token, state=IngestionRun.State.RUNNING)
            .first()
        )
        if run is None:
            raise LostClaim
        return run

    def report(self, stage: str, done: int, total: int) -> None:
        """Store how far the run is, in a transaction of its own; it is the heartbeat as well.

        Raises LostClaim.
        """
        with tenant_transaction(self.tenant_id):
            self.note(stage, done, total)

    def note(self, stage: str, done: int, total: int) -> None:
        """Like `report`, in the caller's open transaction."""
        held = IngestionRun.objects.filter(
            pk=self.run_id, claim=self.token, state=IngestionRun.State.RUNNING
        ).update(stage=stage, done=done, total=total, heartbeat_at=timezone.now())
        if not held:
            raise LostClaim
