"""The answer a model gives: its JSON schema, and a draft from whatever came back.

The order of the keys is the order of thought: what is asked, what meets it, the words themselves,
what is lacking, and only then the answer (KohakuRAG, arXiv 2603.07612; design 6.3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from retrieval.agent.markers import without_markers
from retrieval.agent.planning import as_query
from retrieval.agent.reasoner import Constraint, Draft, Quote
from retrieval.llm.chat import Reply
from retrieval.llm.objects import parse_object

MOST_QUOTES = 20
MOST_MISSING = 8
_REFUSAL = re.compile(
    r"\A\W*(?:i(?:'m| am) sorry|i can(?:no|')t|unable to|not (?:mentioned|specified|stated)"
    r"|no (?:information|answer)|the (?:documents|evidence|context) do(?:es)? not"
    r"|к сожалению|нет (?:информации|данных)|не указано|无法|未提及|没有(?:提到|相关))",
    re.IGNORECASE,
)
_STRINGS = {"type": "array", "items": {"type": "string"}}
_NUMBERS = {"type": "array", "items": {"type": "integer"}}


def _object(**properties: object) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


ANSWER_SCHEMA = _object(
    constraints={
        "type": "array",
        "items": _object(need={"type": "string"}, met={"type": "boolean"}, evidence=_NUMBERS),
    },
    quotes={
        "type": "array",
        "items": _object(evidence={"type": "integer"}, text={"type": "string"}),
    },
    missing=_STRINGS,
    sufficient={"type": "boolean"},
    answer={"type": "string"},
    value={"type": "string"},
    unit={"type": "string"},
    is_blank={"type": "boolean"},
)
_KEYS = frozenset(cast(Mapping[str, object], ANSWER_SCHEMA["properties"]))

NO_QUOTE = Quote(0, "")
"""What is in no passage, so that it is never found."""

UNPARSABLE = "The model's reply could not be read."
BROKE_OFF = "The model's answer broke off before its end."


def answer_in(reply: Reply) -> dict[str, object] | None:
    """Return the object in a reply that was asked for by `ANSWER_SCHEMA`, None without any.

    It has one of the schema's keys: some models write a call of a tool as text, which has none.
    """
    return parse_object(reply.text, _KEYS) if reply.data is None else dict(reply.data)


def draft_of(reply: Mapping[str, object] | None) -> Draft:
    """Return the draft in a reply under `ANSWER_SCHEMA`.

    Anything missing or of another type counts as not said; a reply that is none at all, is blank
    or refuses, is insufficient.
    """
    if not reply:
        return Draft("", (), sufficient=False, reason=UNPARSABLE)
    answer = _text(reply.get("answer"))
    quotes = tuple(_quote(item) for item in _items(reply.get("quotes"))[:MOST_QUOTES])
    missing = tuple(one for item in _items(reply.get("missing")) if (one := as_query(_text(item))))
    says = any(char.isalnum() for char in without_markers(answer))
    blank = reply.get("is_blank") is True or not says or answer.casefold() == "is_blank"
    refused = bool(_REFUSAL.match(answer)) and not any(quote.text for quote in quotes)
    broke_off = reply.get("sufficient") is True and reply.get("answer", "") is None
    return Draft(
        answer="" if blank or refused else answer,
        quotes=quotes,
        missing=missing[:MOST_MISSING],
        sufficient=reply.get("sufficient") is True and not blank and not refused,
        constraints=tuple(
            need for item in _items(reply.get("constraints")) if (need := _constraint(item))
        ),
        value=_text(reply.get("value")),
        unit=_text(reply.get("unit")),
        reason=BROKE_OFF if broke_off else "",
    )


def _quote(item: object) -> Quote:
    """Return a quote. One that is none keeps its place: markers count the quotes by place."""
    if not isinstance(item, Mapping):
        return NO_QUOTE
    number, text = _number(item.get("evidence")), _text(item.get("text"))
    return Quote(number, text) if number is not None and text else NO_QUOTE


def _constraint(item: object) -> Constraint | None:
    if not isinstance(item, Mapping) or not (need := as_query(_text(item.get("need")))):
        return None
    numbers = tuple(n for one in _items(item.get("evidence")) if (n := _number(one)) is not None)
    return Constraint(need, item.get("met") is True, numbers)


def _number(value: object) -> int | None:
    """Return an evidence number, written 3, "3" or "E3"."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    match = re.fullmatch(r"\s*\[?E?(\d{1,6})\]?\s*", value) if isinstance(value, str) else None
    return int(match[1]) if match else None


def _text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
