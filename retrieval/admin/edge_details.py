"""What an edge's page shows of it, readable."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from retrieval.models import ExperienceEdge
from retrieval.services.experience.crediting import credit_of

MOST_CHARACTERS = 300
"""Of an argument of a tool: some hold whole texts."""


def line_list(lines: Iterable[str]) -> SafeString:
    """Return the lines as a list."""
    return format_html(
        "<ul>{}</ul>", format_html_join("", "<li>{}</li>", ((line,) for line in lines))
    )


def trace_list(trace: Iterable[Mapping[str, Any]]) -> SafeString:
    """Return the steps of a trace in their order: each tool with its arguments.

    The numbers are text: the styles of the admin take those of lists away.
    """
    steps = enumerate(map(_step, trace), 1)
    return line_list(
        format_html("{}. <strong>{}</strong> {}", number, tool, arguments)
        for number, (tool, arguments) in steps
    )


def _step(step: Mapping[str, Any]) -> tuple[str, str]:
    tool = str(step.get("tool") or "unknown tool")
    arguments = (f"{name}: {_value(value)}" for name, value in step.items() if name != "tool")
    return tool, "; ".join(arguments)


def _value(value: Any) -> str:
    if isinstance(value, list):
        text = ", ".join(_value(item) for item in value)
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"


def credit_words(edge: ExperienceEdge) -> str:
    """Return an edge's credit of today with what it is made of."""
    credit = credit_of(edge, timezone.now())
    trust = "" if credit.is_trusted else ", not offered any more"
    counts = f"{credit.successes:.1f} cited, {credit.failures:.1f} not"
    return f"{100 * credit.mean:.0f} % ({counts}{trust})"


def hop_words(hop: int) -> str:
    """Return how far the target was from what the first search found."""
    return f"{hop}, the first search has found it as well" if hop == 0 else str(hop)
