"""A run as programs get it: the command line's contract, and later the API's."""

from typing import Any

from retrieval.models import Citation, Run, RunEvent
from retrieval.services.scopes import uri_of


def run_report(run: Run) -> dict[str, Any]:
    """Return what is to know about a finished run, JSON-ready; in an open transaction."""
    citations = run.citations.select_related("document", "version")
    seconds = (
        (run.finished_at - run.started_at).total_seconds()
        if run.finished_at and run.started_at
        else None
    )
    return {
        "run": run.pk,
        "state": run.state,
        "question": run.question,
        "answer": run.answer,
        "abstained": run.abstained,
        "reason": run.reason,
        "citations": [_citation(run, citation) for citation in citations],
        "preset": run.preset,
        "reasoner": run.reasoner,
        "escalated": run.escalated,
        "rounds": run.rounds,
        "tool_calls": [
            _tool_call(event)
            for event in run.events.filter(kind__in=("searched", "tool")).order_by("number")
        ],
        "tokens": {
            "prompt": run.prompt_tokens,
            "completion": run.completion_tokens,
            "cached": run.cached_tokens,
            "estimated": run.tokens_estimated,
        },
        "seconds": seconds,
    }


def _citation(run: Run, citation: Citation) -> dict[str, Any]:
    return {
        "n": citation.number,
        "uri": uri_of(run.base, citation.path),
        "document": citation.document.filename,
        "title": citation.document.title,
        "version": citation.version.number,
        "page": citation.page,
        "char_start": citation.char_start,
        "char_end": citation.char_end,
        "quote": citation.quote,
        # Only verified quotes become citations; `match` says whether letter by letter.
        "verified": True,
        "match": citation.match,
    }


def _tool_call(event: RunEvent) -> dict[str, Any]:
    payload = event.payload
    if event.kind == "tool":
        return {name: payload[name] for name in ("name", "arguments", "items", "tokens")}
    return {
        "name": "search",
        "arguments": {"query": payload["query"]},
        "items": payload["hits"],
        "tokens": payload["tokens"],
    }
