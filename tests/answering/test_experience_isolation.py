"""No edge, trace or question crosses between bases: two companies, and one restricted group.

All bases hold the same document and are asked the same question; one more question, with a word
that stands nowhere else, is asked of the restricted base alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import Membership
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.admin import experience as experience_admin
from retrieval.admin import verdicts as verdicts_admin
from retrieval.models import ExperienceEdge, ExperienceQuestion, Run, ShadowAudit
from retrieval.services.experience.audit_queue import audits_draw
from retrieval.services.experience.auditing import audit_execute
from retrieval.services.experience.calibrating import audit_rate
from retrieval.services.experience.generating import questions_generate
from retrieval.services.experience.learning import run_learn
from retrieval.services.runs import run_create, run_execute
from retrieval.services.scopes import Reader, Scope
from retrieval.tools import Toolbox
from tests.accounts.routes import tenant_routes
from tests.answering.conftest import HANDBOOK, Asking, saying
from tests.experience_factories import make_experience_settings
from tests.factories import Company, ingested, make_company, make_user
from tests.scripted_replies import Call, Say, say_json

QUESTION = "How long is the warranty of the SL-420?"
SECRET = "zarathustra"
CONFIDENTIAL = f"When does the {SECRET} office in Bergen open?"
QUOTE = "The SL-420 has a warranty of 36 months."
OPENING = "The office in Bergen opens at eight."
ADMINS = [
    model
    for model, page in admin.site._registry.items()
    if type(page).__module__ in (experience_admin.__name__, verdicts_admin.__name__)
]


@pytest.fixture
def other(asking: Asking) -> Company:
    """A second company with the same base, and a restricted base of the first that has learnt."""
    tenant, restricted = asking.company.tenant, asking.company.restricted
    other = make_company("borealis")
    ingested(other.tenant, other.base, "handbook.md", HANDBOOK)
    ingested(tenant, restricted, "handbook.md", HANDBOOK)
    make_experience_settings(tenant, restricted, audit_share=1.0)
    insider = asking.company.insider
    for question, quote in [(QUESTION, QUOTE), (CONFIDENTIAL, OPENING)]:
        run = asked(asking, restricted, insider, question, quote, preset="naive")
        assert run_learn(tenant_id=tenant.pk, run_id=run.pk)
        audits_draw(tenant=tenant, run_ids=[run.pk])
    with tenant_transaction(tenant):
        audits = list(ShadowAudit.objects.values_list("pk", flat=True))
    for audit in audits:
        asking.script(
            Say(calls=(Call("read", {"uris": [f"kb://{restricted.slug}/handbook"]}),)),
            saying(OPENING, f"The {SECRET} one opens at eight [1]."),
        )
        audit_execute(tenant_id=tenant.pk, audit_id=audit)
    return other


def asked(
    asking: Asking,
    base: KnowledgeBase,
    member: Membership,
    question: str = QUESTION,
    quote: str = QUOTE,
    preset: str = "viking-e",
) -> Run:
    with tenant_transaction(base.tenant_id):
        base.refresh_from_db()
    asking.script(saying(quote, "So it is [1]."))
    run = run_create(
        tenant=member.tenant, base=base, membership=member, question=question, preset=preset
    )
    run_execute(tenant_id=base.tenant_id, run_id=run.pk)
    return run


def remembered(run: Run) -> list[dict[str, Any]]:
    with tenant_transaction(run.tenant_id):
        return list(run.events.filter(kind="remembered").values_list("payload", flat=True))


def told(run: Run) -> str:
    with tenant_transaction(run.tenant_id):
        return json.dumps(list(run.events.values_list("payload", flat=True)))


def prompts(asking: Asking, since: int) -> str:
    return json.dumps([chat.body for chat in asking.server.chats[since:]], default=str)


def signed_in(member: Membership) -> Client:
    client = Client()
    client.force_login(member.user)
    return client


def pages_of(company: Company, run: Run) -> Iterator[str]:
    """Yield the addresses of all pages of a company's own base, its conversation and answer."""
    with tenant_transaction(company.tenant):
        document = company.base.documents.get()
    values = {
        "tenant_slug": company.tenant.slug,
        "base_slug": company.base.slug,
        "document_id": document.pk,
        "conversation_id": run.conversation_id,
        "run_id": run.pk,
        "group_id": company.group.pk,
        "membership_id": company.member.pk,
        "number": 1,
        "page": 1,
        "figure": 1,
    }
    for route in tenant_routes():
        yield route.url(values)


def body(response: Any) -> str:
    content: bytes = (
        b"".join(response.streaming_content) if response.streaming else response.content
    )
    return content.decode(errors="replace")


def test_the_restricted_base_uses_what_it_learnt_and_no_other_does(
    asking: Asking, other: Company
) -> None:
    company = asking.company
    assert remembered(asked(asking, company.restricted, company.insider))
    assert remembered(asked(asking, company.base, company.member)) == []
    assert remembered(asked(asking, company.base, company.insider)) == []
    assert remembered(asked(asking, other.base, other.member)) == []


