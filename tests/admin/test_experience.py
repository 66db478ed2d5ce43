"""The admin's pages of experience: seen, searched, disabled, deleted, and never made."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from retrieval.models import ExperienceEdge, ExperienceQuestion, ExperienceSettings
from tests.experience_factories import (
    make_audit,
    make_experience_edge,
    make_experience_question,
    make_feedback,
)
from tests.factories import (
    Company,
    ingested,
    make_conversation,
    make_document,
    make_run,
    make_user,
    make_version,
)

EDGES = "admin:retrieval_experienceedge_changelist"
QUESTIONS = "admin:retrieval_experiencequestion_changelist"


@pytest.fixture
def operator(a: Company, client: Client) -> Client:
    client.force_login(make_user("operator@example.com", is_staff=True, is_superuser=True))
    client.post(reverse("admin:choose_tenant", args=[a.tenant.pk]))
    return client


def edge(company: Company, text: str = "How long is the warranty?", **fields: Any) -> Any:
    version = make_version(company.tenant, make_document(company.tenant, company.base))
    question = make_experience_question(
        company.tenant, company.base, text, origin=fields.pop("origin", "live")
    )
    return make_experience_edge(company.tenant, question, version, **fields)


def shown(client: Client, name: str, **query: str | int) -> set[int]:
    page = client.get(reverse(name), query)
    return {row.pk for row in page.context["cl"].result_list}


def act(client: Client, company: Company, action: str, *rows: Any) -> str:
    sent = {"_tenant": company.tenant.pk, "action": action}
    sent["_selected_action"] = [row.pk for row in rows]
    return client.post(reverse(EDGES), sent, follow=True).content.decode()


def state(company: Company, row: ExperienceEdge) -> str:
    with tenant_transaction(company.tenant):
        return str(ExperienceEdge.objects.get(pk=row.pk).state)


def test_edges_are_found_by_question_and_by_path(a: Company, operator: Client) -> None:
    one = edge(a, "How long is the warranty?", path="manual/warranty/p1")
    two = edge(a, "Who pays for travel?", path="handbook/travel/p2")
    assert shown(operator, EDGES, q="warranty") == {one.pk}
    assert shown(operator, EDGES, q="handbook/travel") == {two.pk}
    assert shown(operator, QUESTIONS, q="pays") == {two.question_id}
    assert shown(operator, QUESTIONS, q="manual/") == {one.question_id}


def test_edges_are_filtered_by_base_state_and_origin(a: Company, operator: Client) -> None:
    one, two = edge(a), edge(a, "Why?", state="blocked", origin="synthetic")
    for query in ({"state__exact": "blocked"}, {"question__origin__exact": "synthetic"}):
        assert shown(operator, EDGES, **query) == {two.pk}
    assert shown(operator, EDGES, base__id__exact=a.base.pk) == {one.pk, two.pk}
    assert shown(operator, EDGES, base__id__exact=a.restricted.pk) == set()


def test_an_edges_page_tells_all_of_it(a: Company, operator: Client) -> None:
    row = edge(
        a,
        "Is <b>this</b> safe?",
        path="manual/warranty/p1",
        sources=["manual/scope/p3"],
        trace=[{"tool": "read", "uris": ["kb://handbook/manual"]}, {"tool": "grep", "k": 3}],
        successes=3.0,
        failures=1.0,
        uses=4,
        blocked_by=[77],
    )
    html = operator.get(
        reverse("admin:retrieval_experienceedge_change", args=[row.pk])
    ).content.decode()
    for text in (
        "Is &lt;b&gt;this&lt;/b&gt; safe?",
        "kb://handbook/manual/warranty/p1",
        "manual/scope/p3",
        "<strong>read</strong> uris: kb://handbook/manual",
        "<strong>grep</strong> k: 3",
        "67 % (3.0 cited, 1.0 not)",
        "77",
    ):
        assert text in html
    assert 'name="path"' not in html


def test_edges_are_disabled_and_only_disabled_ones_enabled(a: Company, operator: Client) -> None:
    document = ingested(a.tenant, a.base, "manual.md", "# Manual\n\nIt takes two years.\n")
    question = make_experience_question(a.tenant, a.base)
    version = document.current_version
    assert version is not None
    version.document = document
    one = make_experience_edge(a.tenant, question, version, path=f"{document.path}/p1")
    blocked = edge(a, "Why?", state="blocked")
    assert "1 edge was disabled." in act(operator, a, "disable_edges", one)
    assert state(a, one) == "disabled"
    told = act(operator, a, "enable_edges", one, blocked)
    assert "1 edge was enabled. The others were not disabled" in told
    # The text there is not the one it was bound to.
    assert (state(a, one), state(a, blocked)) == ("suspect", "blocked")


def test_edges_are_deleted_and_a_question_with_its_edges(a: Company, operator: Client) -> None:
    one, two = edge(a), edge(a, "Why?")
    sent = {"_tenant": a.tenant.pk, "action": "delete_selected", "post": "yes"}
    operator.post(reverse(EDGES), sent | {"_selected_action": [one.pk]})
    delete = reverse("admin:retrieval_experiencequestion_delete", args=[two.question_id])
    operator.post(delete, {"_tenant": a.tenant.pk, "post": "yes"})
    with tenant_transaction(a.tenant):
        assert not ExperienceEdge.objects.exists()
        assert [row.pk for row in ExperienceQuestion.objects.all()] == [one.question_id]


@pytest.mark.parametrize("model", ["experiencequestion", "experienceedge", "feedback"])
def test_nothing_learnt_or_said_is_made_by_hand(operator: Client, model: str) -> None:
    assert operator.get(reverse(f"admin:retrieval_{model}_add")).status_code == 403


@pytest.mark.parametrize("model", ["feedback", "shadowaudit"])
def test_verdicts_and_audits_are_not_changed_and_tell_no_question(
    a: Company, operator: Client, model: str
) -> None:
    run = make_run(
        a.tenant, make_conversation(a.tenant, a.base, a.member.user), question="My secret wish?"
    )
    row = (make_feedback if model == "feedback" else make_audit)(a.tenant, run)
    change = reverse(f"admin:retrieval_{model}_change", args=[row.pk])
    for url in (reverse(f"admin:retrieval_{model}_changelist"), change):
        html = operator.get(url).content.decode()
        assert str(run.pk) in html
        assert "My secret wish?" not in html
        assert a.member.user.email not in html
    assert operator.post(change, {"_tenant": a.tenant.pk, "verdict": "good"}).status_code == 403
    delete = reverse(f"admin:retrieval_{model}_delete", args=[row.pk])
    assert operator.post(delete, {"_tenant": a.tenant.pk, "post": "yes"}).status_code == 403


def test_the_settings_of_a_base_are_made_once_and_changed(a: Company, operator: Client) -> None:
    add = reverse("admin:retrieval_experiencesettings_add")
    sent = {"_tenant": a.tenant.pk, "base": a.base.pk, "policy": "record", "audit_share": "0.1"}
    assert operator.post(add, sent).status_code == 302
    assert operator.post(add, sent).status_code == 200  # the base has them already
    with tenant_transaction(a.tenant):
        row = ExperienceSettings.objects.get()
    change = reverse("admin:retrieval_experiencesettings_change", args=[row.pk])
    too_much = operator.post(change, sent | {"audit_share": "1.5"}).content.decode()
    assert "less than or equal to 1" in too_much
    operator.post(change, sent | {"policy": "off"})
    with tenant_transaction(a.tenant):
        assert ExperienceSettings.objects.get().policy == "off"


def test_the_list_of_one_base_tells_what_its_experience_is_worth(
    a: Company, operator: Client
) -> None:
    edge(a)
    every = operator.get(reverse(EDGES)).content.decode()
    assert "Choose a base in the filters" in every
    for name in (EDGES, QUESTIONS):
        one = operator.get(reverse(name), {"base__id__exact": a.base.pk}).content.decode()
        assert "1: 1 asked by people." in one
        assert "Not enough runs yet" in one
