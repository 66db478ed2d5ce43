"""Whatever a model replies, no citation is shown or stored whose quote is not in its passage."""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from accounts.tenancy import tenant_transaction
from knowledge.models import VersionText
from retrieval.agent.checking import Checked, check
from retrieval.agent.folding import folded
from retrieval.agent.markers import marker_numbers
from retrieval.agent.structured import draft_of
from retrieval.answers import answer_html
from retrieval.llm.objects import parse_object
from retrieval.models import Citation, Run
from tests.agent.evidence_factories import block, context, leaf
from tests.answering.conftest import Asking
from tests.answering.made_up_replies import SOURCES, replies
from tests.scripted_replies import Say
from tests.web.pages import read_page

CONTEXT = context(
    block(1, [leaf(SOURCES[0], start=100), leaf(SOURCES[1], start=300, ordinal=1)]),
    block(2, [leaf(f"{SOURCES[2]} {SOURCES[3]}", start=500)]),
)


def read(reply: object) -> tuple[Mapping[str, object], Checked]:
    """Return the reply as it is read from the wire, and what of it may be shown."""
    data = parse_object(json.dumps(reply)) or {}
    return data, check(draft_of(data), CONTEXT)


@settings(max_examples=400)
@given(replies)
def test_every_citation_stands_in_its_passage_and_every_marker_has_one(reply: object) -> None:
    data, checked = read(reply)
    for citation in checked.citations:
        source, start = citation.leaf, citation.start - citation.leaf.start
        assert source in citation.block.leaves
        assert source.text[start : start + len(citation.quote)] == citation.quote
        assert folded(citation.quote).text in said(data)
    numbers = tuple(one.number for one in checked.citations)
    event(f"{len(numbers)} citations")
    assert marker_numbers(checked.answer) == numbers
    page = read_page(
        answer_html(checked.answer, cited=numbers, citation_url=lambda n: f"/c/{n}", is_over=True)
    )
    assert set(page.links()) == {f"/c/{number}#cited" for number in numbers}
    assert page.attributes("img") == []


def said(data: Mapping[str, object]) -> set[str]:
    quotes = data["quotes"]
    items = [item for item in quotes if isinstance(item, dict)] if isinstance(quotes, list) else []
    return {folded(str(item.get("text")).strip()).text for item in items}


@settings(max_examples=100)
@given(st.text(max_size=60) | st.lists(replies, max_size=2).map(json.dumps))
def test_any_text_of_a_reply_is_a_draft(text: str) -> None:
    checked = check(draft_of(parse_object(text)), CONTEXT)
    assert all(one.quote for one in checked.citations)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(replies)
def test_a_whole_run_stores_and_shows_verified_citations_alone(
    asking: Asking, reply: object
) -> None:
    asking.server.respond_with(lambda body: Say(json.dumps(reply)))
    run = asking.ask("How long is the warranty of the SL-420?")
    assert run.state == "done", run.reason
    with tenant_transaction(asking.company.tenant):
        citations = list(Citation.objects.filter(run=run).order_by("number"))
        for one in citations:
            text = VersionText.objects.get(version=one.version_id).content
            assert text[one.char_start : one.char_end] == one.quote
        assert bool(citations) != run.abstained
    assert marker_numbers(run.answer) == tuple(one.number for one in citations)
    shows_its_own_links_alone(asking, run, [one.number for one in citations])


def shows_its_own_links_alone(asking: Asking, run: Run, numbers: list[int]) -> None:
    client = Client()
    client.force_login(asking.company.member.user)
    slug = asking.company.tenant.slug
    page = read_page(
        client.get(reverse("conversation", args=[slug, run.conversation_id])).content.decode()
    )
    cited = {reverse("citation", args=[slug, run.pk, number]) for number in numbers}
    links = {link.partition("#")[0] for link in page.links()}
    assert {link for link in links if "/citations/" in link} == cited
    assert not any("evil" in link for link in links)
    assert not any("evil" in image.get("src", "") for image in page.attributes("img"))
