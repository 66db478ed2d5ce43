"""The admin: for operators, one tenant at a time, through the same policies as everything else."""

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts.models import Group, Membership, User
from accounts.tenancy import TenantOwned, tenant_transaction
from tests.factories import OWNED, Company, make_user

pytestmark = pytest.mark.django_db

MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
OWNED_MODELS = [model for model in MODELS if issubclass(model, TenantOwned)]


@pytest.fixture
def operator() -> User:
    return make_user("operator@example.com", is_staff=True, is_superuser=True)


def _signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def _list(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@pytest.fixture
def in_a(a: Company, b: Company, operator: User) -> Client:
    """An operator who has chosen company A, while B has rows too."""
    client = _signed_in(operator)
    client.get(reverse("admin:choose_tenant", args=[a.tenant.pk]))
    return client


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_every_list_opens(in_a: Client, model: type):
    assert in_a.get(_list(model)).status_code == 200


def test_the_first_page_names_the_company_that_is_shown(in_a: Client, a: Company, b: Company):
    page = in_a.get(reverse("admin:index"))
    assert page.context["site_subheader"] == a.tenant.name
    assert {item["title"] for item in page.context["site_dropdown"]} == {
        a.tenant.name,
        b.tenant.name,
    }


@pytest.mark.parametrize("model", OWNED_MODELS, ids=lambda model: model._meta.label)
def test_a_list_shows_rows_of_the_chosen_company_only(
    in_a: Client, a: Company, b: Company, model: type[TenantOwned]
):
    ours = OWNED[model](a.tenant)
    theirs = OWNED[model](b.tenant)
    shown = {row.pk for row in in_a.get(_list(model)).context["cl"].result_list}
    assert ours.pk in shown
    assert theirs.pk not in shown


@pytest.mark.parametrize("model", OWNED_MODELS, ids=lambda model: model._meta.label)
def test_a_row_of_another_company_is_as_absent_as_one_that_never_was(
    in_a: Client, b: Company, model: type[TenantOwned]
):
    theirs = OWNED[model](b.tenant)
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_change"
    foreign = in_a.get(reverse(name, args=[theirs.pk]))
    absent = in_a.get(reverse(name, args=[theirs.pk + 10_000]))
    assert foreign.status_code == absent.status_code == 302
    assert foreign["Location"] == absent["Location"]


@pytest.mark.parametrize("model", OWNED_MODELS, ids=lambda model: model._meta.label)
def test_a_list_asks_as_many_queries_for_thirty_rows_as_for_three(
    in_a: Client, a: Company, model: type[TenantOwned], django_assert_max_num_queries
):
    # Session, user, chosen tenant (decorator and heading), tenants of the dropdown, the transaction
    # and its setting, filters, two counts and the rows: as many whatever the rows.
    counts = []
    for rows in (3, 27):
        for _ in range(rows):
            OWNED[model](a.tenant)
        with django_assert_max_num_queries(40) as queries:
            in_a.get(_list(model))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_new_row_belongs_to_the_chosen_company(in_a: Client, a: Company):
    person = make_user("new@example.com")
    in_a.post(reverse("admin:accounts_membership_add"), {"user": person.pk, "role": "editor"})
    with tenant_transaction(a.tenant):
        assert Membership.objects.get(user=person).role == "editor"


def test_members_of_a_group_are_saved_with_it(in_a: Client, a: Company):
    in_a.post(
        reverse("admin:accounts_group_add"),
        {
            "name": "Committee",
            "members-TOTAL_FORMS": 1,
            "members-INITIAL_FORMS": 0,
            "members-0-membership": a.member.pk,
        },
    )
    with tenant_transaction(a.tenant):
        group = Group.objects.get(name="Committee")
        assert [member.membership_id for member in group.members.all()] == [a.member.pk]


def test_a_name_that_is_taken_is_an_error_on_the_form(in_a: Client, a: Company):
    page = in_a.post(
        reverse("admin:accounts_group_add"),
        {"name": a.group.name, "members-TOTAL_FORMS": 0, "members-INITIAL_FORMS": 0},
    )
    assert page.status_code == 200
    assert page.context["errors"]


@pytest.mark.parametrize("role", ["owner", "admin", "editor", "member"])
def test_no_role_in_a_company_opens_the_admin(a: Company, role: str):
    user = getattr(a, role).user
    user.is_staff = True
    user.save()
    answer = _signed_in(user).get(reverse("admin:index"))
    assert answer.status_code == 302
    assert "login" in answer["Location"]


def test_an_anonymous_visitor_is_sent_to_the_one_sign_in_page():
    answer = Client().get(reverse("admin:index"), follow=True)
    assert answer.redirect_chain[-1][0].startswith(reverse("account_login"))


def test_the_admin_opens_before_there_is_a_company(operator: User):
    assert _signed_in(operator).get(reverse("admin:index")).status_code == 200
