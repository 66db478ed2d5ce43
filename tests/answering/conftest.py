"""Runs answered by a scripted model over real HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest

from accounts.tenancy import tenant_transaction
from retrieval.models import Run
from retrieval.services.runs import run_create, run_execute
from tests.factories import Company, ingested, make_company
from tests.scripted_model import ScriptedModel
from tests.scripted_replies import Fail, ScriptedReply, say_json

HANDBOOK = """# Field handbook

## Travel

The travel allowance is 45 euros a day. Receipts are sent in within thirty days.

## Warranty

The SL-420 has a warranty of 36 months. The SL-300 has a warranty of 24 months.

## Offices

The office in Bergen opens at eight.
"""


def answer_of(
    body: Mapping[str, object], quote: str, answer: str, **changes: object
) -> Mapping[str, object]:
    """A reply that quotes `quote` from whichever passage of the prompt holds it."""
    prompt = "\n".join(str(message["content"]) for message in body["messages"])  # type: ignore[attr-defined]
    number = 0
    for match in re.finditer(r"^\[E?(\d+)\] .*$", prompt, re.MULTILINE):
        if match.start() < prompt.find(quote):
            number = int(match[1])
    reply: dict[str, object] = {
        "constraints": [],
        "quotes": [{"evidence": number, "text": quote}],
        "missing": [],
        "sufficient": True,
        "answer": answer,
        "value": "",
        "unit": "",
        "is_blank": False,
    }
    return reply | changes


BLANK: Mapping[str, object] = {
    "constraints": [],
    "quotes": [],
    "missing": ["the colour of the SL-420"],
    "sufficient": False,
    "answer": "",
    "value": "",
    "unit": "",
    "is_blank": True,
}


def saying(quote: str, answer: str, **changes: object) -> Callable[..., ScriptedReply]:
    """A responder that always answers with this quote."""
    return lambda body: say_json(answer_of(body, quote, answer, **changes))


@dataclass(frozen=True, slots=True)
class Asking:
    """A company with a handbook, and the scripted server that its questions are answered by."""

    company: Company
    server: ScriptedModel

    def script(self, *replies: ScriptedReply | Callable[..., ScriptedReply]) -> None:
        """Let the server say these in order; a function is given the request's body."""
        left = list(replies)

        def respond(body: Mapping[str, object]) -> ScriptedReply:
            reply = left.pop(0) if left else Fail(404, "the script is at its end")
            return reply(body) if callable(reply) else reply

        self.server.respond_with(respond)

    def ask(self, question: str, preset: str = "naive", conversation=None) -> Run:
        """Ask as a member and return the finished run."""
        run = run_create(
            tenant=self.company.tenant,
            base=self.company.base,
            membership=self.company.member,
            question=question,
            conversation=conversation,
            preset=preset,
        )
        run_execute(tenant_id=self.company.tenant.pk, run_id=run.pk)
        return self.reread(run)

    def reread(self, run: Run) -> Run:
        with tenant_transaction(self.company.tenant):
            return Run.objects.select_related("base", "conversation").get(pk=run.pk)

    def events(self, run: Run) -> list[tuple[str, dict]]:
        return [(kind, payload) for _, kind, payload in self.numbered(run)]

    def numbered(self, run: Run) -> list[tuple[int, str, dict]]:
        """The run's events with their numbers."""
        with tenant_transaction(self.company.tenant):
            return list(run.events.order_by("number").values_list("number", "kind", "payload"))

    def quotes(self, run: Run) -> list[str]:
        with tenant_transaction(self.company.tenant):
            return list(run.citations.order_by("number").values_list("quote", flat=True))


@pytest.fixture
def asking(transactional_db: None, settings) -> Iterator[Asking]:
    company = make_company("aurora")
    with ScriptedModel() as server:
        settings.LLM_BASE_URL = server.base_url
        settings.LLM_API_KEY = "sk-made-up-for-tests"
        settings.LLM_MODEL = "scripted"
        settings.LLM_TIMEOUT_S = 20
        ingested(company.tenant, company.base, "handbook.md", HANDBOOK)
        yield Asking(company, server)
