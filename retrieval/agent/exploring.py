"""The agent's loop: the model calls tools until it answers (VikingRAG, arXiv 2609.11390, Alg. 1).

Made thrifty: an identical call is answered from before, previews of earlier rounds shrink to a
line, and the loop ends two rounds after the last that brought something new.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from retrieval.agent.budget import BudgetExhausted
from retrieval.agent.metering import Meter
from retrieval.agent.presets import Switches
from retrieval.agent.prompting import prompt
from retrieval.agent.structured import ANSWER_SCHEMA, answer_in
from retrieval.llm.chat import ChatRequest, Message, Reply, ToolCall, ToolSchema
from retrieval.llm.errors import ContextOverflow
from retrieval.llm.objects import parse_object

MOST_CALLS_A_ROUND = 8
ANSWER_KEYS = ("answer", "is_blank")
"""One of them is in what ends the loop before it is asked to end."""

REPEATED = "You have made this call before; its result is above."
"""Said of a result that is still whole in the prompt; a preview may have shrunk to a line."""

UNREAD = "(left out: the tokens for this question ran out)"
LONGEST_ARGUMENTS = 20_000
"""Characters that a call's arguments say, as many as twenty addresses have: a call is stored."""

TOO_LONG = "These arguments are too long; nothing that can be found needs as many."
TOO_MANY = "Too many calls in one round; make this one again if you still need it."


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """``text`` is for the model; ``places`` are the numbers shown, ``full`` whether whole texts."""

    text: str
    items: int = 0
    tokens: int = 0
    places: frozenset[int] = frozenset()
    full: bool = False
    failed: bool = False


class Tools(Protocol):
    """What the loop can call; an unknown name or bad arguments are an output, no exception."""

    @property
    def schemas(self) -> tuple[ToolSchema, ...]:
        """The tools as the model sees them."""
        ...

    def call(self, call: ToolCall) -> ToolOutput:
        """Return what a call gives."""
        ...


@dataclass(frozen=True, slots=True)
class Explored:
    """``reply`` is the object the model ended with, None if none could be read."""

    reply: dict[str, object] | None
    rounds: int
    exhausted: str = ""


@dataclass(slots=True)
class _Loop:
    meter: Meter
    tools: Tools
    switches: Switches
    told: Callable[[ToolCall, ToolOutput], None]
    messages: list[Message]
    # By the place of its message: some servers give calls of several rounds the same id.
    outputs: dict[int, tuple[int, ToolOutput, str]] = field(default_factory=dict)
    seen: set[tuple[int, bool]] = field(default_factory=set)
    # Whole texts: further pages of a place are news as well, and have its number.
    pages: set[str] = field(default_factory=set)
    made: dict[str, tuple[int, ToolOutput]] = field(default_factory=dict)
    fruitless: int = 0


def explore(
    meter: Meter,
    tools: Tools,
    switches: Switches,
    messages: list[Message],
    told: Callable[[ToolCall, ToolOutput], None],
) -> Explored:
    """Let the model look for the answer and return what it ended with.

    ``messages`` open the conversation; ``told`` hears of every call. Raises ModelError; a budget or
    a context that is full ends in the best answer from what was read.
    """
    loop = _Loop(meter, tools, switches, told, list(messages))
    rounds = 0
    try:
        while rounds < switches.rounds and loop.fruitless < switches.patience:
            rounds += 1
            reply = meter.complete(_request(loop, rounds), role="agent", leaves_room=True)
            if not reply.tool_calls:
                found = parse_object(reply.text, ANSWER_KEYS)
                if found is not None:
                    return Explored(found, rounds)
                loop.messages.append(Message("assistant", reply.text))
                break
            _take(loop, reply, rounds)
    except (BudgetExhausted, ContextOverflow) as exhausted:
        return Explored(_finish(loop, rounds), rounds, exhausted.sentence)
    return Explored(_finish(loop, rounds), rounds)


