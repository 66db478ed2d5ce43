"""The hold of a worker on its run."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from knowledge.models import IngestionRun

logger = logging.getLogger(__name__)


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

    @contextmanager
    def kept_alive(self) -> Iterator[None]:
        """Renew the heartbeat in the background while the block computes.

        Reading and cutting a file of several megabytes can take longer than the silence after
        which the sweeper takes a worker for dead. One that hangs is ended by the queue's time-out.
        """
        with heartbeats(self._beat):
            yield

    def _beat(self) -> None:
        with tenant_transaction(self.tenant_id):
            IngestionRun.objects.filter(
                pk=self.run_id, claim=self.token, state=IngestionRun.State.RUNNING
            ).update(heartbeat_at=timezone.now())


@contextmanager
def heartbeats(beat: Callable[[], None]) -> Iterator[None]:
    """Call `beat` in a thread, four times in each silence, until the block is over."""
    over = threading.Event()
    thread = threading.Thread(target=_beat_until, args=(over, beat), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat_until(over: threading.Event, beat: Callable[[], None]) -> None:
    while not over.wait(settings.TASK_SILENCE_S / 4):
        try:
            beat()
        except DatabaseError:
            logger.exception("A heartbeat could not be written.")
        finally:
            release_connection()
