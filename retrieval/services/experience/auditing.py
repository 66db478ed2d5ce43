"""The shadow audit: an answer of one round, asked once more of the full agent in the background.

The agent works without edges, through the asker's own eyes, within a run's budget; nobody sees its
answer but operators. Where it found something else, escalating would have been right (design 7).
"""

import logging
import uuid
from collections.abc import Callable
from dataclasses import replace

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingError
from retrieval.agent.auditing import Given, compared
from retrieval.agent.budget import BudgetExhausted
from retrieval.agent.events import Event
from retrieval.agent.metering import Meter, Spent
from retrieval.agent.pipeline import Outcome, Pipeline
from retrieval.agent.presets import PRESETS
from retrieval.agent.reading import ModelReader
from retrieval.llm.cancellation import Cancellation
from retrieval.llm.errors import Cancelled, ModelError
from retrieval.model_resolver import models_for
from retrieval.models import Citation, ExperienceSettings, Run
from retrieval.models.experience import policy_of
from retrieval.services.answering import reader_of, run_budget, value_in
from retrieval.services.experience.audit_claim import AuditClaim, audit_claim
from retrieval.services.heartbeat import beating
from retrieval.services.ledger import totals, usage_record
from retrieval.services.quotas import TokensSpent
from retrieval.services.retrieving import ScopeRetrieval
from retrieval.services.scopes import Scope, ScopeError, base_of

logger = logging.getLogger(__name__)

AUDITOR = "viking"
"""The preset that audits: the full agent, without experience."""

SWITCHED_OFF = "Experience was switched off for the base before the agent was asked."
CHANGED = "A document that the answer cites has changed or was deleted since."
NO_MODEL = "There is no language model any more."
BROKEN = "Something went wrong while the agent worked ({})."


def audit_execute(*, tenant_id: int, audit_id: int) -> None:
    """Carry out a queued audit; return at once if it is not queued any more.

    Raises nothing: whatever goes wrong ends on the audit's own row, tried again a few times.
    """
    claim = audit_claim(tenant_id, audit_id)
    if claim is None:
        return
    try:
        with beating(claim) as cancellation:
            _audit(claim, cancellation)
    except Cancelled:
        claim.put_back("The agent was stopped.")
    except TokensSpent as error:
        claim.put_back(str(error), counts=False)
    except ScopeError as error:
        claim.fail(str(error))
    except (ModelError, EmbeddingError, BudgetExhausted) as error:
        claim.put_back(str(error))
    except Exception:
        reference = uuid.uuid4().hex[:8]
        logger.exception("Audit %s failed, reference %s.", audit_id, reference)
        claim.put_back(BROKEN.format(reference))
    finally:
        release_connection()


def _audit(claim: AuditClaim, cancellation: Cancellation) -> None:
    run = claim.audit().run
    with tenant_transaction(claim.tenant_id):
        is_off = policy_of(run.base) == ExperienceSettings.Policy.OFF
        cited = list(Citation.objects.filter(run=run).select_related("document"))
    # What it cites goes with its document: without a citation there is nothing to compare with.
    changed = [one for one in cited if one.version_id != one.document.current_version_id]
    if is_off or changed or not cited:
        claim.end(reason=SWITCHED_OFF if is_off else CHANGED)
        return
    spent: list[Spent] = []
    outcome = _asked_again(claim, run, cancellation, _recorder(run, spent))
    if outcome is None:
        claim.fail(NO_MODEL)
        return
    checked = outcome.attempt.checked
    found = outcome.attempt.verdict.sufficient
    paths = sorted({one.leaf.path for one in checked.citations}) if found else []
    ours = Given(run.value, frozenset(one.path for one in cited))
    theirs = Given(value_in(outcome.attempt.draft), frozenset(paths)) if found else None
    comparison = compared(ours, theirs)
    claim.end(
        agrees=comparison.agrees,
        reason=comparison.reason,
        answer=checked.answer if found else "",
        paths=paths,
        tokens=totals(spent).both,
    )


def _asked_again(
    claim: AuditClaim, run: Run, cancellation: Cancellation, record: Callable[[Spent], None]
) -> Outcome | None:
    """Return what the agent found; None without a model.

    Raises Cancelled, ScopeError where the asker may not read the base any more, TokensSpent,
    ModelError, EmbeddingError and BudgetExhausted.
    """
    models = models_for(run.tenant_id)
    if "answer" not in models:
        return None
    budget = run_budget(run.tenant_id, None)
    reader = ModelReader(Meter(models, budget, record, cancellation))

    def emit(event: Event) -> None:
        if claim.stop_requested():
            raise Cancelled("The audit was taken from this process.")
        release_connection()

    scope = Scope(reader_of(run), run.base, run.scope)
    with tenant_transaction(run.tenant_id):
        base_of(scope)  # or the agent would be told at each tool that there is nothing
    pipeline = Pipeline(ScopeRetrieval(scope), reader, PRESETS[AUDITOR], emit)
    return pipeline.run(run.rewritten or run.question)


def _recorder(run: Run, spent: list[Spent]) -> Callable[[Spent], None]:
    def record(one: Spent) -> None:
        one = replace(one, purpose="audit")
        spent.append(one)
        usage_record(run.tenant_id, one, run=run, by_asker=False)

    return record
