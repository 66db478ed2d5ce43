"""Choosing how much work a question is given: of a base, of a conversation, and where it shows."""

from __future__ import annotations

import pytest
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.agent.presets import IN_WORDS, PRESETS
from retrieval.models import Conversation, LanguageModel, Run
from retrieval.preset_choice import preset_of
from retrieval.services.runs import QuestionRefused, run_create
from tests.factories import Company, make_conversation, make_language_model
from tests.web.conftest import Asked, Browser
from tests.web.pages import read_page

HTMX = {"HX-Request": "true"}
ALL = ["", "adaptive", "naive", "viking", "viking-e", "viking-e-plus", "kohaku", "deepread"]


@pytest.fixture
def modelled(a: Company) -> Company:
    """A company with a model; what is queued here is never answered, so nobody calls it."""
    make_language_model(a.tenant, role="answer", is_active=True)
    return a


def ask_path(company: Company) -> str:
    return reverse("ask", args=[company.tenant.slug, company.base.slug])


def settings_path(company: Company) -> str:
    return reverse("base_settings", args=[company.tenant.slug, company.base.slug])


def offered(html: str) -> tuple[list[str], list[str]]:
    """Return the presets that the question box offers, and the chosen one."""
    options = [one for one in read_page(html).attributes("option") if "value" in one]
    return [one["value"] for one in options], [o["value"] for o in options if "selected" in o]


def asked_by(company: Company, preset: str | None) -> Run:
    with tenant_transaction(company.tenant):
        base = KnowledgeBase.objects.get(pk=company.base.pk)
    return run_create(
        tenant=company.tenant,
        base=base,
        membership=company.member,
        question="How much leave?",
        preset=preset,
    )


def test_every_preset_is_told_in_words() -> None:
    assert set(IN_WORDS) == set(PRESETS)
    assert [name for name, preset in PRESETS.items() if not preset.needs_model] == ["naive"]


def test_a_question_is_answered_as_it_chose(modelled: Company, browser: Browser) -> None:
    member = browser(modelled.member)
    page = member.get(ask_path(modelled)).content.decode()
    assert offered(page) == (ALL, [""])
    assert "Adaptive: as this base is set" in page
    member.post(ask_path(modelled), {"question": "How much leave?", "preset": "viking"})
    with tenant_transaction(modelled.tenant):
        run = Run.objects.select_related("conversation").get()
    assert (run.preset, run.conversation.preset) == ("viking", "viking")


def test_a_conversation_remembers_the_choice(modelled: Company, browser: Browser) -> None:
    conversation = make_conversation(modelled.tenant, modelled.base, modelled.member.user)
    path = reverse("conversation", args=[modelled.tenant.slug, conversation.pk])
    member = browser(modelled.member)
    assert offered(member.get(path).content.decode())[1] == [""]
    for chosen, expected, remembered in (
        ({"preset": "kohaku"}, "kohaku", "kohaku"),
        ({}, "kohaku", "kohaku"),  # as "Ask again" sends it
        ({"preset": ""}, "adaptive", ""),
    ):
        member.post(path, {"question": "How much leave?", **chosen}, headers=HTMX)
        assert offered(member.get(path).content.decode())[1] == [remembered]
        with tenant_transaction(modelled.tenant):
            assert Run.objects.latest("pk").preset == expected
            assert Conversation.objects.get().preset == remembered


def test_a_base_has_a_preset_of_its_own(modelled: Company, browser: Browser) -> None:
    admin = browser(modelled.admin)
    page = read_page(admin.get(settings_path(modelled)).content.decode())
    radios = [one for one in page.attributes("input") if one.get("name") == "preset"]
    assert [one["value"] for one in radios] == ALL
    assert [one["value"] for one in radios if "checked" in one] == [""]
    path = reverse("base_preset", args=[modelled.tenant.slug, modelled.base.slug])
    saved = admin.post(path, {"preset": "viking"}, follow=True).content.decode()
    assert "The settings were saved." in saved
    assert asked_by(modelled, None).preset == "viking"
    assert asked_by(modelled, "naive").preset == "naive"
    asking = browser(modelled.member).get(ask_path(modelled)).content.decode()
    assert "Viking: as this base is set" in asking
    admin.post(path, {"preset": ""})
    assert asked_by(modelled, None).preset == "adaptive"