def _finish(loop: _Loop, rounds: int) -> dict[str, object] | None:
    """Ask for the answer without tools; what is held back in the budget is there for this.

    Nobody knows before a round how much its tools will bring: where that does not fit any more,
    the newest results go, one by one, and the answer comes from those before.
    """
    loop.messages.append(Message("user", prompt("finish")))
    newest = sorted(loop.outputs, reverse=True)
    while True:
        request = replace(_request(loop, rounds + 1), tools=(), schema=ANSWER_SCHEMA)
        try:
            reply = loop.meter.complete(request, role="agent", final=True)
        except (BudgetExhausted, ContextOverflow):
            if not newest:
                return None
            at = newest.pop(0)
            loop.messages[at] = replace(loop.messages[at], content=UNREAD)
        else:
            return answer_in(reply)


def _request(loop: _Loop, number: int) -> ChatRequest:
    messages = tuple(_compacted(loop, at, number) for at in range(len(loop.messages)))
    return ChatRequest(messages, "agent", tools=loop.tools.schemas)


def _compacted(loop: _Loop, at: int, number: int) -> Message:
    """Return a message; a preview that is older than the switches allow as one line."""
    message = loop.messages[at]
    if at not in loop.outputs:
        return message
    made_in, output, gist = loop.outputs[at]
    if _is_whole(loop, made_in, output, number):
        return message
    return replace(message, content=gist + _unread(loop, output))


def _is_whole(loop: _Loop, made_in: int, output: ToolOutput, number: int) -> bool:
    """Return whether the prompt of round ``number`` shows all of a result."""
    kept = loop.switches.compact_after
    return output.full or not kept or number - made_in <= kept


def _unread(loop: _Loop, output: ToolOutput) -> str:
    """Return the places of a preview whose whole text was not shown: they can still be read."""
    numbers = sorted(place for place in output.places if (place, True) not in loop.seen)
    return " Not read yet: " + " ".join(f"[{number}]" for number in numbers) if numbers else ""


def _take(loop: _Loop, reply: Reply, number: int) -> None:
    """Make the calls of one round and append their results."""
    loop.messages.append(Message("assistant", reply.text, tool_calls=reply.tool_calls))
    fruitful = False
    for at, call in enumerate(reply.tool_calls):
        output = _output(loop, call, number) if at < MOST_CALLS_A_ROUND else _failed(TOO_MANY)
        fruitful = _is_new(loop, output) or fruitful
        gist = f"({call.name}: {output.items} results, shown before.)"
        loop.outputs[len(loop.messages)] = (number, output, gist)
        loop.messages.append(Message("tool", output.text, tool_call_id=call.id))
    loop.fruitless = 0 if fruitful else loop.fruitless + 1


def _is_new(loop: _Loop, output: ToolOutput) -> bool:
    """Return whether a result shows a place, a whole text or a page of one for the first time."""
    new = {(place, output.full) for place in output.places} - loop.seen
    is_page = output.full and bool(output.places) and output.text not in loop.pages
    loop.seen |= new
    loop.pages |= {output.text} if is_page else set()
    return bool(new) or is_page


def _output(loop: _Loop, call: ToolCall, number: int) -> ToolOutput:
    if call.error:
        return _failed(f"Error: {call.error}")
    said = [call.name, dict(call.arguments)]
    key = json.dumps(said, sort_keys=True, default=str, ensure_ascii=False)
    if len(key) > LONGEST_ARGUMENTS:
        return _failed(TOO_LONG)
    if key in loop.made:
        made_in, made = loop.made[key]
        return _failed(REPEATED) if _is_whole(loop, made_in, made, number + 1) else made
    output = loop.tools.call(call)
    if not output.failed:
        loop.made[key] = number, output
    loop.told(call, output)
    return output


def _failed(sentence: str) -> ToolOutput:
    return ToolOutput(sentence, failed=True)
