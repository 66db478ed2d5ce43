"""The simulated reader: a chat model that knows the gold evidence and reads nothing else.

It measures retrieval effort without a model's luck (design 8): it says "sufficient" exactly when
the prompt holds all gold evidence, quotes that evidence, and otherwise explores by a fixed policy.
It never uses a gold passage that the prompt does not hold. Its words are counted as a model's
would be, in o200k tokens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from knowledge.ingest.tokens import count_tokens
from retrieval.evaluation.letters import folded_letters
from retrieval.llm.cancellation import Cancellation
from retrieval.llm.chat import (
    ChatRequest,
    Message,
    Reply,
    ToolCall,
    Usage,
    prompt_text,
)

_PLACE = re.compile(r"^\s*\[(\d+)\]", re.MULTILINE)
_LEFT = re.compile(r"Not read yet:((?: \[\d+\])+)")
_BLOCK = re.compile(r"^\[E(\d+)\]", re.MULTILINE)
_NAME = re.compile(
    r"(?:[A-ZА-ЯЁ][\w’'.-]*|\d{4})(?:\s+(?:(?:of|the|and|de|for|in)\s+)?(?:[A-ZА-ЯЁ][\w’'.-]*|\d{4}))*"
)
_WORD = re.compile(r"\w{4,}")
READ_AT_ONCE = 5
MOST_NAMES = 3
# A quote as short as the prompt asks for: annotators often mark a whole paragraph.
QUOTE_WORDS = 25
QUOTE_CHARACTERS = 200


@dataclass(slots=True)
class SimulatedModel:
    """ChatModel for one question. ``gold`` are the passages that the documents hold.

    Without gold (a question nobody can answer, or whose evidence is not annotated) nothing is ever
    sufficient. ``shown`` is the last prompt that an answer could be given from.
    """

    question: str
    gold: tuple[str, ...]
    answer: str
    name: str = "simulated"
    shown: str = field(default="", init=False)
    _folded: tuple[str, ...] = field(init=False)
    # Passages found when it last searched: a further one names other things to look for.
    _known: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._folded = tuple(folded_letters(passage) for passage in self.gold)

    def complete(
        self,
        request: ChatRequest,
        *,
        cancellation: Cancellation | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Return what a reader who knows the gold would reply."""
        if request.purpose == "plan":
            return _reply(request, _json({"queries": self._queries()}))
        if request.purpose == "rewrite":
            return _reply(request, _json({"question": self.question}))
        self.shown = "\n\n".join(
            message.content for message in request.messages if message.role != "system"
        )
        found = self.found_in(self.shown)
        if request.purpose == "agent" and request.tools and len(found) < max(1, len(self.gold)):
            calls = self._calls(request, found)
            if calls:
                return _reply(request, "", calls)
        return _reply(request, self._answer(found))

    def found_in(self, text: str) -> tuple[int, ...]:
        """Return the indices of the gold passages that ``text`` holds."""
        folded = folded_letters(text)
        return tuple(at for at, passage in enumerate(self._folded) if passage in folded)

    def _answer(self, found: Sequence[int]) -> str:
        sufficient = bool(self.gold) and len(found) == len(self.gold)
        blocks = _numbered(self.shown)
        quotes = []
        for at in found:
            for number, text in blocks:
                if quote := _verbatim(self.gold[at], text):
                    quotes.append({"evidence": number, "text": quote})
                    break
        markers = "".join(f" [{number}]" for number in range(1, len(quotes) + 1))
        return _json(
            {
                "constraints": [],
                "quotes": quotes,
                "missing": [] if sufficient else self._missing(found),
                "sufficient": sufficient,
                "answer": f"As quoted:{markers}" if quotes else "",
                "value": self.answer if sufficient else "",
                "unit": "",
                "is_blank": not quotes,
            }
        )

    def _missing(self, found: Sequence[int]) -> list[str]:
        """Return what to look for next: names in what was found, else the question's own words."""
        names = _names(self.gold[at] for at in found)
        fresh = [name for name in names if name.casefold() not in self.question.casefold()]
        return fresh[:MOST_NAMES] or [self.question]

    def _queries(self) -> list[str]:
        names = _names([self.question])
        words = _WORD.findall(self.question)
        return [self.question, " ".join(names) or " ".join(words), " ".join(words)]

    def _calls(self, request: ChatRequest, found: Sequence[int]) -> tuple[ToolCall, ...]:
        """Return the calls of this round by a fixed policy; none when it has run out of ideas."""
        made = [call.name for message in request.messages for call in message.tool_calls]
        number = len(made)
        if request.tools[0].name == "retrieve":
            return self._deepread_calls(number, request.messages, found)
        is_read = made[-1:] == ["read"]
        if made[-1:] in ([], ["grep"]) or (is_read and len(found) > self._known):
            # What is missing, then the question, then its words alone.
            self._known = len(found)
            queries = [*self._missing(found), *self._queries()]
            return _call(number, "search", {"query": _unasked(queries, request.messages)})
        unread = _unread(request.messages)
        if unread and made[-2:] != ["read", "read"]:
            return _call(number, "read", {"uris": unread[:READ_AT_ONCE]})
        return self._grep(number)

    def _grep(self, number: int) -> tuple[ToolCall, ...]:
        words = sorted(set(_WORD.findall(self.question)), key=lambda word: (-len(word), word))
        word = words[(number // 4) % len(words)] if words else self.question[:20]
        return _call(number, "grep", {"pattern": re.escape(word)})

    def _deepread_calls(
        self, number: int, messages: Sequence[Message], found: Sequence[int]
    ) -> tuple[ToolCall, ...]:
        """Retrieve, then read the sections retrieved, then retrieve what is missing."""
        unread = _unread(messages)
        if number % 2 and unread:
            return _call(number, "read_section", {"section": unread[0]})
        queries = [self.question, *self._missing(found), *self._queries()[1:]]
        return _call(number, "retrieve", {"query": _unasked(queries, messages)})


def _reply(request: ChatRequest, text: str, calls: tuple[ToolCall, ...] = ()) -> Reply:
    written = text + "".join(f"{call.name} {_json(dict(call.arguments))}" for call in calls)
    schemas = "".join(
        f"{tool.name} {tool.description} {json.dumps(dict(tool.parameters))}"
        for tool in request.tools
    )
    prompt = count_tokens(prompt_text(request.messages) + schemas)
    usage = Usage(prompt, count_tokens(written), 0, estimated=True)
    return Reply(text, calls, usage)


def _json(value: dict[str, object]) -> str:
    """Return JSON with letters as a model writes them: escaped, a Chinese one takes four tokens."""
    return json.dumps(value, ensure_ascii=False)


def _call(number: int, name: str, arguments: dict[str, object]) -> tuple[ToolCall, ...]:
    return (ToolCall(f"call-{number}", name, arguments),)


def _unasked(queries: Sequence[str], messages: Sequence[Message]) -> str:
    """Return the first query that no call has made, else the last of them."""
    asked = {call.arguments.get("query") for message in messages for call in message.tool_calls}
    return next((query for query in queries if query not in asked), queries[-1])


def _unread(messages: Sequence[Message]) -> list[str]:
    """Return the numbers of places that previews named and no call has read, the newest first."""
    named: list[str] = []
    read: set[str] = set()
    for message in messages:
        for call in message.tool_calls:
            for value in (call.arguments.get("uris"), [call.arguments.get("section")]):
                read.update(str(one) for one in value if one) if isinstance(value, list) else None
        if message.role == "tool":
            # A list of previews that has shrunk to a line says which of them are left.
            left = " ".join(_LEFT.findall(message.content))
            named = [*_PLACE.findall(message.content), *re.findall(r"\d+", left), *named]
    return [number for number in dict.fromkeys(named) if number not in read]


def _numbered(prompt: str) -> list[tuple[int, str]]:
    """Return the numbered passages of a prompt, [E3] of a context or [12] of the agent's reads."""
    marks = list(_BLOCK.finditer(prompt)) or list(_PLACE.finditer(prompt))
    ends = [*(mark.start() for mark in marks[1:]), len(prompt)][: len(marks)]
    return [(int(mark[1]), prompt[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)]


def _verbatim(passage: str, text: str) -> str:
    """Return the part of ``text`` with the letters of ``passage``, '' if it is not there."""
    kept = [(char, at) for at, one in enumerate(text) for char in one.casefold() if char.isalnum()]
    wanted = folded_letters(passage)
    start = "".join(char for char, _ in kept).find(wanted) if wanted else -1
    if start < 0:
        return ""
    quote = text[kept[start][1] : kept[start + len(wanted) - 1][1] + 1]
    ends = [match.end() for match in re.finditer(r"\S+", quote)][:QUOTE_WORDS]
    return quote[: max((end for end in ends if end <= QUOTE_CHARACTERS), default=QUOTE_CHARACTERS)]


def _names(texts: Iterable[str]) -> list[str]:
    """Return the capitalised names of the texts, the longest first."""
    names = [name for text in texts for name in _NAME.findall(text) if len(name) > 3]
    return sorted(dict.fromkeys(names), key=lambda name: -len(name))
