"""Experience as lines of JSON, a question each: what an export writes and an import reads."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any, NoReturn

from retrieval.llm.storable import storable_value

MOST_BYTES = 1_000_000
"""Of a line: a question with hundreds of edges has a tenth of that."""

MOST_QUESTION = 4_000
"""Characters, as on the page that questions are asked on."""

MOST_SOURCES = 20
MOST_STEPS = 20


class MalformedLine(ValueError):
    """A line is not what an export writes; the message says why, to follow "Line 3: "."""


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """An edge's target, below its base, and how it was found."""

    path: str
    stable_key: str
    content_hash: str
    sources: tuple[str, ...] = ()
    hop: int = 1
    trace: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A question with where it was answered; ``origin`` is that in the base it comes from."""

    question: str
    origin: str
    edges: tuple[EdgeLine, ...]
    tokens: int | None = None
    rounds: int = 0


def line_of(question: QuestionLine, *, ascii_only: bool = False) -> str:
    """Return the line of a question, without its end."""
    return json.dumps(asdict(question), ensure_ascii=ascii_only)


def read_line(raw: bytes) -> QuestionLine:
    """Return the question of a line; fields that it does not know are passed over.

    Raises MalformedLine.
    """
    if len(raw) > MOST_BYTES:
        raise MalformedLine(f"it is longer than {MOST_BYTES:,} bytes")
    try:
        text = raw.decode("utf-8-sig")
        value = json.loads(text, parse_constant=_no_number, parse_float=_number)
    except (ValueError, RecursionError) as error:
        raise MalformedLine("it is no JSON in UTF-8") from error
    row = storable_value(value)
    if not isinstance(row, dict):
        raise MalformedLine("it is no JSON object")
    edges = row.get("edges")
    if not isinstance(edges, list) or not edges:
        raise MalformedLine("it has no list of edges")
    return QuestionLine(
        _text(row, "question", MOST_QUESTION),
        _text(row, "origin", 10),
        tuple(_edge(edge) for edge in edges),
        _count(row, "tokens", 2**31 - 1),
        _count(row, "rounds", 2**15 - 1) or 0,
    )


def _edge(row: Any) -> EdgeLine:
    if not isinstance(row, dict):
        raise MalformedLine("an edge is no JSON object")
    sources, trace = row.get("sources", []), row.get("trace", [])
    if not isinstance(sources, list) or not all(isinstance(one, str) for one in sources):
        raise MalformedLine("the sources of an edge are no list of texts")
    if not isinstance(trace, list) or not all(isinstance(step, dict) for step in trace):
        raise MalformedLine("the trace of an edge is no list of objects")
    hop = _count(row, "hop", 2**15 - 1)
    return EdgeLine(
        _text(row, "path", MOST_QUESTION),
        _text(row, "stable_key", 64),
        _text(row, "content_hash", 64),
        tuple(sources[:MOST_SOURCES]),
        1 if hop is None else hop,
        tuple(trace[:MOST_STEPS]),
    )


def _text(row: dict[str, Any], name: str, most: int) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise MalformedLine(f"{name} is no text")
    if len(value) > most:
        raise MalformedLine(f"{name} is longer than {most:,} characters")
    return value


def _count(row: dict[str, Any], name: str, most: int) -> int | None:
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise MalformedLine(f"{name} is no number from 0 to {most:,}")
    return value


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _number(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _no_number(text)