def test_bases_that_have_learnt_the_same_remember_their_own_edges(
    asking: Asking, other: Company
) -> None:
    run = asked(asking, other.base, other.member, preset="naive")
    assert run_learn(tenant_id=other.tenant.pk, run_id=run.pk)
    (payload,) = remembered(asked(asking, other.base, other.member))
    with tenant_transaction(other.tenant):
        own = set(ExperienceEdge.objects.values_list("pk", flat=True))
    assert set(payload["edges"]) == own
    with tenant_transaction(asking.company.tenant):
        theirs = set(ExperienceEdge.objects.values_list("pk", flat=True))
    assert not own & theirs


def test_no_question_is_told_to_a_model_or_a_reader_even_of_the_same_base(
    asking: Asking, other: Company
) -> None:
    company = asking.company
    before = len(asking.server.chats)
    question = CONFIDENTIAL.replace("When does", "At what time does")
    run = asked(asking, company.restricted, company.insider, question, OPENING)
    assert remembered(run)
    assert CONFIDENTIAL not in told(run)
    assert CONFIDENTIAL not in prompts(asking, before)


def test_no_prompt_or_event_of_another_base_holds_anything_learnt(
    asking: Asking, other: Company
) -> None:
    company = asking.company
    before = len(asking.server.chats)
    runs = [
        asked(asking, company.base, company.member),
        asked(asking, other.base, other.owner),
    ]
    assert SECRET not in prompts(asking, before)
    assert all(SECRET not in told(run) for run in runs)


@pytest.mark.parametrize("who", ["member", "owner"])
def test_no_page_of_another_company_holds_anything_learnt(
    asking: Asking, other: Company, who: str
) -> None:
    run = asked(asking, other.base, getattr(other, who))
    client = signed_in(getattr(other, who))
    for address in pages_of(other, run):
        assert SECRET not in body(client.get(address))


def test_no_page_of_the_company_holds_what_its_restricted_base_learnt(
    asking: Asking, other: Company
) -> None:
    company = asking.company
    run = asked(asking, company.base, company.member)
    client = signed_in(company.member)
    for address in pages_of(company, run):
        assert SECRET not in body(client.get(address))


def test_the_answers_of_the_restricted_base_are_absent_for_the_member(
    asking: Asking, other: Company
) -> None:
    company = asking.company
    run = asked(asking, company.restricted, company.insider)
    for member, slug in [(company.member, company.tenant.slug), (other.owner, other.tenant.slug)]:
        client = signed_in(member)
        for name in ("run_stream", "run_feedback", "run_stop"):
            address = reverse(name, args=[slug, run.pk])
            assert client.post(address).status_code in (404, 405)
        assert client.get(reverse("run_stream", args=[slug, run.pk])).status_code == 404


def test_no_tool_of_another_base_shows_anything_learnt(asking: Asking, other: Company) -> None:
    company = asking.company
    for member, base in [(company.member, company.base), (other.member, other.base)]:
        box = Toolbox(Scope(Reader(member.tenant_id, member), base))
        results = [box.search(SECRET), box.grep(SECRET), box.list(""), box.inventory("")]
        assert all(SECRET not in item.text + item.title for one in results for item in one.items)
        assert remembered(asked(asking, base, member)) == []


def test_the_admin_of_another_company_shows_nothing_learnt(asking: Asking, other: Company) -> None:
    assert ExperienceQuestion in ADMINS
    assert ShadowAudit in ADMINS
    operator = make_user("operator@example.com", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(operator)
    client.post(reverse("admin:choose_tenant", args=[other.tenant.pk]))
    for model in ADMINS:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        page = client.get(reverse(f"{name}_changelist"), {"q": SECRET})
        assert page.context["cl"].result_count == 0
        with tenant_transaction(asking.company.tenant):
            keys = list(model._default_manager.values_list("pk", flat=True))
        for key in keys:
            response = client.get(reverse(f"{name}_change", args=[key]), follow=True)
            assert SECRET not in body(response).replace(f"q={SECRET}", "")


def test_an_export_holds_its_own_base_alone(asking: Asking, other: Company, capsys: Any) -> None:
    company = asking.company
    for slug, base in [("aurora", company.base), ("borealis", other.base)]:
        call_command("experience", "export", "--tenant", slug, "--kb", base.slug)
        assert capsys.readouterr().out == ""
    call_command("experience", "export", "--tenant", "aurora", "--kb", company.restricted.slug)
    assert SECRET in capsys.readouterr().out


def test_audits_and_made_up_questions_stay_in_their_base(asking: Asking, other: Company) -> None:
    company = asking.company
    items = {"questions": [{"passage": 1, "question": "Who minds the till at midnight?"}]}
    asking.server.respond_with(lambda body: say_json(items))
    questions_generate(tenant=company.tenant, base=company.restricted)
    with tenant_transaction(company.tenant):
        assert audit_rate(company.restricted).compared + audit_rate(company.restricted).unclear == 2
        assert audit_rate(company.base).compared == 0
        assert not ExperienceQuestion.objects.filter(base=company.base).exists()
    with tenant_transaction(other.tenant):
        assert audit_rate(other.base).compared == 0
        assert not ExperienceQuestion.objects.exists()
