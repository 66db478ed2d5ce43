"""Why a question got no answer, as the page says it.

That the documents do not answer is said only where they were searched and the reply was read.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from retrieval.agent.extractive import ExtractiveReasoner
from retrieval.agent.structured import UNPARSABLE
from retrieval.agent.sufficiency import INSUFFICIENT, NOT_QUOTED, UNSUPPORTED
from retrieval.models import Run, RunEvent

UNANSWERED = "The documents do not answer this"
CUT_SHORT = "The search ended before an answer was found"
UNREADABLE = "The model gave no answer that can be read"
NOT_LOOKED = "The model did not look into the documents"
UNPROVEN = "The answer could not be proven, so it is not shown"
NOTHING_KNOWN = "What the documents say about the question is not known."
OTHER_WORDS = "Try other words, or name the document you mean."
NOTHING_LIKE_IT = (
    "Nothing in this base resembles the question. Try other words, or add the document that would "
    "answer it."
)


@dataclass(frozen=True, slots=True)
class Abstention:
    """`sentences` say why, `missing` lists what a model found lacking, and `searched` are titles of
    documents with hits. `advice` is '' and `again` true where the same question may be asked again.
    """

    title: str
    sentences: tuple[str, ...]
    missing: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()
    advice: str = ""
    again: bool = False


def abstention_of(run: Run, events: Iterable[RunEvent]) -> Abstention:
    """Return what to say of a run that abstained, from its reason and what it did."""
    events = list(events)
    searched = _strings(events, "searched", "documents")
    missing = _strings(events, "abstained", "missing")
    advice = _advice(events, searched)
    if run.reasoner == ExtractiveReasoner.name and run.reason != NOT_QUOTED:
        return Abstention(UNANSWERED, _by_rules(events, missing), (), searched, advice)
    if run.reason.startswith(UNPARSABLE):
        why: tuple[str, ...] = (run.reason, NOTHING_KNOWN)
        return Abstention(UNREADABLE, why, searched=searched, again=True)
    if run.reasoner and not _has_looked(events):
        why = ("It ended without a search.", *_rest(run, INSUFFICIENT), NOTHING_KNOWN)
        return Abstention(NOT_LOOKED, why, again=True)
    if run.reason.startswith(UNSUPPORTED):
        why = (_unproven(missing), *_rest(run, UNSUPPORTED))
        return Abstention(UNPROVEN, why, (), searched, advice)
    if run.reason.startswith(NOT_QUOTED):
        return Abstention(UNPROVEN, (run.reason,), (), searched, advice)
    title = CUT_SHORT if _rest(run, INSUFFICIENT) else UNANSWERED
    why = (run.reason,) if run.reason else _by_rules(events, ())
    return Abstention(title, why, missing, searched, advice)


def _by_rules(events: list[RunEvent], missing: tuple[str, ...]) -> tuple[str, ...]:
    """Return sentences of the page's own: the extractive reasoner words its reason in the
    question's language, for callers without a page, and repeats in it what is missing and near."""
    read = sum(event.payload["blocks"] for event in events if event.kind == "assembled")
    were = "1 passage was" if read == 1 else f"{read} passages were"
    sentences = (
        f"{were} read; none answers the question clearly enough to quote it." if read else "",
        f"Nothing in them mentions: {', '.join(missing)}." if missing else "",
    )
    return tuple(filter(None, sentences))


def _unproven(numbers: tuple[str, ...]) -> str:
    """Return why numbers keep an answer back."""
    if not numbers:
        return UNSUPPORTED
    named = "number {} stands" if len(numbers) == 1 else "numbers {} stand"
    return (
        f"An answer was written, but its {named.format(', '.join(numbers))} in none of its quotes."
    )


def _rest(run: Run, sentence: str) -> tuple[str, ...]:
    """Return what follows a sentence in the run's reason: which limit was reached."""
    rest = run.reason.removeprefix(sentence).strip()
    return (rest,) if rest and run.reason.startswith(sentence) else ()


def _has_looked(events: Iterable[RunEvent]) -> bool:
    return any(event.kind in ("searched", "assembled", "tool") for event in events)


def _advice(events: list[RunEvent], searched: tuple[str, ...]) -> str:
    shown = sum(event.payload["items"] for event in events if event.kind == "tool")
    read = any(event.payload["blocks"] for event in events if event.kind == "assembled")
    return OTHER_WORDS if searched or shown or read else NOTHING_LIKE_IT


def _strings(events: Iterable[RunEvent], kind: str, field: str) -> tuple[str, ...]:
    """Return the texts in a field of all events of a kind, each once, in order."""
    found: list[Any] = []
    for event in events:
        if event.kind == kind:
            found += event.payload.get(field, ())
    return tuple(dict.fromkeys(str(text) for text in found))
