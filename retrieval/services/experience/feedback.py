"""A reader's verdict on an answer, and what follows for what was learnt.

An answer that is bad, or names a wrong source, blocks the edges that led to it and those that were
learnt from it. A verdict changed to good takes its own blocks back, and nobody else's.
"""

from django.db.models import Q
from django.utils import timezone

from accounts.models import Tenant, User
from accounts.tenancy import tenant_transaction
from retrieval.models import ExperienceEdge, Feedback, Run
from retrieval.services.experience.crediting import edges_given
from retrieval.services.experience.switching import edges_block, edges_unblock

NOT_FINISHED = "This answer is not finished; tell what you think of it once it is."
NO_VERDICT = "An answer can be good, bad, or name a wrong source; nothing was stored."


class FeedbackRefused(ValueError):
    """The verdict cannot be stored; the message says why."""


def feedback_give(*, tenant: Tenant, run: Run, user: User, verdict: str) -> Feedback:
    """Store what the run's reader thinks of its answer; the last verdict counts.

    Raises FeedbackRefused.
    """
    if verdict not in Feedback.Verdict.values:
        raise FeedbackRefused(NO_VERDICT)
    with tenant_transaction(tenant):
        # Learning from the run claims its row, so it comes before or after, never in between.
        run = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
        if run.state != Run.State.DONE:
            raise FeedbackRefused(NOT_FINISHED)
        before = Feedback.objects.filter(run=run).first()
        feedback = before or Feedback(tenant_id=tenant.pk, run=run)
        was_negative = before is not None and before.is_negative
        feedback.verdict, feedback.user = verdict, user
        if feedback.is_negative != was_negative:
            _turned(run, feedback)
            feedback.created_at = timezone.now()
        feedback.save()
    return feedback


def _turned(run: Run, feedback: Feedback) -> None:
    """Block or unblock edges when a run's answer becomes bad, or good again."""
    if feedback.is_negative:
        edges_block(_edges_of(run), run.pk)
        return
    edges_unblock(run.pk)
    if run.learned_at and run.learned_at > feedback.created_at:
        # It was looked through while it was held to be bad, so it has taught nothing yet.
        Run.objects.filter(pk=run.pk).update(learned_at=None, learning_at=None)


def _edges_of(run: Run) -> list[ExperienceEdge]:
    """Return the edges that the run was given and cited, and those that were learnt from it."""
    taught = Q(taught_by__contains=[run.pk])
    unnoted = Q(taught_by=[], question__run_number=run.pk)  # learnt before runs were noted
    return list(ExperienceEdge.objects.filter(Q(pk__in=edges_given(run).cited) | taught | unnoted))
