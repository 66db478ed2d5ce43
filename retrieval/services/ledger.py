"""The ledger's rows, written as soon as a call is over, and their sums for a run."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from accounts.tenancy import tenant_transaction
from retrieval.agent.metering import Spent
from retrieval.models import Run, UsageEntry
from retrieval.services.prices import cost_of


@dataclass(frozen=True, slots=True)
class Totals:
    """Tokens of all calls; None where any call's are unknown."""

    prompt: int | None
    completion: int | None
    cached: int | None
    estimated: bool

    @property
    def both(self) -> int | None:
        """Prompt and completion together; None where either is unknown."""
        if self.prompt is None or self.completion is None:
            return None
        return self.prompt + self.completion


@dataclass(slots=True)
class Ledger:
    """Writes the calls of one run. Safe to share between threads."""

    run: Run
    calls: list[Spent] = field(default_factory=list, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def record(self, spent: Spent) -> None:
        """Store a call, whatever becomes of its run."""
        with self._lock:
            self.calls.append(spent)
        usage_record(self.run.tenant_id, spent, run=self.run)

    def totals(self) -> Totals:
        """Return the sums over the calls so far; without any, a true zero."""
        return totals(self.calls)


def totals(calls: Sequence[Spent]) -> Totals:
    """Return the sums over these calls. Nobody reports what a call took that failed at once."""
    counted = [one.usage for one in calls if not (one.failed and one.usage.prompt is None)]
    unknown = len(counted) < len(calls)
    return Totals(
        prompt=None if unknown else _sum([usage.prompt for usage in counted]),
        completion=None if unknown else _sum([usage.completion for usage in counted]),
        cached=_sum([usage.cached for usage in counted]),
        estimated=any(usage.estimated for usage in counted),
    )


def usage_record(
    tenant_id: int,
    spent: Spent,
    *,
    run: Run | None = None,
    base_slug: str = "",
    by_asker: bool = True,
) -> None:
    """Store one call of a model in the tenant's ledger: as the asker's, if it was for a run of
    theirs and they caused it."""
    with tenant_transaction(tenant_id):
        UsageEntry.objects.create(
            tenant_id=tenant_id,
            purpose=spent.purpose,
            model=spent.model[:100],
            run_number=run.pk if run else None,
            user_id=run.user_id if run and by_asker else None,
            base_slug=run.base.slug if run else base_slug,
            prompt_tokens=spent.usage.prompt,
            completion_tokens=spent.usage.completion,
            cached_tokens=spent.usage.cached,
            estimated=spent.usage.estimated,
            failed=spent.failed,
            seconds=spent.seconds,
            cost=cost_of(spent.model, spent.usage),
        )


def _sum(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
