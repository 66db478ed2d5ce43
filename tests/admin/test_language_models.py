"""The admin's pages of language models: a key goes in, and never comes out."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

import pymupdf
import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from retrieval.models import LanguageModel, UsageEntry
from tests.factories import Company, make_company, make_language_model, make_usage, make_user
from tests.scripted_model import ScriptedModel
from tests.scripted_replies import Fail, Raw, Say

pytestmark = pytest.mark.django_db(transaction=True)

ADD = "admin:retrieval_languagemodel_add"
LIST = "admin:retrieval_languagemodel_changelist"
KEY = "sk-own-0123456789"
OTHER_KEY = "sk-other-987654321"


@pytest.fixture
def company(transactional_db: None) -> Company:
    return make_company("aurora")


@pytest.fixture
def operator(company: Company, client: Client) -> Client:
    client.force_login(make_user("operator@example.com", is_staff=True, is_superuser=True))
    client.post(reverse("admin:choose_tenant", args=[company.tenant.pk]))
    return client


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel(api_key=KEY) as model:
        yield model


def filled(company: Company, **changes: str) -> dict[str, str]:
    """Return the form as an operator sends it."""
    usual = {
        "_tenant": str(company.tenant.pk),
        "name": "Large",
        "role": "answer",
        "base_url": "http://127.0.0.1:9/v1",
        "model_id": "large-1",
        "api_key": KEY,
        "timeout_s": "60",
        "is_active": "on",
    }
    return usual | changes


def stored(company: Company, name: str = "Large") -> LanguageModel:
    with tenant_transaction(company.tenant):
        return LanguageModel.objects.get(name=name)


def change(row: LanguageModel) -> str:
    return reverse("admin:retrieval_languagemodel_change", args=[row.pk])


def test_a_key_goes_in_and_never_comes_out(
    operator: Client, company: Company, caplog: pytest.LogCaptureFixture
) -> None:
    saved = operator.post(reverse(ADD), filled(company), follow=True)
    row = stored(company)
    assert row.api_key == KEY
    pages = [saved, operator.get(change(row)), operator.get(reverse(LIST))]
    pages.append(operator.get(reverse("admin:retrieval_languagemodel_history", args=[row.pk])))
    for page in pages:
        assert page.status_code == 200
        assert KEY not in page.content.decode()
        assert row.sealed_key not in page.content.decode()
    assert all(KEY not in str(entry.__dict__) for entry in LogEntry.objects.all())
    assert KEY not in caplog.text
    assert KEY not in repr(row.__dict__)


def test_an_empty_key_keeps_the_stored_one_and_a_new_one_replaces_it(
    operator: Client, company: Company
) -> None:
    operator.post(reverse(ADD), filled(company))
    row = stored(company)
    operator.post(change(row), filled(company, api_key="", model_id="large-2"))
    assert (stored(company).api_key, stored(company).model_id) == (KEY, "large-2")
    operator.post(change(row), filled(company, api_key=OTHER_KEY))
    assert stored(company).api_key == OTHER_KEY
    operator.post(change(row), filled(company, api_key="", forget_key="on"))
    assert not stored(company).has_key


def test_a_stored_key_is_not_sent_to_an_address_it_was_not_entered_for(
    operator: Client, company: Company
) -> None:
    operator.post(reverse(ADD), filled(company))
    row = stored(company)
    elsewhere = {"api_key": "", "base_url": "http://127.0.0.1:10/v1"}
    page = operator.post(change(row), filled(company, **elsewhere))
    assert "enter the key again" in page.content.decode()
    assert stored(company).base_url == "http://127.0.0.1:9/v1"
    operator.post(change(row), filled(company, **elsewhere, forget_key="on"))
    assert (stored(company).base_url, stored(company).has_key) == (elsewhere["base_url"], False)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("base_url", "ftp://example.com", "The address must start with http:// or https://."),
        ("base_url", "http://user:word@example.com/v1", "must not hold a name or password"),
        ("name", "extractive", "choose another name"),
        ("api_key", "sk-\u00e9t\u00e9", "A key has no letters with accents"),
        ("timeout_s", "0", "greater than or equal to 1"),
        ("context_tokens", "5", "greater than or equal to 2000"),
        ("price_prompt", "-1", "greater than or equal to 0"),
        ("role", "owner", "is not one of the available choices"),
    ],
)
def test_what_cannot_work_is_an_error_on_the_form(
    field: str, value: str, sentence: str, operator: Client, company: Company
) -> None:
    page = operator.post(reverse(ADD), filled(company, **{field: value}))
    assert page.status_code == 200
    assert sentence in page.content.decode()
    with tenant_transaction(company.tenant):
        assert not LanguageModel.objects.exists()


def test_one_active_model_a_role_and_one_of_a_name(operator: Client, company: Company) -> None:
    operator.post(reverse(ADD), filled(company))
    second = operator.post(reverse(ADD), filled(company, name="Small"))
    assert "Another active model has this role" in second.content.decode()
    same = operator.post(reverse(ADD), filled(company, role="agent"))
    assert "a model of this name already" in same.content.decode()
    idle = filled(company, name="Small")
    del idle["is_active"]
    assert operator.post(reverse(ADD), idle).status_code == 302
    assert not stored(company, "Small").is_active


def test_a_model_is_checked_by_one_small_call_that_stands_in_the_ledger(
    operator: Client, company: Company, server: ScriptedModel
) -> None:
    server.say_next(Say("ready"))
    operator.post(reverse(ADD), filled(company, base_url=server.base_url))
    row = stored(company)
    save = filled(company, api_key="", base_url=server.base_url)
    button = "retrieval_languagemodel_check_this_model"
    page = operator.post(change(row), save | {button: "1"}, follow=True)
    assert "“Large” answered in" in page.content.decode()
    (chat,) = server.chats
    assert (chat.body["model"], chat.headers["authorization"]) == ("large-1", f"Bearer {KEY}")
    with tenant_transaction(company.tenant):
        assert UsageEntry.objects.get().purpose == "check"


def test_a_model_can_be_checked_with_the_save_that_adds_it(
    operator: Client, company: Company, server: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    server.say_next(Say("ready"))
    form = operator.get(reverse(ADD)).content.decode()
    button = "retrieval_languagemodel_check_this_model"
    assert "Save and check this model" in form
    assert f'name="{button}"' in form
    sent = filled(company, base_url=server.base_url) | {button: "1"}
    page = operator.post(reverse(ADD), sent, follow=True)
    assert "“Large” answered in" in page.content.decode()
    assert len(server.chats) == 1
    assert stored(company).has_key
    # A call leaves no line in the log: the command line's stderr is for what went wrong.
    assert not [line for line in caplog.records if line.name.startswith("http")]


ODD = {
    "usage": {"choices": [{"message": {"content": "ready"}}], "usage": {"prompt_tokens": 10**30}},
    "calls": {"choices": [{"message": {"tool_calls": "ready"}}]},
    "call": {"choices": [{"message": {"tool_calls": ["ready"]}}]},
}


@pytest.mark.parametrize(
    ("odd", "said"),
    [("usage", "answered in"), ("calls", "did not answer"), ("call", "answered in")],
)
def test_an_odd_reply_to_the_check_is_told_in_a_sentence(
    operator: Client, company: Company, server: ScriptedModel, odd: str, said: str
) -> None:
    server.say_next(Raw(json.dumps(ODD[odd])))
    operator.post(reverse(ADD), filled(company, base_url=server.base_url))
    save = filled(company, api_key="", base_url=server.base_url)
    button = "retrieval_languagemodel_check_this_model"
    page = operator.post(change(stored(company)), save | {button: "1"}, follow=True)
    assert page.status_code == 200
    assert f"“Large” {said}" in page.content.decode()
    with tenant_transaction(company.tenant):
        assert UsageEntry.objects.get().purpose == "check"


def test_a_model_that_should_see_is_checked_with_a_picture(
    operator: Client, company: Company, server: ScriptedModel
) -> None:
    server.say_next(Fail(400, "this model takes no image_url"))
    operator.post(reverse(ADD), filled(company, base_url=server.base_url, role="vision"))
    save = filled(company, api_key="", base_url=server.base_url, role="vision")
    button = "retrieval_languagemodel_check_this_model"
    page = operator.post(change(stored(company)), save | {button: "1"}, follow=True)
    assert "“Large” did not answer." in page.content.decode()
    (_, picture) = server.chats[0].body["messages"][0]["content"]
    data = base64.b64decode(picture["image_url"]["url"].partition(",")[2])
    assert pymupdf.Pixmap(data).width == 64


def test_the_chosen_models_are_checked_and_failures_told_without_the_key(
    operator: Client, company: Company, server: ScriptedModel
) -> None:
    server.say_next(Fail(401, f"Incorrect API key provided: {KEY}"))
    operator.post(reverse(ADD), filled(company, base_url=server.base_url))
    marked = {"action": "check_models", "_selected_action": str(stored(company).pk)}
    marked["_tenant"] = str(company.tenant.pk)
    page = operator.post(reverse(LIST), marked, follow=True).content.decode()
    assert "“Large” did not answer." in page
    assert KEY not in page


def test_a_model_whose_key_cannot_be_read_any_more_says_what_to_do(
    operator: Client, company: Company, settings
) -> None:
    operator.post(reverse(ADD), filled(company))
    row = stored(company)
    secret, settings.SECRET_KEY = settings.SECRET_KEY, "another secret, made up for a test"
    operator.force_login(make_user("second@example.com", is_staff=True, is_superuser=True))
    page = operator.get(change(row))
    assert page.status_code == 200
    marked = {"action": "check_models", "_selected_action": str(row.pk)}
    marked["_tenant"] = str(company.tenant.pk)
    told = operator.post(reverse(LIST), marked, follow=True).content.decode()
    assert "has to enter the key again" in told
    settings.SECRET_KEY = secret
    assert stored(company).api_key == KEY


def test_the_ledger_shows_costs_and_unknown_ones_as_unknown(
    operator: Client, company: Company, settings
) -> None:
    settings.PRICE_CURRENCY = "EUR"
    make_usage(company.tenant, cost="0.012300")
    make_usage(company.tenant)
    page = operator.get(reverse("admin:retrieval_usageentry_changelist")).content.decode()
    assert "0.0123 EUR" in page
    assert "unknown" in page


def test_models_of_another_company_are_not_shown(operator: Client, company: Company) -> None:
    theirs = make_language_model(make_company("borealis").tenant, name="Of Borealis")
    assert "Of Borealis" not in operator.get(reverse(LIST)).content.decode()
    assert operator.get(change(theirs)).status_code == 302


@pytest.mark.parametrize("role", ["owner", "admin", "editor", "member"])
def test_no_role_of_a_company_opens_its_models(company: Company, role: str, client: Client) -> None:
    row = make_language_model(company.tenant)
    client.force_login(getattr(company, role).user)
    for path in (reverse(LIST), reverse(ADD), change(row)):
        assert client.get(path).status_code == 302
        assert client.post(path, filled(company)).status_code == 302
    with tenant_transaction(company.tenant):
        assert LanguageModel.objects.count() == 1
