"""One question's road through the switches of a preset: retrieve, answer and check, else go on.

What is tried, in this order, each only where the switches ask for it and what came before was not
sufficient: one round; further rounds with more hits, or aimed at what is missing; the agent.
The best that was verified is kept for the end. Design 6.1 to 6.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from retrieval.agent.budget import BudgetExhausted
from retrieval.agent.checking import Checked, check
from retrieval.agent.confidence import confidence_of, is_cited
from retrieval.agent.events import (
    Assembled,
    Drafted,
    Escalated,
    Event,
    Judged,
    LittleHistory,
    Planned,
    Remembered,
    Searched,
    ToolUsed,
    Voted,
)
from retrieval.agent.evidence import Context, Hit
from retrieval.agent.exploring import ToolOutput
from retrieval.agent.framing import as_data, as_title
from retrieval.agent.merging import in_turns, once
from retrieval.agent.parts import parts_of
from retrieval.agent.planning import as_query, needs_plan
from retrieval.agent.presets import Rerank, Switches
from retrieval.agent.reading import AgentTask, Reader
from retrieval.agent.reasoner import Draft, Signals
from retrieval.agent.shortcuts import Memory
from retrieval.agent.sources import AgentBox, Found, Retrieval
from retrieval.agent.structured import draft_of
from retrieval.agent.sufficiency import INSUFFICIENT, Verdict, judge
from retrieval.agent.voting import Ballot, is_decided, vote
from retrieval.llm.chat import ToolCall
from retrieval.llm.errors import Cancelled, ContextOverflow, ModelError

BESIDE_MEMORY = 400
"""Tokens of hits beside the places that answered a similar question: some three passages."""

MIN_HISTORY = 50
"""Learnt questions from which on one round with experience is relied on (the paper advises it)."""

SMALLEST_PACK = 30
"""Tokens of evidence below which a model's context is too short to answer from."""

DOUBTED = "The answer is not certain enough to be given without looking further."

MOST_AIMS = 3
"""Queries of the search for what is missing."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A draft with its check and verdict, and the context it was made from."""

    draft: Draft
    checked: Checked
    context: Context
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Outcome:
    """``attempt`` is the best one; ``found`` the last search; ``rounds`` counts retrievals and
    rounds of the agent. ``confidence`` is that in the answer of one round, None without any.
    ``by_agent`` tells whether the agent made the attempt."""

    attempt: Attempt
    found: Found
    escalated: bool
    rounds: int
    exhausted: str = ""
    confidence: float | None = None
    by_agent: bool = False