@pytest.mark.parametrize("name", ["no-such-preset", "Viking", "\0", "x" * 5_000])
def test_an_unknown_preset_is_refused_with_a_sentence(
    name: str, modelled: Company, browser: Browser
) -> None:
    path = reverse("base_preset", args=[modelled.tenant.slug, modelled.base.slug])
    admin = browser(modelled.admin)
    html = admin.post(path, {"preset": name}, follow=True).content.decode()
    assert "There is no preset called" in html
    asked = admin.post(ask_path(modelled), {"question": "How much leave?", "preset": name})
    assert asked.status_code == 422
    assert "There is no preset called" in asked.content.decode()
    with tenant_transaction(modelled.tenant):
        assert not Run.objects.exists()
        assert KnowledgeBase.objects.get(pk=modelled.base.pk).preset == ""


def test_without_a_model_nothing_is_offered_and_the_pages_say_why(
    a: Company, browser: Browser
) -> None:
    admin = browser(a.admin)
    settings_page = admin.get(settings_path(a)).content.decode()
    assert "The other presets need a language model, and none is set up" in settings_page
    assert 'name="preset"' not in settings_page
    asking = admin.get(ask_path(a)).content.decode()
    assert "no language model is set up" in asking
    assert 'name="preset"' not in asking
    for path in (ask_path(a), reverse("base_preset", args=[a.tenant.slug, a.base.slug])):
        sent = {"question": "How much leave?", "preset": "viking"}
        html = admin.post(path, sent, follow=True).content.decode()
        assert "The preset viking needs a language model" in html
    assert asked_by(a, "naive").preset == "naive"
    with pytest.raises(QuestionRefused, match="needs a language model"):
        asked_by(a, "adaptive")


def test_a_choice_whose_model_is_gone_still_answers(modelled: Company) -> None:
    assert preset_of(modelled.tenant, "", "viking") == "viking"
    assert preset_of(modelled.tenant, "no-longer-there") == "adaptive"
    with tenant_transaction(modelled.tenant):
        LanguageModel.objects.update(is_active=False)
    assert preset_of(modelled.tenant, "", "viking") == "naive"
    conversation = make_conversation(modelled.tenant, modelled.base, modelled.member.user)
    conversation.preset = "viking"
    run = run_create(
        tenant=modelled.tenant,
        base=modelled.base,
        membership=modelled.member,
        question="How much leave?",
        conversation=conversation,
    )
    assert run.preset == "naive"


def test_the_installations_model_makes_all_presets_choosable(
    a: Company, browser: Browser, settings: Settings
) -> None:
    settings.LLM_BASE_URL = "http://127.0.0.1:9/v1"
    assert offered(browser(a.member).get(ask_path(a)).content.decode())[0] == ALL


def test_another_companys_model_offers_nothing(
    modelled: Company, b: Company, browser: Browser
) -> None:
    assert offered(browser(b.member).get(ask_path(b)).content.decode())[0] == []


def test_an_answer_says_in_its_details_which_preset_made_it(asked: Asked, browser: Browser) -> None:
    company, conversation = asked.company, asked.run.conversation_id
    path = reverse("conversation", args=[company.tenant.slug, conversation])
    html = browser(company.editor).get(path).content.decode()
    assert "Preset naive: one search, one answer" in html
    with tenant_transaction(company.tenant):
        Run.objects.filter(pk=asked.run.pk).update(preset="from-before")
    assert "Preset from-before" in browser(company.editor).get(path).content.decode()


def test_the_refusal_keeps_what_was_chosen(modelled: Company, browser: Browser) -> None:
    html = browser(modelled.member).post(ask_path(modelled), {"question": "", "preset": "kohaku"})
    assert offered(html.content.decode())[1] == ["kohaku"]
