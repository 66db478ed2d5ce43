"""The roads of the pipeline as a browser goes them: a question posted, its stream, and its page."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from retrieval.models import Run, UsageEntry
from retrieval.services.sweeping import SILENCE, answers_sweep
from tests.answering.conftest import BLANK, Asking, answer_of, saying
from tests.config.conftest import ROOT
from tests.databases import url_of
from tests.scripted_replies import Call, Forever, Hang, Say, say_json
from tests.web.pages import Page, read_page
from tests.web.test_streams import frames

QUESTION = "How long is the warranty of the SL-420?"
QUOTE = "The SL-420 has a warranty of 36 months."
ANSWER = "It is 36 months [1]."
LOOKS = (
    Say(calls=(Call("grep", {"pattern": "SL-420"}),)),
    Say(calls=(Call("read", {"uris": ["1"]}),)),
)


@dataclass(frozen=True, slots=True)
class Web:
    """A member's browser."""

    asking: Asking
    client: Client

    def ask(self, preset: str, question: str = QUESTION) -> str:
        """Return the address of the new conversation."""
        company = self.asking.company
        path = reverse("ask", args=[company.tenant.slug, company.base.slug])
        return str(self.client.post(path, {"question": question, "preset": preset})["Location"])

    def page(self, where: str) -> str:
        return self.client.get(where).content.decode()

    def stream(self) -> list[tuple[str, str]]:
        """Return the events of the newest answer, read to the end."""
        return frames(self.client.get(stream_of(self.newest())).getvalue().decode())

    def newest(self) -> Run:
        with tenant_transaction(self.asking.company.tenant):
            return Run.objects.select_related("tenant").latest("pk")

    def until(self, come: Callable[[Run], bool]) -> Run:
        """Wait until the newest run is as wanted; a minute is far more than it takes."""
        deadline = time.monotonic() + 60
        while not come(run := self.newest()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        return run


def stream_of(run: Run) -> str:
    return reverse("run_stream", args=[run.tenant.slug, run.pk])


@pytest.fixture
def web(asking: Asking) -> Web:
    client = Client()
    client.force_login(asking.company.member.user)
    return Web(asking, client)


def turn(events: list[tuple[str, str]]) -> Page:
    assert [name for name, _ in events].count("done") == 1
    assert events[-1][0] == "done"
    return read_page(events[-1][1])


def proves(page: Page) -> bool:
    cards = " ".join(text for texts in page.texts.values() for text in texts)
    return len([one for one in page.attributes("a") if one.get("class") == "cite"]) == 1 and (
        "36 months" in cards
    )


MISSING = {**BLANK, "missing": ["warranty of the SL-420"]}
ROADS: dict[str, tuple[str, int, tuple[Any, ...], list[str]]] = {
    "sufficient": ("naive", 40, (saying(QUOTE, ANSWER),), ["Searching"]),
    "missing, found": ("adaptive", 40, (say_json(MISSING), saying(QUOTE, ANSWER)), []),
    "escalated, found": (
        "adaptive", 40, (say_json(BLANK), say_json(BLANK), *LOOKS, saying(QUOTE, ANSWER)),
        ["Looking further", "Used grep: 1 result", "Used read: 1 result"],
    ),
    "budget out": ("viking", 3, (*LOOKS, saying(QUOTE, ANSWER)), ["Used read: 1 result"]),
}  # fmt: skip


@pytest.mark.parametrize("road", ROADS)
def test_a_road_that_ends_in_an_answer(web: Web, settings, road: str) -> None:
    preset, calls, replies, steps = ROADS[road]
    settings.RUN_MAX_CALLS = calls
    web.asking.script(*replies)
    where = web.ask(preset)
    events = web.stream()
    assert proves(turn(events))
    told = [text for name, text in events if name == "step"]
    assert [text for text in dict.fromkeys(told) if text in steps] == steps
    # Reloaded, the page and the stream show the same, and no model is called again.
    count = len(web.asking.server.chats)
    assert proves(read_page(web.page(where)))
    assert proves(turn(web.stream()))
    assert len(web.asking.server.chats) == count


def test_all_blank_abstains_with_what_is_missing_and_near(web: Web) -> None:
    web.asking.server.respond_with(lambda body: say_json(BLANK))
    web.ask("kohaku", "What colour is the SL-420?")
    page = turn(web.stream())
    assert not [one for one in page.attributes("a") if one.get("class") == "cite"]
    words = " ".join(page.text("article"))
    assert "the colour of the SL-420" in words
    assert "handbook" in words.casefold()


def test_a_vote_with_blanks_is_won_by_an_answer(web: Web) -> None:
    draws = iter([True, False, True, True, False, True] * 10)

    def respond(body):
        if "search queries" in str(body["messages"][0]["content"]):
            return say_json({"queries": ["warranty"]})
        return say_json(answer_of(body, QUOTE, ANSWER, value="36") if next(draws) else BLANK)

    web.asking.server.respond_with(respond)
    web.ask("kohaku")
    assert proves(turn(web.stream()))


def test_a_follow_up_is_understood_from_what_was_said(web: Web) -> None:
    other = "The SL-300 has a warranty of 24 months."
    web.asking.script(
        saying(QUOTE, ANSWER),
        say_json({"question": "How long is the warranty of the SL-300?"}),
        saying(other, "It is 24 months [1]."),
    )
    where = web.ask("naive")
    turn(web.stream())
    web.client.post(where, {"question": "And for the SL-300?", "preset": "naive"})
    words = " ".join(turn(web.stream()).text("article"))
    assert "Understood as: How long is the warranty of the SL-300?" in words
    assert "It is 24 months" in words


def test_stop_closes_the_models_socket_within_a_second(web: Web) -> None:
    reply = Say(json.dumps({"quotes": [], "answer": "word " * 400}), delay_s=0.05)
    web.asking.server.say_next(reply)
    web.ask("naive")
    web.until(lambda run: run.state == "running" and bool(web.asking.server.chats))
    recorded = web.asking.server.chats[0]
    run = web.newest()
    web.client.post(reverse("run_stop", args=[run.tenant.slug, run.pk]))
    assert recorded.ended.wait(30)
    assert recorded.closed_early is not None
    assert recorded.chunks < 200
    assert "You stopped this answer" in " ".join(turn(web.stream()).text("article"))
    stopped = web.until(lambda run: run.is_over)
    assert stopped.state == "stopped"
    with tenant_transaction(web.asking.company.tenant):
        entry = UsageEntry.objects.get(run_number=run.pk)
    assert entry.failed
    assert entry.estimated
    assert entry.prompt_tokens
    assert (stopped.prompt_tokens, stopped.completion_tokens) == (
        entry.prompt_tokens,
        entry.completion_tokens,
    )


def test_a_reload_in_the_middle_shows_what_is_there_and_goes_on(web: Web) -> None:
    def respond(body):
        data = answer_of(body, QUOTE, f"It is 36 months [1]. {'So it is. ' * 40}")
        return Say(json.dumps(data), delay_s=0.02)

    web.asking.server.respond_with(respond)
    where = web.ask("naive")
    run = web.newest()
    first = web.client.get(stream_of(run))
    seen = ""
    for frame in first:
        seen += frame.decode()
        if "event: answer" in seen:
            break
    first.close()  # the tab is gone; the run is not
    assert "data-running" in web.page(where)
    events = web.stream()
    assert proves(turn(events))
    assert len(web.asking.server.chats) == 1


def test_an_answer_whose_process_is_killed_ends_as_interrupted(web: Web, tmp_path) -> None:
    web.asking.server.say_next(Forever(Hang()))
    company = web.asking.company
    environment = {
        "PATH": os.environ["PATH"],
        "CAIRN_ENV_FILE": "off",
        "CAIRN_DATA_DIR": str(tmp_path / "var"),
        "CAIRN_EMBEDDER": "hashing",
        "CAIRN_LLM_BASE_URL": web.asking.server.base_url,
        "CAIRN_LLM_MODEL": "scripted",
        "DATABASE_URL": url_of(connections["default"].settings_dict),
    }
    where = ["--tenant", company.tenant.slug, "--kb", company.base.slug, "--preset", "naive"]
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "ask", QUESTION, *where], env=environment
    )
    web.asking.server.wait_for_requests(1, 60)
    process.send_signal(signal.SIGKILL)
    process.wait()
    run = web.newest()
    assert run.state == "running"
    with tenant_transaction(company.tenant):
        Run.objects.filter(pk=run.pk).update(heartbeat_at=timezone.now() - 2 * SILENCE)
    assert answers_sweep(tenant=company.tenant) == 1
    ended = web.newest()
    assert (ended.state, bool(ended.reason)) == ("interrupted", True)
    # It is not begun again: its model was called, and is not called twice.
    assert answers_sweep(tenant=company.tenant) == 0
    assert ended.finished_at is not None
    assert len(web.asking.server.chats) == 1
