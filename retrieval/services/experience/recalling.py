"""What experience knows for a question: the places that answered similar ones.

A stored question counts when its vector is near enough to that of the question and both mean
the same things: numbers, dates, names, negation, direction (retrieval.experience). Its edges count
when their target is in the reader's scope and their credit is good.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice
from operator import or_

from django.db.models import F, Q
from django.utils import timezone
from pgvector import HalfVector
from pgvector.django import CosineDistance

from knowledge.lexical import dimension, query_terms
from knowledge.models import IndexEntry, KnowledgeBase, Node
from knowledge.models.nodes import NodeQuerySet
from knowledge.services.statistics import document_frequencies
from retrieval.agent.evidence import Hit
from retrieval.agent.phrases import question_language
from retrieval.agent.presets import Entry
from retrieval.agent.shortcuts import Memory, Shortcut
from retrieval.experience.matching import fires, tau_of
from retrieval.experience.slots import Slots, slots_of
from retrieval.models import ExperienceEdge, ExperienceQuestion, ExperienceSettings
from retrieval.models.experience import USABLE, policy_of
from retrieval.services.experience.crediting import credit_of
from retrieval.services.experience.rebinding import edges_rebind
from retrieval.services.scopes import Scope, base_of
from retrieval.services.search import QueryVector

NEAREST = 12
"""Stored questions that are looked at, the nearest first."""

MOST_QUESTIONS = 3
"""Similar questions whose edges are used (the paper's groups)."""

MOST_EDGES = 12
USING = (ExperienceSettings.Policy.LEARN, ExperienceSettings.Policy.FROZEN)


KEPT_SLOTS = 20_000
"""Slots that a process remembers: reading a question anew takes a millisecond (measured)."""

_kept: OrderedDict[tuple[int, int, int, int, str], Slots] = OrderedDict()
_keeping = threading.Lock()


@dataclass(slots=True)
class Slotting:
    """The slots of questions to a base, whose terms tell what is rare; in an open transaction.

    They are remembered for as long as the base has as many entries
    and terms.
    """

    base: KnowledgeBase
    _shares: dict[str, float] = field(default_factory=dict, init=False)

    def of(self, question: str) -> Slots:
        """Return what must agree before an edge of the question may be used for another."""
        key = self._key(question)
        with _keeping:
            if key in _kept:
                _kept.move_to_end(key)
                return _kept[key]
        slots = slots_of(
            question,
            language=question_language(question),
            document_frequency=self._share,
        )
        with _keeping:
            _kept[key] = slots
            if len(_kept) > KEPT_SLOTS:
                _kept.popitem(last=False)
        return slots

    def _key(self, question: str) -> tuple[int, int, int, int, str]:
        base = self.base
        return base.tenant_id, base.pk, base.entry_count, base.term_count, question

    def expect(self, questions: Iterable[str]) -> None:
        """Look up the words of these questions at once, rather than each when it is asked for."""
        with _keeping:
            unread = [text for text in questions if self._key(text) not in _kept]
        if not unread:
            return
        words = {word for text in unread for word in query_terms(text, [question_language(text)])}
        numbers = {word: dimension(word) for word in words - self._shares.keys()}
        found = document_frequencies(self.base, sorted(set(numbers.values())))
        entries = max(1, self.base.entry_count)
        self._shares |= {word: found.get(numbers[word], 0) / entries for word in numbers}

    def _share(self, term: str) -> float:
        """Return the share of the base's entries that hold a term, 0 to 1."""
        if term not in self._shares:
            number = dimension(term)
            found = document_frequencies(self.base, [number]).get(number, 0)
            self._shares[term] = found / max(1, self.base.entry_count)
        return self._shares[term]


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
    if policy_of(base) not in USING:
        return Memory()
    questions = _similar(base, asked)
    if not questions:
        return Memory()
    edges = _trusted(scope, questions, _bound(base, questions))
    if entry == "via_seed":
        edges = reached_from(asked.seeds, edges, hops)
    return Memory(_shortcuts(base, edges[:MOST_EDGES])).capped(tokens)


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
    seeds: Sequence[str], edges: Sequence[ExperienceEdge], hops: int
) -> list[ExperienceEdge]:
    """Return the edges that lead on from the seeds in at most so many steps, nearest first."""
    frontier, reached = set(seeds), []
    waiting = list(edges)
    for _ in range(hops):
        found = [edge for edge in waiting if frontier.intersection(edge.sources)]
        if not found:
            break
        reached += found
        frontier = {edge.path for edge in found}
        waiting = [edge for edge in waiting if edge not in found]
    return reached


