"""What experience knows for a question: the places that answered similar ones.

A stored question counts when its vector is near enough to that of the question and both mean
the same things: numbers, dates, names, negation, direction (retrieval.experience). Its edges count
when their target is in the reader's scope and their credit is good.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from django.db.models import F
from django.utils import timezone

from knowledge.models import KnowledgeBase
from retrieval.agent.presets import Entry
from retrieval.agent.shortcuts import Memory
from retrieval.experience.matching import fires, tau_of
from retrieval.models import ExperienceEdge, ExperienceQuestion
from retrieval.services.experience.near_questions import near_questions
from retrieval.services.experience.remembered_places import RememberedPlace, remembered_places
from retrieval.services.experience.slotting import reading, slots_in
from retrieval.services.scopes import Scope, base_of
from retrieval.services.search import QueryVector

MOST_QUESTIONS = 3
"""Similar questions whose edges are used (the paper's groups)."""

MOST_EDGES = 12


@dataclass(frozen=True, slots=True)
class Asked:
    """The question, a follow-up as it was rewritten, its vector, and what a search found for it.

    ``seeds`` are the paths of those hits, for the entry mode ``via_seed`` alone.
    """

    question: str
    vector: QueryVector
    seeds: tuple[str, ...] = ()


def memory_of(scope: Scope, asked: Asked, *, entry: Entry, hops: int, tokens: int) -> Memory:
    """Return the places, at most ``tokens`` of text, in an open transaction. Raises UnknownBase."""
    base = base_of(scope)
    questions = _similar(base, asked)
    if not questions:
        return Memory()
    found = remembered_places(base, questions, tokens=tokens, now=timezone.now())
    places = _trusted(scope, questions, found)
    if entry == "via_seed":
        places = reached_from(asked.seeds, places, hops)
    return Memory(tuple(place.shortcut for place in places[:MOST_EDGES])).capped(tokens)


def learned(base: KnowledgeBase, most: int) -> int:
    """Return how many questions a base has usable edges for, counting up to ``most``.

    Made-up ones do not count: nobody has asked them, and no answer of theirs was verified. Nor do
    those whose vectors another model made than the one that serves the base: none is found.
    """
    edges = ExperienceEdge.objects.usable().filter(base=base)
    edges = edges.filter(question__embedding_model=F("base__serving_model"))
    edges = edges.exclude(question__origin=ExperienceQuestion.Origin.SYNTHETIC)
    return len(edges.order_by().values_list("question_id").distinct()[:most])


def reached_from(
    seeds: Sequence[str], places: Sequence[RememberedPlace], hops: int
) -> list[RememberedPlace]:
    """Return the places that the seeds lead on to in at most so many steps, nearest first."""
    frontier, reached = set(seeds), []
    waiting = list(places)
    for _ in range(hops):
        found = [place for place in waiting if frontier.intersection(place.sources)]
        if not found:
            break
        reached += found
        frontier = {place.path for place in found}
        waiting = [place for place in waiting if place not in found]
    return reached


def _similar(base: KnowledgeBase, asked: Asked) -> Sequence[int]:
    """Return the keys of the stored questions that mean the same, the nearest first."""
    if asked.vector.values is None:
        return ()
    tau = tau_of(asked.vector.model)
    read = reading(asked.question)
    nearest = near_questions(base, asked.vector.model, asked.vector.values, read.key)
    # Most disagree before anything has to be asked of the base.
    near = [one for one in nearest if fires(one.cosine, read.slots, one.reading.slots, tau=tau)]
    if not near:
        return ()
    ours, *theirs = slots_in(base, [read, *(one.reading for one in near)])
    known = zip(near, theirs, strict=True)
    same = (one.id for one, slots in known if fires(one.cosine, ours, slots, tau=tau))
    return tuple(islice(same, MOST_QUESTIONS))


def _trusted(
    scope: Scope, questions: Sequence[int], places: Sequence[RememberedPlace]
) -> list[RememberedPlace]:
    """Return the trusted places in the scope: nearest question first, best credit first."""
    order = {question: number for number, question in enumerate(questions)}
    inside = [one for one in places if one.credit.is_trusted and _in(scope, one.path)]
    inside.sort(key=lambda one: (order[one.question_id], -one.credit.mean, one.shortcut.edge_id))
    first: dict[str, RememberedPlace] = {}
    for place in inside:
        first.setdefault(place.path, place)
    return list(first.values())


def _in(scope: Scope, path: str) -> bool:
    return not scope.path or path == scope.path or path.startswith(f"{scope.path}/")
