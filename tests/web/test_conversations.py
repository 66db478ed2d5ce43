"""Asking, following up, the history, and deleting a conversation."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import GroupMember
from accounts.tenancy import tenant_transaction
from retrieval.models import Conversation, Run
from retrieval.services.runs import run_execute
from tests.factories import (
    Company,
    ingested,
    make_conversation,
    make_event,
    make_run,
    uploaded,
)
from tests.web.conftest import HANDBOOK, Asked, Browser
from tests.web.pages import read_page

HTMX = {"HX-Request": "true"}


def test_the_empty_page_suggests_what_the_documents_cover(a: Company, browser: Browser) -> None:
    ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    html = browser(a.member).get(reverse("ask", args=[a.tenant.slug, a.base.slug]))
    page = read_page(html.content.decode())
    assert {"Leave", "Prices"} <= set(page.text("a"))
    assert any("Answers come from 1 document." in text for text in page.text("p"))
    assert "extractive" in html.content.decode()


def test_a_question_opens_a_conversation_of_its_asker(a: Company, browser: Browser) -> None:
    path = reverse("ask", args=[a.tenant.slug, a.base.slug])
    response = browser(a.member).post(path, {"question": "How much leave?"})
    with tenant_transaction(a.tenant):
        conversation = Conversation.objects.get()
        run = Run.objects.get()
    assert response["Location"] == reverse("conversation", args=[a.tenant.slug, conversation.pk])
    assert (conversation.user_id, run.state) == (a.member.user_id, Run.State.QUEUED)
    html = browser(a.member).get(response["Location"]).content.decode()
    assert f'sse-connect="{reverse("run_stream", args=[a.tenant.slug, run.pk])}"' in html


def test_an_empty_question_is_refused_with_a_sentence(a: Company, browser: Browser) -> None:
    path = reverse("ask", args=[a.tenant.slug, a.base.slug])
    for question in ("", "   "):
        response = browser(a.member).post(path, {"question": question})
        assert response.status_code == 422
        assert read_page(response.content.decode()).text("p")[-1] or question
    with tenant_transaction(a.tenant):
        assert not Run.objects.exists()


@pytest.mark.parametrize("data", [{}, {"question": ""}, {"question": "a\0b"}, {"other": "x"}])
def test_a_post_without_a_question_that_can_be_asked_is_refused_with_a_sentence(
    data: dict[str, str], asked: Asked, browser: Browser
) -> None:
    company = asked.company
    editor = browser(company.editor)
    ask = reverse("ask", args=[company.tenant.slug, company.base.slug])
    follow_up = reverse("conversation", args=[company.tenant.slug, asked.run.conversation_id])
    for path in (ask, follow_up):
        response = editor.post(path, data)
        assert response.status_code == 422
        page = read_page(response.content.decode())
        (error,) = [
            text for text in page.text("p") if "question" in text.lower() and "write" in text
        ]
        assert error
    with tenant_transaction(company.tenant):
        assert Run.objects.count() == 1


def test_a_follow_up_is_appended_by_htmx_and_redirects_without(
    asked: Asked, browser: Browser
) -> None:
    company, conversation_id = asked.company, asked.run.conversation_id
    editor = browser(company.editor)
    path = reverse("conversation", args=[company.tenant.slug, conversation_id])
    fragment = editor.post(path, {"question": "And chairs?"}, headers=HTMX).content.decode()
    assert "<html" not in fragment
    assert "And chairs?" in fragment
    assert "sse-connect" in fragment
    response = editor.post(path, {"question": "And desks?"})
    assert response["Location"] == path
    html = editor.get(path).content.decode()
    assert html.index("How much leave?") < html.index("And chairs?") < html.index("And desks?")


def test_a_refused_follow_up_shows_its_sentence(asked: Asked, browser: Browser) -> None:
    path = reverse("conversation", args=[asked.company.tenant.slug, asked.run.conversation_id])
    html = browser(asked.company.editor).post(path, {"question": " "}, headers=HTMX)
    assert "Please write a question." in html.content.decode()
    assert 'class="turn"' not in html.content.decode()


def test_a_finished_turn_shows_answer_sources_and_who_wrote_it(
    asked: Asked, browser: Browser
) -> None:
    path = reverse("conversation", args=[asked.company.tenant.slug, asked.run.conversation_id])
    html = browser(asked.company.editor).get(path).content.decode()
    page = read_page(html)
    assert "sse-connect" not in html
    assert "Extractive: sentences quoted from the documents, no language model" in html
    cited = reverse("citation", args=[asked.company.tenant.slug, asked.run.pk, 1])
    assert page.links().count(f"{cited}#cited") == 2
    assert "Staff handbook" in html
    assert "Found 2 passages in 1 document" in html


def test_an_abstention_says_what_was_searched_what_is_missing_and_what_is_near(
    a: Company, browser: Browser
) -> None:
    document = ingested(a.tenant, a.base, "atlas.md", "# Atlas\n\nText.\n\n## Maps\n\nMore.\n")
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    run = make_run(
        a.tenant,
        conversation,
        state=Run.State.DONE,
        abstained=True,
        reason="Nothing tells the distance.",
    )
    searched = {"query": "q", "hits": 1, "tokens": 1, "documents": ["Atlas"]}
    make_event(a.tenant, run, number=1, kind="searched", payload=searched)
    ended = {
        "missing": ["a distance"],
        "nearest": [
            _near("Atlas > Maps", document.pk, "atlas/maps"),
            _near("Gone > For good", document.pk + 10_000, "gone/for-good"),
        ],
    }
    make_event(a.tenant, run, number=2, kind="abstained", payload=ended)
    path = reverse("conversation", args=[a.tenant.slug, conversation.pk])
    html = browser(a.member).get(path).content.decode()
    for text in ("Nothing tells the distance.", "a distance", "Atlas &gt; Maps", "Searched:"):
        assert text in html
    near = reverse("document", args=[a.tenant.slug, a.base.slug, document.pk])
    assert f'href="{near}?from=2#n2">Atlas &gt; Maps</a>' in html
    assert "Gone &gt; For good" in html
    assert "Gone &gt; For good</a>" not in html


def test_the_frame_of_an_abstention_is_in_one_language_and_lists_each_passage_once(
    a: Company, browser: Browser
) -> None:
    document = ingested(a.tenant, a.base, "atlas.md", "# Atlas\n\nText.\n")
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    run = make_run(
        a.tenant,
        conversation,
        state=Run.State.DONE,
        abstained=True,
        reasoner="extractive",
        reason="Keine Textstelle beantwortet diese Frage. Am nächsten kommen: Atlas > Maps.",
    )
    make_event(a.tenant, run, number=1, payload={"blocks": 16, "tokens": 900})
    ended = {"missing": ["Entfernung"], "nearest": [_near("Atlas > Maps", document.pk, "atlas")]}
    make_event(a.tenant, run, number=2, kind="abstained", payload=ended)
    path = reverse("conversation", args=[a.tenant.slug, conversation.pk])
    html = browser(a.member).get(path).content.decode()
    assert "16 passages were read; none answers the question" in html
    assert "Keine Textstelle" not in html
    assert html.count("Atlas &gt; Maps") == 1
    assert html.count("Entfernung") == 1


def test_the_nearest_passage_is_linked_in_its_own_document_whoever_shares_its_title(
    a: Company, browser: Browser
) -> None:
    text = "# Atlas\n\nText.\n\n## Maps\n\nMore.\n"
    documents = [ingested(a.tenant, a.base, name, text) for name in ("north.md", "south.md")]
    ingested(a.tenant, a.base, "south.md", text.replace("Text.", "Text.\n\n## Roads\n\nNew."))
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    run = make_run(a.tenant, conversation, state=Run.State.DONE, abstained=True)
    nearest = [
        _near("Atlas > Maps", document.pk, f"{document.path}/maps") for document in documents
    ]
    make_event(a.tenant, run, kind="abstained", payload={"missing": [], "nearest": nearest})
    path = reverse("conversation", args=[a.tenant.slug, conversation.pk])
    links = read_page(browser(a.member).get(path).content.decode()).links()
    north, south = (
        reverse("document", args=[a.tenant.slug, a.base.slug, document.pk])
        for document in documents
    )
    # In its later version the section stands elsewhere.
    assert {f"{north}?from=2#n2", f"{south}?from=4#n4"} <= set(links)


def test_the_nearest_passage_of_another_base_is_not_linked(a: Company, browser: Browser) -> None:
    document = ingested(a.tenant, a.restricted, "board.md", "# Board\n\nText.\n")
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    run = make_run(a.tenant, conversation, state=Run.State.DONE, abstained=True)
    nearest = [_near("Board", document.pk, "board")]
    make_event(a.tenant, run, kind="abstained", payload={"missing": [], "nearest": nearest})
    path = reverse("conversation", args=[a.tenant.slug, conversation.pk])
    html = browser(a.member).get(path).content.decode()
    assert "Board</a>" not in html


def test_runs_that_did_not_end_well_say_so(a: Company, browser: Browser) -> None:
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    for state, reason in (
        (Run.State.STOPPED, "Stopped."),
        (Run.State.INTERRUPTED, ""),
        (Run.State.FAILED, "Something went wrong (1234)."),
    ):
        make_run(a.tenant, conversation, state=state, reason=reason)
    path = reverse("conversation", args=[a.tenant.slug, conversation.pk])
    html = browser(a.member).get(path).content.decode()
    for text in (
        "You stopped this answer",
        "the server or its database stopped",
        "went wrong (1234)",
    ):
        assert text in html
    assert read_page(html).text("button").count("Ask again") == 3


@pytest.mark.parametrize("state", [Run.State.STOPPED, Run.State.INTERRUPTED, Run.State.FAILED])
def test_what_got_no_answer_is_asked_again_by_one_click(state: str, a: Company) -> None:
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    question = 'Is 1 < 2 & "so"?'
    run = make_run(a.tenant, conversation, state=state, question=question)
    member = Client(enforce_csrf_checks=True)
    member.force_login(a.member.user)
    path = reverse("conversation", args=[a.tenant.slug, conversation.pk])
    html = member.get(path).content.decode()
    form = html[html.index(f'action="{path}"') :].split("</form>")[0]
    sent = {
        field["name"]: field["value"]
        for field in read_page(f"<form {form}</form>").attributes("input")
    }
    assert member.post(path, sent).status_code == 302
    with tenant_transaction(a.tenant):
        again = Run.objects.exclude(pk=run.pk).get()
    assert (again.question, again.state) == (question, Run.State.QUEUED)
    assert again.conversation_id == conversation.pk


def test_an_answer_that_was_given_is_not_offered_again(asked: Asked, browser: Browser) -> None:
    path = reverse("conversation", args=[asked.company.tenant.slug, asked.run.conversation_id])
    assert "Ask again" not in browser(asked.company.editor).get(path).content.decode()


def test_without_scripts_the_page_waits_for_the_answer(a: Company, browser: Browser) -> None:
    ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    member = browser(a.member)
    path = reverse("ask", args=[a.tenant.slug, a.base.slug])
    page = member.post(path, {"question": "How many days of leave?"})["Location"]
    assert "?wait=1" in member.get(page).content.decode()
    with tenant_transaction(a.tenant):
        run = Run.objects.get()
    # In this test's own transaction: the pool's threads would not see it.
    run_execute(tenant_id=a.tenant.pk, run_id=run.pk)
    assert "sse-connect" not in member.get(page, {"wait": 1}).content.decode()


def test_the_history_lists_only_ones_own_conversations(asked: Asked, browser: Browser) -> None:
    company = asked.company
    make_conversation(company.tenant, company.base, company.member.user, "Private matter")
    path = reverse("conversations", args=[company.tenant.slug])
    html = browser(company.editor).get(path).content.decode()
    assert "How much leave?" in html
    assert "Private matter" not in html


def test_a_conversation_leaves_the_history_with_the_right_to_read_its_base(
    a: Company, browser: Browser
) -> None:
    make_conversation(a.tenant, a.restricted, a.insider.user, "Board matter")
    insider = browser(a.insider)
    path = reverse("conversations", args=[a.tenant.slug])
    assert "Board matter" in insider.get(path).content.decode()
    with tenant_transaction(a.tenant):
        a.insider.groups.all().delete()
    assert "Board matter" not in insider.get(path).content.decode()


def test_deleting_a_conversation_asks_first(asked: Asked, browser: Browser) -> None:
    company = asked.company
    editor = browser(company.editor)
    path = reverse("conversation_delete", args=[company.tenant.slug, asked.run.conversation_id])
    assert "How much leave?" in editor.get(path).content.decode()
    assert "was deleted" in editor.post(path, follow=True).content.decode()
    with tenant_transaction(company.tenant):
        assert not Run.objects.filter(pk=asked.run.pk).exists()


def _near(headings: str, document_id: int, path: str) -> dict[str, object]:
    return {"headings": headings, "document_id": document_id, "path": path}


def test_the_box_of_a_conversation_promises_no_follow_up(asked: Asked, browser: Browser) -> None:
    """Each question is searched as it is typed, without the ones before it."""
    company = asked.company
    path = reverse("conversation", args=[company.tenant.slug, asked.run.conversation_id])
    page = read_page(browser(company.editor).get(path).content.decode())
    (box,) = page.attributes("textarea")
    assert box["placeholder"] == "Ask another question…"


def test_a_question_beyond_the_limit_is_kept_and_told_how_long_it_is(
    a: Company, asked: Asked, browser: Browser
) -> None:
    editor = browser(a.editor)
    ask = reverse("ask", args=[a.tenant.slug, a.base.slug])
    conversation = reverse("conversation", args=[a.tenant.slug, asked.run.conversation_id])
    question = "word " * 3000
    sentence = "A question has at most 4,000 characters; this one has 14,999."
    for path in (ask, conversation):
        box = read_page(editor.get(path).content.decode()).attributes("textarea")
        assert all("maxlength" not in field for field in box)  # browsers cut without a word
        response = editor.post(path, {"question": question})
        page = read_page(response.content.decode())
        assert response.status_code == 422
        assert sentence in page.text("p")
        assert len(page.text("textarea")[0]) == 14_999
    answer = editor.post(conversation, {"question": question}, headers=HTMX)
    assert sentence in answer.content.decode()


def test_a_long_question_is_listed_up_to_a_word_and_shows_that_it_goes_on(
    a: Company, browser: Browser
) -> None:
    member = browser(a.member)
    for question in ("How long is " + "very " * 100 + "long?", "产" * 300):
        member.post(reverse("ask", args=[a.tenant.slug, a.base.slug]), {"question": question})
    html = member.get(reverse("conversations", args=[a.tenant.slug])).content.decode()
    titles = [title for title in read_page(html).text("a") if title.endswith("…")]
    assert len(titles) == 2
    assert titles[0] == "产" * 199 + "…"
    assert titles[1].endswith("very…")


def test_asking_while_documents_are_read_tells_of_them(a: Company, browser: Browser) -> None:
    ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    path = reverse("ask", args=[a.tenant.slug, a.base.slug])
    uploaded(a.tenant, a.base, "one.md", "# One\n\nText.\n")
    html = browser(a.member).get(path).content.decode()
    assert "Answers come from 1 document; 1 more is being read." in html
    uploaded(a.tenant, a.base, "two.md", "# Two\n\nText.\n")
    html = browser(a.member).get(path).content.decode()
    assert "Answers come from 1 document; 2 more are being read." in html
    # A new version of one that can be asked about is no further document.
    uploaded(a.tenant, a.base, "handbook.md", "# Handbook\n\nOther.\n")
    html = browser(a.member).get(path).content.decode()
    assert "Answers come from 1 document; 2 more are being read." in html


def test_whose_conversations_are_closed_to_them_is_told_so(a: Company, browser: Browser) -> None:
    path = reverse("conversations", args=[a.tenant.slug])
    conversation = make_conversation(a.tenant, a.restricted, a.insider.user, "How much leave?")
    insider = browser(a.insider)
    assert "How much leave?" in insider.get(path).content.decode()
    with tenant_transaction(a.tenant):
        GroupMember.objects.all().delete()
    html = insider.get(path).content.decode()
    assert "have not asked anything yet" not in html
    assert "no longer open to you" in html
    assert "How much leave?" not in html
    make_conversation(a.tenant, a.base, a.insider.user, "Who approves travel?")
    html = insider.get(path).content.decode()
    assert "Who approves travel?" in html
    assert "no longer open to you" in html
    assert "no longer open" not in browser(a.owner).get(path).content.decode()
    assert conversation.pk
