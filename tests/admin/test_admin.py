"""The admin: for operators, one tenant at a time, through the same policies as everything else."""

import re

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts.models import Group, Membership, Tenant, User
from accounts.tenancy import TenantOwned, tenant_transaction
from tests.experience_factories import make_audit, make_feedback
from tests.factories import PASSWORD, Company, make_conversation, make_run, make_user
from tests.owned import OWNED

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
    _choose(client, a)
    return client


def _choose(client: Client, company: Company) -> None:
    client.post(reverse("admin:choose_tenant", args=[company.tenant.pk]))


def _forms(html: str) -> list[str]:
    """Return the forms of an admin page that are posted to the page itself."""
    forms = re.findall(r"<form\b.*?</form>", html, re.DOTALL)
    return [
        form
        for form in forms
        if 'method="post"' in form
        and 'action="/admin/logout/"' not in form
        and 'action="/admin/tenant/' not in form
    ]


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
    in_a.post(
        reverse("admin:accounts_membership_add"),
        {"_tenant": a.tenant.pk, "user": person.pk, "role": "editor"},
    )
    with tenant_transaction(a.tenant):
        assert Membership.objects.get(user=person).role == "editor"


def test_members_of_a_group_are_saved_with_it(in_a: Client, a: Company):
    in_a.post(
        reverse("admin:accounts_group_add"),
        {
            "_tenant": a.tenant.pk,
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
        {
            "_tenant": a.tenant.pk,
            "name": a.group.name,
            "members-TOTAL_FORMS": 0,
            "members-INITIAL_FORMS": 0,
        },
    )
    assert page.status_code == 200
    assert page.context["errors"]


def test_a_form_opened_for_one_company_saves_nothing_into_the_one_chosen_meanwhile(
    in_a: Client, a: Company, b: Company
):
    person = make_user("new@example.com")
    add = reverse("admin:accounts_membership_add")
    (form,) = _forms(in_a.get(add).content.decode())
    (field,) = re.findall(r'name="_tenant" value="(\d+)"', form)
    _choose(in_a, b)
    answer = in_a.post(add, {"_tenant": field, "user": person.pk, "role": "owner"})
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "nothing was saved" in html
    assert a.tenant.name in html
    for company in (a, b):
        with tenant_transaction(company.tenant):
            assert not Membership.objects.filter(user=person).exists()
    _choose(in_a, a)
    assert in_a.post(add, {"_tenant": field, "user": person.pk, "role": "owner"}).status_code == 302


@pytest.mark.parametrize("field", [{}, {"_tenant": ""}, {"_tenant": "x"}])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_a_form_that_names_no_company_is_refused(in_a: Client, model: type, field: dict[str, str]):
    assert in_a.post(_list(model), field).status_code == 409


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_every_form_of_the_admin_names_the_company_it_shows(
    in_a: Client, a: Company, operator: User, model: type[Model]
):
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    paths = [_list(model), reverse(f"{name}_add")]
    row = _row(model, a, operator)
    if row is not None:
        paths += [reverse(f"{name}_{page}", args=[row.pk]) for page in ("change", "delete")]
    if model is User:
        paths.append(reverse("admin:auth_user_password_change", args=[operator.pk]))
    pages = [answer for path in paths if (answer := in_a.get(path)).status_code == 200]
    if model in (Group, Membership):
        marked = {"action": "delete_selected", "_selected_action": row.pk if row else 0}
        pages.append(in_a.post(_list(model), {"_tenant": a.tenant.pk} | marked))
        assert "Are you sure" in pages[-1].content.decode()
    forms = [form for page in pages for form in _forms(page.content.decode())]
    assert forms
    for form in forms:
        assert f'name="_tenant" value="{a.tenant.pk}"' in form


def _row(model: type[Model], company: Company, operator: User) -> Model | None:
    if issubclass(model, TenantOwned):
        return OWNED[model](company.tenant)
    return {User: operator, Tenant: company.tenant}.get(model)


def test_a_company_made_meanwhile_does_not_take_the_place_of_the_one_shown(
    a: Company, operator: User
):
    client = _signed_in(operator)
    client.get(reverse("admin:index"))
    Tenant.objects.create(name="AAA first by name", slug="aaa")
    page = client.get(reverse("admin:index"))
    assert page.context["site_subheader"] == a.tenant.name


def test_an_operator_sees_their_own_company_first(a: Company, b: Company, operator: User):
    last = max((a, b), key=lambda company: company.tenant.name)
    with tenant_transaction(last.tenant):
        Membership.objects.create(tenant=last.tenant, user=operator)
    page = _signed_in(operator).get(reverse("admin:index"))
    assert page.context["site_subheader"] == last.tenant.name


@pytest.mark.parametrize("model", OWNED_MODELS, ids=lambda model: model._meta.label)
def test_no_page_of_the_admin_shows_what_a_member_asked(
    in_a: Client, a: Company, model: type[TenantOwned]
):
    asker = make_user("zebra@example.com")
    conversation = make_conversation(a.tenant, a.base, asker, title="zebra title")
    run = make_run(
        a.tenant,
        conversation,
        question="zebra question",
        rewritten="zebra rewritten",
        answer="zebra answer",
        reason="zebra reason",
    )
    make_feedback(a.tenant, run)
    make_audit(a.tenant, run, answer="zebra audited")
    OWNED[model](a.tenant)
    pages = [_list(model)]
    with tenant_transaction(a.tenant):
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_change"
        pages += [
            reverse(name, args=[pk]) for pk in model._default_manager.values_list("pk", flat=True)
        ]
    for page in pages:
        response = in_a.get(page)
        assert response.status_code == 200
        assert "zebra" not in response.content.decode()


def test_a_link_does_not_switch_the_company(in_a: Client, a: Company, b: Company):
    assert in_a.get(reverse("admin:choose_tenant", args=[b.tenant.pk])).status_code == 405
    page = in_a.get(reverse("admin:index"))
    assert page.context["site_subheader"] == a.tenant.name
    html = page.content.decode()
    choose = reverse("admin:choose_tenant", args=[b.tenant.pk])
    assert re.search(rf'<form method="post" action="{choose}">.*?csrfmiddlewaretoken', html, re.S)
    assert f'href="{choose}"' not in html


def test_the_first_company_is_made_where_none_could_be_chosen(operator: User):
    add = reverse("admin:accounts_tenant_add")
    client = _signed_in(operator)
    assert 'name="_tenant" value=""' in client.get(add).content.decode()
    assert client.post(add, {"_tenant": "", "name": "One", "slug": "one"}).status_code == 302
    assert Tenant.objects.get().slug == "one"


def test_an_address_that_is_taken_in_other_letters_is_an_error_on_the_form(
    in_a: Client, a: Company
):
    make_user("bob@example.com")
    other = make_user("carol@example.com")
    secret = {"password1": "a made-up 1", "password2": "a made-up 1"}
    named = {"_tenant": a.tenant.pk, "email": "Bob@Example.com"}
    for path, fields in (
        (reverse("admin:accounts_user_add"), secret),
        (reverse("admin:accounts_user_change", args=[other.pk]), {"is_active": "on"}),
    ):
        page = in_a.post(path, named | fields)
        assert page.status_code == 200
        assert "already exists" in page.content.decode()
    assert User.objects.filter(email__iexact="bob@example.com").count() == 1


def test_who_was_added_in_capital_letters_signs_in_in_any(in_a: Client, a: Company):
    added = {"email": "Dora@Example.com", "password1": PASSWORD, "password2": PASSWORD}
    in_a.post(reverse("admin:accounts_user_add"), {"_tenant": a.tenant.pk} | added)
    assert User.objects.filter(email="dora@example.com").exists()
    for email in ("dora@example.com", "DORA@EXAMPLE.COM"):
        client = Client()
        client.post(reverse("account_login"), {"login": email, "password": PASSWORD})
        assert "_auth_user_id" in client.session


def test_a_person_is_deactivated_and_not_deleted(in_a: Client, a: Company, b: Company):
    person = b.owner.user  # whose place in company B is out of sight
    assert (
        in_a.post(
            reverse("admin:accounts_user_delete", args=[person.pk]),
            {"_tenant": a.tenant.pk, "post": "yes"},
        ).status_code
        == 403
    )
    marked = {"action": "delete_selected", "_selected_action": person.pk, "post": "yes"}
    in_a.post(_list(User), {"_tenant": a.tenant.pk} | marked)
    change = reverse("admin:accounts_user_change", args=[person.pk])
    assert "Deactivate" in in_a.get(change).content.decode()
    theirs = _signed_in(person)
    bases = reverse("bases", args=[b.tenant.slug])
    assert theirs.get(bases).status_code == 200
    in_a.post(change, {"_tenant": a.tenant.pk, "email": person.email})
    assert not User.objects.get(pk=person.pk).is_active
    assert theirs.get(bases).status_code == 302


@pytest.mark.parametrize("role", ["owner", "admin", "editor", "member"])
def test_no_role_in_a_company_opens_the_admin(a: Company, role: str):
    user = getattr(a, role).user
    user.is_staff = True
    user.save()
    answer = _signed_in(user).get(reverse("admin:index"))
    assert answer.status_code == 302
    assert "login" in answer["Location"]


def test_a_member_who_opens_the_admin_is_refused_and_not_sent_in_circles(a: Company):
    answer = _signed_in(a.member.user).get(reverse("admin:index"), follow=True)
    assert answer.status_code == 403


def test_an_anonymous_visitor_is_sent_to_the_one_sign_in_page():
    answer = Client().get(reverse("admin:index"), follow=True)
    assert answer.redirect_chain[-1][0].startswith(reverse("account_login"))


def test_the_admin_opens_before_there_is_a_company(operator: User):
    assert _signed_in(operator).get(reverse("admin:index")).status_code == 200