@dataclass(slots=True)
class Pipeline:
    """One run. ``emit`` hears every step and may raise to stop it; ``on_text`` gets the answer's
    text while a model writes it. Presets that need it rely on experience from ``history`` learnt
    questions on. An answer of less confidence than ``cut`` goes on to the agent, if there is one.
    """

    retrieval: Retrieval
    reader: Reader
    switches: Switches
    emit: Callable[[Event], None]
    on_text: Callable[[str], None] = lambda text: None
    history: int = MIN_HISTORY
    cut: float = 0.0
    memory: Memory = field(default=Memory(), init=False)
    rounds: int = field(default=0, init=False)
    exhausted: str = field(default="", init=False)

    def run(self, question: str) -> Outcome:
        """Return the outcome. Raises ModelError, and what ``emit`` raises."""
        switches, found = self.switches, Found((question,), (), Signals())
        self.memory = self._recalled(question)
        if not switches.one_round or not self._has_history():
            attempt, exhausted = self._explore(question, None)
            return Outcome(
                attempt, found, switches.one_round, self.rounds, exhausted, by_agent=True
            )
        attempt = _unanswered()
        with self._as_far_as_it_goes():
            found = self._first_search(question)
            attempt = self._voted(question, found)
            attempt, found = self._sought(question, attempt, found)
        trust = self._trust(attempt, found)
        is_trusted = trust is not None and trust >= self.cut
        if is_trusted or switches.agent is None or self.exhausted:
            return Outcome(attempt, found, False, self.rounds, self.exhausted, trust)
        self.emit(Escalated(attempt.verdict.reason or DOUBTED, attempt.verdict.missing))
        explored, exhausted = attempt, ""
        with _unless_lost(attempt):
            explored, exhausted = self._explore(question, attempt)
        best = _better(attempt, explored)
        by_agent = best is not attempt
        return Outcome(best, found, True, self.rounds, exhausted, trust, by_agent)

    def _trust(self, attempt: Attempt, found: Found) -> float | None:
        """Return the confidence in an answer of one round, None where it was insufficient."""
        if not attempt.verdict.sufficient:
            return None
        signals = replace(found.signals, hits=found.hits)
        remembered = {one.path for one in self.memory.priority}
        return confidence_of(attempt.draft, attempt.checked, signals, remembered)

    def _recalled(self, question: str) -> Memory:
        switches = self.switches
        if switches.edges is None:
            return Memory()
        memory = self.retrieval.recall(
            question, switches.edges, switches.edge_hops, switches.edge_tokens
        )
        if memory.shortcuts:
            edges = tuple(one.edge_id for one in memory.shortcuts)
            paths = tuple(one.path for one in memory.shortcuts)
            self.emit(Remembered(edges, paths, len(memory.suspects), memory.tokens))
        return memory

    def _has_history(self) -> bool:
        """Whether one round may be relied on: an agent that is not called learns nothing new."""
        if not self.switches.needs_history:
            return True
        learned = self.retrieval.learned(self.history)
        if learned < self.history:
            self.emit(LittleHistory(learned, self.history))
        return learned >= self.history

    def _first_search(self, question: str) -> Found:
        switches = self.switches
        if switches.planning == "always":
            return self._find(self._plan(question), switches.hits)
        if switches.planning == "parts" and len(parts := parts_of(question)) > 1:
            return self._find(parts, switches.hits, "interleaved")
        found = self._find((question,), switches.hits)
        known = bool(self.memory.priority)
        if switches.planning == "weak" and not known and needs_plan(question, found.hits):
            queries = self._plan(question)
            if len(queries) > 1:
                return self._find(queries, switches.hits)
        return found

    def _plan(self, question: str) -> tuple[str, ...]:
        queries = self.reader.plan(question, self.switches.queries)
        self.emit(Planned(queries))
        return queries

    def _find(
        self,
        queries: Sequence[str],
        k: int,
        rerank: Rerank | None = None,
        *,
        named_first: bool = False,
    ) -> Found:
        rerank = rerank or self.switches.rerank
        found = self.retrieval.find(
            queries, k, rerank, named_first=named_first, mentioned=self.switches.mentioned
        )
        tokens = sum(hit.tokens for hit in found.hits)
        titles = tuple(dict.fromkeys(hit.document_title for hit in found.hits))
        self.emit(Searched(" | ".join(found.queries), len(found.hits), tokens, titles))
        return replace(found, hits=self.memory.leading(found.hits))

    def _voted(self, question: str, found: Found) -> Attempt:
        """Return the answer that most of the drawn ones agree on, of as many as the budget has."""
        switches = self.switches
        first = self._with_retries(question, found)
        if switches.votes < 2 or (switches.vote_on_risk and not _is_risky(first)):
            return first
        ballots = [_ballot(first)]
        with self._as_far_as_it_goes(), _unless_lost(first):
            while len(ballots) < switches.votes and not is_decided(ballots, switches.votes):
                ballots.append(_ballot(self._with_retries(question, found, is_vote=True)))
        result = vote(ballots)
        self.emit(Voted(result.ballots, len(result.winners), result.blanks))
        return result.winners[0] if result.winners else first

    def _with_retries(self, question: str, found: Found, *, is_vote: bool = False) -> Attempt:
        """Return the first sufficient attempt of those with ever more hits (KohakuRAG)."""
        attempt = self._attempt(question, found, is_vote=is_vote)
        with self._as_far_as_it_goes():
            for number in range(1, self.switches.retries + 1):
                if attempt.verdict.sufficient:
                    break
                wider = self._find(found.queries, self.switches.hits * (number + 1))
                attempt = _better(attempt, self._attempt(question, wider, is_vote=is_vote))
        return attempt

    @contextmanager
    def _as_far_as_it_goes(self) -> Iterator[None]:
        """End the block where the budget ends: what came before it is still an answer."""
        try:
            yield
        except BudgetExhausted as error:
            self.exhausted = error.sentence

    def _attempt(
        self,
        question: str,
        found: Found,
        cap: int | None = None,
        *,
        is_vote: bool = False,
        more_than: int = 0,
    ) -> Attempt:
        """Return an answer from the hits, of fewer where the model's context is too short, or the
        budget of a run without any answer yet.

        Raises ContextOverflow where not ``more_than`` so many tokens of them fit; BudgetExhausted.
        """
        self.rounds += 1
        cap = cap or self._first_cap()
        while True:
            context = self.retrieval.assemble(found.hits, cap)
            self.emit(Assembled(len(context.blocks), context.tokens))
            try:
                draft = self.reader.answer(
                    question, context, found.signals, self.on_text, is_vote=is_vote
                )
            except (ContextOverflow, BudgetExhausted) as error:
                cap = min(cap, context.tokens) // 2
                is_later = isinstance(error, BudgetExhausted) and self.rounds > 1
                if is_later or cap < SMALLEST_PACK or cap <= more_than:
                    raise
                continue
            return self._judged(draft, context, "vote" if is_vote else "answer")

    def _first_cap(self) -> int:
        """Return the tokens of an attempt: less where places that answered before lead."""
        cap = self.switches.token_cap
        return min(cap, self.memory.tokens + BESIDE_MEMORY) if self.memory.priority else cap

    def _judged(self, draft: Draft, context: Context, purpose: str) -> Attempt:
        checked = check(draft, context)
        verdict = judge(draft, checked)
        self.emit(Drafted(len(draft.quotes), len(checked.rejected), purpose))
        self.emit(Judged(verdict.sufficient, verdict.missing, verdict.reason))
        return Attempt(draft, checked, context, verdict)

    def _sought(self, question: str, attempt: Attempt, found: Found) -> tuple[Attempt, Found]:
        """Try for what is missing with ever more to read, until all that was found is read."""
        latest: Attempt | None = None
        with self._as_far_as_it_goes(), suppress(ContextOverflow):
            for cap in self.switches.aimed_caps:
                if attempt.verdict.sufficient or (latest and _holds(latest.context, found.hits)):
                    break
                found = self._aimed(question, attempt, found, is_again=latest is not None)
                read = (latest or attempt).context.tokens
                latest = self._attempt(question, found, cap, more_than=read)
                attempt = _better(attempt, latest)
        return attempt, found

    def _aimed(self, question: str, attempt: Attempt, found: Found, *, is_again: bool) -> Found:
        """Return what is cited so far, and what a search for what is missing finds."""
        missing = map(as_query, attempt.verdict.missing[:MOST_AIMS])
        aims = tuple(dict.fromkeys(filter(None, missing))) or (question,)
        wider = found
        if not is_again or found.queries != aims:
            wider = self._find(aims, 2 * self.switches.hits, "interleaved", named_first=True)
            if question not in aims:  # half of what is read is what the question itself finds
                own = self._find((question,), self.switches.hits, named_first=True)
                wider = replace(wider, hits=tuple(in_turns(own.hits, wider.hits)))
        cited = (hit for hit in found.hits if is_cited(hit, attempt.checked))
        hits = once((*cited, *wider.hits))
        return replace(wider, hits=tuple(replace(hit, rank=at) for at, hit in enumerate(hits, 1)))

    def _explore(self, question: str, attempt: Attempt | None) -> tuple[Attempt, str]:
        kind = self.switches.agent or "viking"
        box = self.retrieval.tools(kind)
        contents = box.contents() if self.switches.contents_in_prompt else ""
        known = "\n\n".join(filter(None, (_known(attempt, box), _read_first(self.memory, box))))
        task = AgentTask(question, self.switches, known, contents)
        explored = self.reader.explore(task, box, self._told)
        if explored is None:
            return _unanswered(), ""
        self.rounds += explored.rounds
        draft = draft_of(explored.reply)
        if explored.reply is None and explored.exhausted:  # nobody was asked
            draft = replace(draft, reason=INSUFFICIENT)
        numbers = [quote.block for quote in draft.quotes]
        return self._judged(draft, box.context(numbers), "agent"), explored.exhausted

    def _told(self, call: ToolCall, output: ToolOutput) -> None:
        self.emit(ToolUsed(call.name, dict(call.arguments), output.items, output.tokens))


