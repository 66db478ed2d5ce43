"""The stream of a run: frames, headers, replay, and that it really streams."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from threading import BoundedSemaphore
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from accounts.tenancy import tenant_transaction
from retrieval.agent.evidence import Context
from retrieval.agent.reasoner import Draft, Quote, Signals
from retrieval.models import Run
from retrieval.services import retrieving, starting, streaming
from retrieval.services.computing import Turns
from retrieval.services.runs import run_create, run_execute
from retrieval.views.runs import event
from tests.factories import Company, ingested, make_company
from tests.web.conftest import HANDBOOK, Asked, Browser


def frames(body: str) -> list[tuple[str, str]]:
    """Return (event, data) as a browser reads them."""
    found = []
    for block in body.split("\n\n"):
        lines = [line.partition(": ") for line in block.split("\n") if line[:1] != ":"]
        name = "".join(value for key, _, value in lines if key == "event")
        data = "\n".join(value for key, _, value in lines if key == "data")
        if name:
            found.append((name, data))
    return found


def stream(client: Client, run: Run, tenant_slug: str) -> str:
    response = client.get(reverse("run_stream", args=[tenant_slug, run.pk]))
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/event-stream")
    assert response["Cache-Control"] == "no-cache, private"
    assert response["X-Accel-Buffering"] == "no"
    return response.getvalue().decode()


def test_every_line_of_html_is_a_data_line_of_its_own() -> None:
    assert event("done", "<p>\na\r\nb</p>") == "event: done\ndata: <p>\ndata: a\ndata: b</p>\n\n"
    assert event("answer", "") == "event: answer\ndata: \n\n"


def test_a_run_is_streamed_as_steps_answer_and_the_finished_turn(
    a: Company, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "retrieval.services.answering.current_reasoner", lambda tenant_id: QuotingReasoner()
    )
    ingested(a.tenant, a.base, "one.md", "# One\n\nThe *only* sentence.\n")
    run = run_create(tenant=a.tenant, base=a.base, membership=a.member, question="Which only?")
    run_execute(tenant_id=a.tenant.pk, run_id=run.pk)
    member = browser(a.member)
    seen = frames(stream(member, run, a.tenant.slug))
    names = [name for name, _ in seen]
    assert names[0] == "step"
    assert names.count("done") == 1
    assert names[-1] == "done"
    answers = [data for name, data in seen if name == "answer"]
    assert "<em>only</em>" in answers[-1]
    assert 'class="cite"' in answers[-1]
    assert 'class="turn"' in seen[-1][1]
    assert "sse-connect" not in seen[-1][1]
    # A reload replays what is stored: the same end, nothing called twice.
    assert frames(stream(member, run, a.tenant.slug))[-1] == seen[-1]


def test_a_failed_run_ends_its_stream_too(asked: Asked, browser: Browser) -> None:
    with tenant_transaction(asked.company.tenant):
        Run.objects.filter(pk=asked.run.pk).update(state=Run.State.FAILED, reason="It broke (7).")
    seen = frames(stream(browser(asked.company.editor), asked.run, asked.company.tenant.slug))
    assert seen[-1][0] == "done"
    assert "It broke (7)." in seen[-1][1]


def test_stop_ends_a_run_that_nobody_has_begun(a: Company, browser: Browser) -> None:
    run = run_create(tenant=a.tenant, base=a.base, membership=a.member, question="Why?")
    path = reverse("run_stop", args=[a.tenant.slug, run.pk])
    assert browser(a.member).post(path, headers={"HX-Request": "true"}).status_code == 204
    seen = frames(stream(browser(a.member), run, a.tenant.slug))
    assert "You stopped this answer" in seen[-1][1]


class QuotingReasoner:
    """Quotes the first sentence of the first block."""

    name = "quoting"

    def answer(self, question: str, context: Context, signals: Signals) -> Draft:
        leaf = context.blocks[0].leaves[0]
        start, end = leaf.sentences[0]
        quote = Quote(context.blocks[0].number, leaf.text[: end - start], start, end)
        return Draft(f"{quote.text} [1]", (quote,))


@dataclass(slots=True)
class WaitingReasoner:
    """Answers when it is told to."""

    name: str = "waiting"
    go: threading.Event = field(default_factory=threading.Event)

    def answer(self, question: str, context: Context, signals: Signals) -> Draft:
        assert self.go.wait(30)
        return Draft("", (), sufficient=False, reason="Nothing.")


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[WaitingReasoner]:
    reasoner = WaitingReasoner()
    monkeypatch.setattr("retrieval.services.answering.current_reasoner", lambda tenant_id: reasoner)
    yield reasoner
    reasoner.go.set()


def asked_of_a_handbook() -> tuple[Company, Run]:
    """Return a company with a handbook, and a question that its member has asked."""
    company = make_company("aurora")
    ingested(company.tenant, company.base, "handbook.md", HANDBOOK)
    run = run_create(
        tenant=company.tenant, base=company.base, membership=company.member, question="Leave?"
    )
    return company, run


def opened(
    live_server: LiveServer, company: Company, run: Run
) -> tuple[HTTPConnection, HTTPResponse]:
    """Open the stream of a member's question as a browser does."""
    client = Client()
    client.force_login(company.member.user)
    socket = HTTPConnection(urlsplit(live_server.url).netloc, timeout=30)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    path = reverse("run_stream", args=[company.tenant.slug, run.pk])
    socket.request("GET", path, headers={"Cookie": cookie})
    return socket, socket.getresponse()