def _similar(base: KnowledgeBase, asked: Asked) -> Sequence[int]:
    """Return the keys of the stored questions that mean the same, the nearest first."""
    if asked.vector.values is None:
        return ()
    tau = tau_of(asked.vector.model)
    # The distance is not filtered by here: the database would compute it a second time.
    nearest = (
        ExperienceQuestion.objects.filter(base=base, embedding_model=asked.vector.model)
        .annotate(distance=CosineDistance("dense", HalfVector(asked.vector.values)))
        .order_by("distance", "pk")
        .values_list("pk", "text", "distance")[:NEAREST]
    )
    # What is too far for any slots is not read for them.
    near = [(pk, text, 1 - distance) for pk, text, distance in nearest if 1 - distance >= tau]
    if not near:
        return ()
    slots = Slotting(base)
    slots.expect([asked.question, *(text for _, text, _ in near)])
    ours = slots.of(asked.question)
    same = (pk for pk, text, cosine in near if fires(cosine, ours, slots.of(text), tau=tau))
    return tuple(islice(same, MOST_QUESTIONS))


def _bound(base: KnowledgeBase, questions: Sequence[int]) -> list[ExperienceEdge]:
    """Return the questions' edges that may be used, bound to the current versions."""
    edges = ExperienceEdge.objects.filter(base=base, question__in=questions).order_by()
    known = list(edges.known().select_related("document"))
    if any(edge.version_id != edge.document.current_version_id for edge in known):
        edges_rebind(base, questions)
        known = list(edges.known().select_related("document"))
    return [edge for edge in known if edge.state in USABLE and edge.document.current_version_id]


def _trusted(
    scope: Scope, questions: Sequence[int], edges: Sequence[ExperienceEdge]
) -> list[ExperienceEdge]:
    """Return the trusted edges into the scope: nearest question first, best credit first."""
    order = {question: number for number, question in enumerate(questions)}
    now = timezone.now()
    rated = [(edge, credit_of(edge, now)) for edge in edges]
    inside = [(edge, credit) for edge, credit in rated if credit.is_trusted and _in(scope, edge)]
    inside.sort(key=lambda one: (order[one[0].question_id], -one[1].mean, one[0].pk))
    first: dict[str, ExperienceEdge] = {}
    for edge, _ in inside:
        first.setdefault(edge.path, edge)
    return list(first.values())


def _in(scope: Scope, edge: ExperienceEdge) -> bool:
    return not scope.path or edge.path == scope.path or edge.path.startswith(f"{scope.path}/")


def _shortcuts(base: KnowledgeBase, edges: Sequence[ExperienceEdge]) -> tuple[Shortcut, ...]:
    leaves = {(node.version_id, node.path): node for node in _leaves(edges)}
    entries = _entries(base, list(leaves.values()))
    found = []
    for edge in edges:
        leaf = leaves.get((edge.version_id, edge.path))
        entry = next((one for one in entries if _covers(one, leaf)), None) if leaf else None
        if leaf and entry:
            suspect = edge.state == ExperienceEdge.State.SUSPECT
            hit = _hit(base, leaf, entry)
            found.append(Shortcut(edge.pk, edge.path, hit, leaf.text, suspect))
    return tuple(found)


def _leaves(edges: Sequence[ExperienceEdge]) -> NodeQuerySet:
    versions = {edge.version_id for edge in edges}
    at = Node.objects.leaves().filter(version__in=versions, path__in={edge.path for edge in edges})
    return at.defer("boxes", "sentences").order_by()


def _entries(base: KnowledgeBase, leaves: Sequence[Node]) -> list[IndexEntry]:
    """Return the entries that share text with any of the leaves, in reading order."""
    if not leaves:
        return []
    spans = reduce(
        or_,
        (
            Q(version=leaf.version_id, char_start__lt=leaf.char_end, char_end__gt=leaf.char_start)
            for leaf in leaves
        ),
    )
    entries = IndexEntry.objects.current().filter(spans, base=base)
    entries = entries.select_related("node", "document", "version").defer("dense", "lexical")
    return list(entries.order_by("version_id", "ordinal"))


def _covers(entry: IndexEntry, leaf: Node) -> bool:
    return (
        entry.version_id == leaf.version_id
        and entry.char_start < leaf.char_end
        and leaf.char_start < entry.char_end
    )


def _hit(base: KnowledgeBase, leaf: Node, entry: IndexEntry) -> Hit:
    """Return the leaf as a hit of the first entry that shares text with it."""
    return Hit(
        entry_id=entry.pk,
        document_id=entry.document_id,
        version_id=entry.version_id,
        document_title=entry.document.title,
        base_slug=base.slug,
        section_path=entry.node.path,
        path=entry.path,
        headings=tuple(entry.headings[1:]),
        start=leaf.char_start,
        end=leaf.char_end,
        page=leaf.page,
        tokens=leaf.tokens,
        score=1.0,
        dense=None,
        lexical=None,
        rank=1,
        language=entry.version.language,
    )