def _unanswered() -> Attempt:
    """Return what stands where no answer was written."""
    draft, context = Draft("", (), sufficient=False, reason=INSUFFICIENT), Context((), 0)
    checked = check(draft, context)
    return Attempt(draft, checked, context, judge(draft, checked))


@contextmanager
def _unless_lost(attempt: Attempt) -> Iterator[None]:
    """Let a model that fails end the block, where there is an answer already."""
    try:
        yield
    except ModelError as error:
        if isinstance(error, Cancelled) or not attempt.verdict.sufficient:
            raise


def _ballot(attempt: Attempt) -> Ballot[Attempt]:
    value = attempt.draft.value or attempt.draft.answer
    return Ballot(attempt, value, attempt.draft.unit, blank=not attempt.verdict.sufficient)


def _is_risky(attempt: Attempt) -> bool:
    """A number that rests on quotes of several documents: they may disagree."""
    documents = {citation.block.document_id for citation in attempt.checked.citations}
    has_number = any(char.isdigit() for char in attempt.draft.value)
    return attempt.verdict.sufficient and has_number and len(documents) > 1


def _holds(context: Context, hits: Sequence[Hit]) -> bool:
    """Return whether some of each hit is in the context."""
    return all(
        any(
            block.version_id == hit.version_id and block.start < hit.end and hit.start < block.end
            for block in context.blocks
        )
        for hit in hits
    )


