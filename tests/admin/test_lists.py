"""What the lists of the admin say, and what its forms must not let anyone do."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django_q.models import Schedule

from tests.factories import (
    Company,
    make_conversation,
    make_ingestion_run,
    make_run,
    make_usage,
    make_user,
)


@pytest.fixture
def operator(a: Company, client: Client) -> Client:
    client.force_login(make_user("operator@example.com", is_staff=True, is_superuser=True))
    client.post(reverse("admin:choose_tenant", args=[a.tenant.pk]))
    return client


def test_the_newest_runs_stand_first(a: Company, operator: Client) -> None:
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    asked = [make_run(a.tenant, conversation).pk for _ in range(3)]
    read = [make_ingestion_run(a.tenant).pk for _ in range(3)]
    for name, made in (("retrieval_run", asked), ("knowledge_ingestionrun", read)):
        page = operator.get(reverse(f"admin:{name}_changelist"))
        assert [row.pk for row in page.context["cl"].result_list] == made[::-1]


def test_a_run_that_was_answered_is_not_marked_as_bad(a: Company, operator: Client) -> None:
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    for abstained in (False, True):
        make_run(a.tenant, conversation, state="done", abstained=abstained)
    make_run(a.tenant, conversation, state="failed")
    html = operator.get(reverse("admin:retrieval_run_changelist")).content.decode()
    outcomes = re.findall(r">\s*(answered|declined|none)\s*<", html)
    assert outcomes == ["none", "declined", "answered"]
    assert "boolean" not in html.partition("result_list")[2]


def test_no_form_of_the_admin_names_the_function_that_a_worker_calls(operator: Client) -> None:
    task = Schedule.objects.create(name="sweep", func="knowledge.tasks.sweep", schedule_type="H")
    assert operator.get(reverse("admin:django_q_schedule_add")).status_code == 403
    delete = reverse("admin:django_q_schedule_delete", args=[task.pk])
    assert operator.get(delete).status_code == 403
    change = reverse("admin:django_q_schedule_change", args=[task.pk])
    html = operator.get(change).content.decode()
    for name in ("func", "hook", "args", "kwargs"):
        assert f'name="{name}"' not in html
    tenant = re.findall(r'name="_tenant" value="(\d+)"', html)[0]
    operator.post(
        change,
        {
            "_tenant": tenant,
            "func": "os.system",
            "hook": "os.system",
            "schedule_type": "D",
            "repeats": -1,
            "next_run_0": "2026-01-01",
            "next_run_1": "10:00:00",
        },
    )
    task.refresh_from_db()
    assert (task.func, task.hook, task.schedule_type) == ("knowledge.tasks.sweep", None, "D")


def test_dates_stand_as_on_the_other_pages_and_break_nowhere(a: Company, operator: Client) -> None:
    run = make_run(a.tenant, make_conversation(a.tenant, a.base, a.member.user))
    entry = make_usage(a.tenant, base_slug="brio-gmbh", cost="0.00024")
    for name, row in (("run", run), ("usageentry", entry)):
        page = operator.get(reverse(f"admin:retrieval_{name}_changelist")).content.decode()
        written = date_format(localtime(row.created_at), "j M Y, H:i")
        assert written.replace(" ", "\u00a0") in page
    make_usage(a.tenant, prompt_tokens=1234, estimated=True)
    listed = operator.get(reverse("admin:retrieval_usageentry_changelist")).content.decode()
    assert "about 1,234" in listed
    for whole in ("brio-gmbh", "0.00024 USD"):
        assert f'whitespace-nowrap">{whole}<' in page


def test_an_empty_list_asks_for_nothing_that_cannot_be_done(a: Company, operator: Client) -> None:
    ledger = operator.get(reverse("admin:retrieval_usageentry_changelist")).content.decode()
    assert "There is nothing here yet." in ledger
    assert "Create" not in ledger
    assert "yielded" not in ledger
    groups = operator.get(reverse("admin:accounts_group_changelist") + "?q=nobody").content.decode()
    assert "yielded" not in groups
