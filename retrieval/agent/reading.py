"""Who reads: a language model over prompts, or the rules that need none, behind one protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.agent.evidence import Context
from retrieval.agent.exploring import Explored, ToolOutput, Tools, explore
from retrieval.agent.metering import Meter
from retrieval.agent.planning import PLAN_SCHEMA, queries_of
from retrieval.agent.presets import Switches
from retrieval.agent.prompting import prompt, render
from retrieval.agent.reasoner import Draft, Reasoner, Signals
from retrieval.agent.structured import ANSWER_SCHEMA, answer_in, draft_of
from retrieval.llm.chat import ChatRequest, Message, ToolCall
from retrieval.llm.objects import parse_object

PROMPTS = (
    "agent",
    "agent_question",
    "answer",
    "contents",
    "conversation",
    "finish",
    "passages",
    "plan",
    "rewrite",
)
REWRITE_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"question": {"type": "string"}},
    "required": ["question"],
    "additionalProperties": False,
}
LONGEST_QUESTION = 4_000
"""Characters of a rewritten question: as many as of one that is asked."""

VOTE_TEMPERATURE = 0.7
"""Of draws after the first (KohakuRAG): at 0 the same prompt gives the same answer each time."""

SHORT_REPLY = 400
"""Tokens that a plan or a rewritten question takes at most."""


@dataclass(frozen=True, slots=True)
class AgentTask:
    """What an exploring reader starts from: the question, what is proven, what is missing.

    ``contents`` is the table of contents that DeepRead puts in the prompt, else ''.
    """

    question: str
    switches: Switches
    found: str = ""
    contents: str = ""


class Reader(Protocol):
    """Plans, answers and explores. Implementations are made for one run."""

    @property
    def name(self) -> str:
        """What is stored with the run and shown to the reader."""
        ...

    def rewrite(self, question: str, turns: Sequence[str]) -> str:
        """Return the question so that it can be understood without the turns before it."""
        ...

    def plan(self, question: str, most: int) -> tuple[str, ...]:
        """Return at most ``most`` queries, the question itself first."""
        ...

    def answer(
        self,
        question: str,
        context: Context,
        signals: Signals,
        on_text: Callable[[str], None],
        *,
        is_vote: bool = False,
    ) -> Draft:
        """Return a draft from the context alone; ``on_text`` gets the answer as it grows.

        A vote is drawn beside an answer that was made, so that it may differ from it.
        """
        ...

    def explore(
        self, task: AgentTask, tools: Tools, told: Callable[[ToolCall, ToolOutput], None]
    ) -> Explored | None:
        """Look for the answer with tools; None from a reader that cannot."""
        ...


class ModelReader:
    """Reads with language models: roles ``answer``, ``agent`` and ``cheap`` (plans, rewriting)."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self.name = meter.name

    def rewrite(self, question: str, turns: Sequence[str]) -> str:
        """Return the rewritten question; as it was when the model gives none. Raises ModelError."""
        text = render("conversation", turns="\n".join(turns), question=question)
        data = self._short(prompt("rewrite"), text, "rewrite", REWRITE_SCHEMA)
        rewritten = data.get("question") if data else None
        words = rewritten.split() if isinstance(rewritten, str) else []
        return " ".join(words)[:LONGEST_QUESTION] or question

    def plan(self, question: str, most: int) -> tuple[str, ...]:
        """Return the queries of the model's plan. Raises ModelError."""
        data = self._short(render("plan", queries=most), question, "plan", PLAN_SCHEMA)
        return queries_of(question, data, most)

    def answer(
        self,
        question: str,
        context: Context,
        signals: Signals,
        on_text: Callable[[str], None],
        *,
        is_vote: bool = False,
    ) -> Draft:
        """Return the draft in the model's reply. Raises ModelError and BudgetExhausted."""
        text = render("passages", passages=context.render(), found="", question=question)
        messages = (Message("system", prompt("answer")), Message("user", text))
        request = ChatRequest(
            messages,
            "vote" if is_vote else "answer",
            schema=ANSWER_SCHEMA,
            temperature=VOTE_TEMPERATURE if is_vote else 0.0,
            shown_field="answer",
        )
        reply = self._meter.complete(request, on_text=on_text)
        return draft_of(answer_in(reply))

    def explore(
        self, task: AgentTask, tools: Tools, told: Callable[[ToolCall, ToolOutput], None]
    ) -> Explored:
        """Run the agent's loop. Raises ModelError."""
        rounds = task.switches.rounds
        system = (
            render("contents", rounds=rounds, contents=task.contents)
            if task.contents
            else render("agent", rounds=rounds)
        )
        user = render("agent_question", question=task.question, found=task.found).strip()
        messages = [Message("system", system), Message("user", user)]
        return explore(self._meter, tools, task.switches, messages, told)

    def _short(
        self, system: str, user: str, purpose: str, schema: dict[str, object]
    ) -> dict[str, object] | None:
        messages = (Message("system", system), Message("user", user))
        request = ChatRequest(messages, purpose, schema=schema, max_tokens=SHORT_REPLY)
        reply = self._meter.complete(request, role="cheap")
        return dict(reply.data) if reply.data is not None else parse_object(reply.text)


class RuleReader:
    """Reads without a model: one search, and a reasoner that quotes."""

    def __init__(self, reasoner: Reasoner) -> None:
        self._reasoner = reasoner
        self.name = reasoner.name

    def rewrite(self, question: str, turns: Sequence[str]) -> str:
        """Return the question as it is."""
        return question

    def plan(self, question: str, most: int) -> tuple[str, ...]:
        """Return the question alone."""
        return (question,)

    def answer(
        self,
        question: str,
        context: Context,
        signals: Signals,
        on_text: Callable[[str], None],
        *,
        is_vote: bool = False,
    ) -> Draft:
        """Return the reasoner's draft. Raises what it raises."""
        return self._reasoner.answer(question, context, signals)

    def explore(
        self, task: AgentTask, tools: Tools, told: Callable[[ToolCall, ToolOutput], None]
    ) -> None:
        """Return None: rules do not explore."""
