"""What an edge's page shows of it, readable."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from retrieval.models import ExperienceEdge
from retrieval.services.experience.recalling import credit_of

MOST_CHARACTERS = 300
"""Of an argument of a tool: some hold whole texts."""


def source_list(lines: Iterable[str]) -> SafeString:
    """Return the lines as a list."""
    items = format_html_join("", "<li>{}</li>", ((line,) for line in lines))
    return format_html('<ul class="list-disc ml-4">{}</ul>', items)


def trace_list(trace: Iterable[Mapping[str, Any]]) -> SafeString:
    """Return the steps of a trace as a numbered list: each tool with its arguments."""
    items = format_html_join(
        "", "<li><strong>{}</strong> {}</li>", (_step(dict(step)) for step in trace)
    )
    return format_html('<ol class="list-decimal ml-4">{}</ol>', items)


def _step(step: dict[str, Any]) -> tuple[str, str]:
    tool = str(step.pop("tool", "") or "unknown tool")
    return tool, "; ".join(f"{name}: {_value(value)}" for name, value in step.items())


def _value(value: Any) -> str:
    if isinstance(value, list):
        text = ", ".join(_value(item) for item in value)
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"


def credit_words(edge: ExperienceEdge) -> str:
    """Return an edge's credit of today with what it is made of."""
    credit = credit_of(edge).after((timezone.now() - edge.credited_at).days)
    trust = "" if credit.is_trusted else ", not offered any more"
    counts = f"{credit.successes:.1f} cited, {credit.failures:.1f} not"
    return f"{100 * credit.mean:.0f} % ({counts}{trust})"


def hop_words(hop: int) -> str:
    """Return how far the target was from what the first search found."""
    return f"{hop}, the first search has found it as well" if hop == 0 else str(hop)
