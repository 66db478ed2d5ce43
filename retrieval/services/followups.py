"""What was said before a question in its conversation."""

from accounts.tenancy import tenant_transaction
from retrieval.agent.framing import as_data
from retrieval.agent.markers import without_markers
from retrieval.models import Run

MOST_TURNS = 3
LONGEST_ANSWER = 500
"""Characters of an earlier answer that a follow-up is understood with."""


def turns_before(run: Run) -> tuple[str, ...]:
    """Return the last turns before a run, oldest first, a line each; none for a first question."""
    if run.conversation_id is None:
        return ()
    with tenant_transaction(run.tenant_id):
        earlier = list(
            Run.objects.filter(
                conversation_id=run.conversation_id, pk__lt=run.pk, state=Run.State.DONE
            ).order_by("-pk")[:MOST_TURNS]
        )
    lines = []
    for turn in reversed(earlier):
        lines.append(f"Question: {as_data(turn.rewritten or turn.question)}")
        answer = " ".join(without_markers(turn.answer or turn.reason).split())
        lines.append(f"Answer: {as_data(answer[:LONGEST_ANSWER])}")
    return tuple(lines)