@pytest.mark.django_db(transaction=True)
def test_the_first_step_arrives_while_the_answer_is_still_being_made(
    live_server: LiveServer, waiting: WaitingReasoner
) -> None:
    company, run = asked_of_a_handbook()
    socket, response = opened(live_server, company, run)
    assert response.readline() == b"event: step\n"
    assert not waiting.go.is_set()
    waiting.go.set()
    assert b"event: done" in response.read()
    socket.close()


@pytest.mark.django_db(transaction=True)
def test_a_stream_says_that_its_question_waits_while_others_keep_the_processors_busy(
    live_server: LiveServer, waiting: WaitingReasoner, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Turns(at_once=1, patience_s=60)
    monkeypatch.setattr(starting, "ANSWERS", turns)
    monkeypatch.setattr(retrieving, "ANSWERS", turns)
    company, run = asked_of_a_handbook()
    with turns.taken():
        socket, response = opened(live_server, company, run)
        assert response.readline() == b"event: step\n"
        assert response.readline() == b"data: Waiting to begin\n"
        with tenant_transaction(company.tenant):
            assert Run.objects.get(pk=run.pk).state == Run.State.QUEUED
    waiting.go.set()
    assert b"event: done" in response.read()
    socket.close()


@pytest.mark.django_db(transaction=True)
def test_thirty_followers_of_an_endless_answer_leave_room_for_a_page(
    live_server: LiveServer, waiting: WaitingReasoner, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = BoundedSemaphore(20)
    monkeypatch.setattr(streaming, "_room", lambda: room)
    company = make_company("aurora")
    run = run_create(
        tenant=company.tenant, base=company.base, membership=company.member, question="Leave?"
    )
    client = Client()
    client.force_login(company.member.user)
    headers = {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}
    address = urlsplit(live_server.url).netloc

    def get(path: str) -> tuple[HTTPConnection, HTTPResponse]:
        socket = HTTPConnection(address, timeout=60)
        socket.request("GET", path, headers=headers)
        return socket, socket.getresponse()

    stream = reverse("run_stream", args=[company.tenant.slug, run.pk])
    followers = [get(stream) for _ in range(30)]
    firsts = Counter(response.readline() for _, response in followers)
    assert firsts == {b"event: step\n": 20, b"retry: 3000\n": 10}
    assert connections_held() <= settings.DATABASE_POOL["max_size"]
    asked_for = get(reverse("conversations", args=[company.tenant.slug]))
    assert asked_for[1].status == 200
    waiting.go.set()
    bodies = [response.read() for _, response in followers]
    assert sum(b"event: done" in body for body in bodies) == 20
    for socket, _ in [*followers, asked_for]:
        socket.close()


def connections_held() -> int:
    """Return how many connections of this database are inside a transaction or a statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*) from pg_stat_activity where datname = current_database()"
            " and state <> 'idle'"
        )
        return int(cursor.fetchone()[0])