def _better(one: Attempt, other: Attempt) -> Attempt:
    """Return the later attempt unless the earlier is sufficient or proves more, and it is not."""
    if other.verdict.sufficient:
        return other
    proves_more = len(one.checked.citations) > len(other.checked.citations)
    return one if one.verdict.sufficient or proves_more else other


def _known(attempt: Attempt | None, box: AgentBox) -> str:
    """Return what is proven and what is missing, for the agent; not the draft, to avoid anchoring
    it."""
    if attempt is None:
        return ""
    lines = [
        f"[{box.number_of(one.leaf.path)}] {as_title(one.block.document_title)}: "
        f'"{as_data(one.quote)}"'
        for one in attempt.checked.citations
    ]
    known = ["Proven so far:", "<proven>", *lines, "</proven>"] if lines else []
    # A model's own words, which documents may have put into its mouth.
    lacking = "; ".join(as_title(one) for one in attempt.verdict.missing)
    return "\n".join((*known, *([f"Missing: {lacking}"] if lacking else [])))


def _read_first(memory: Memory, box: AgentBox) -> str:
    """Return the priority block: the whole text of each place that answered a similar question."""
    blocks = [
        f"[{box.number_of(one.path)}] {as_title(one.place)}\n{as_data(one.text)}"
        for one in memory.priority
    ]
    lead = "Places that answered similar questions, in full. Search only for what they lack:"
    framed = "\n\n".join(blocks)
    return f"{lead}\n<passages>\n{framed}\n</passages>" if blocks else ""
