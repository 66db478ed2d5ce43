"""The people of a company: who is in it, in which role and groups, and who may change that."""

from __future__ import annotations

import re
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import Group, GroupMember, Membership, Role, User
from accounts.names import NameRefused
from accounts.services.groups import group_save
from accounts.services.members import (
    MemberRefused,
    NotAllowed,
    member_add,
    member_change,
    member_remove,
)
from accounts.tenancy import tenant_transaction
from tests.factories import Company, make_company, make_group, make_membership, make_user
from tests.web.conftest import Browser
from tests.web.pages import read_page


def people(company: Company) -> str:
    return reverse("people", args=[company.tenant.slug])


def role_of(company: Company, membership: Membership) -> str | None:
    with tenant_transaction(company.tenant):
        found = Membership.objects.filter(pk=membership.pk).first()
    return found.role if found else None


def test_the_list_names_members_roles_and_groups(a: Company, b: Company, browser: Browser) -> None:
    html = browser(a.admin).get(people(a)).content.decode()
    for membership in (a.owner, a.admin, a.editor, a.member, a.insider):
        assert membership.user.email in html
    assert html.count("Board") == 4  # of the insider, wide and narrow, and twice among the groups
    assert b.owner.user.email not in html


@pytest.mark.parametrize(("who", "status"), [("owner", 200), ("admin", 200), ("editor", 403)])
def test_people_are_managed_by_owners_and_admins(
    who: str, status: int, a: Company, browser: Browser
) -> None:
    client = browser(getattr(a, who))
    assert client.get(people(a)).status_code == status
    bases = client.get(reverse("bases", args=[a.tenant.slug])).content.decode()
    assert (people(a) in bases) is (status == 200)


def test_a_new_colleague_signs_in_with_the_password_that_is_shown_once(
    a: Company, browser: Browser, client: Client
) -> None:
    owner = browser(a.owner)
    response = owner.post(people(a), {"email": "New.One@aurora.example", "role": "editor"})
    html = response.content.decode()
    (password,) = re.findall(r'class="secret">([^<]+)<', html)
    assert "no-store" in response["Cache-Control"]
    assert password not in owner.get(people(a)).content.decode()
    client.post(reverse("account_login"), {"login": "new.one@aurora.example", "password": password})
    assert client.get(reverse("base_new", args=[a.tenant.slug])).status_code == 403
    assert client.get(reverse("bases", args=[a.tenant.slug])).status_code == 200


def test_an_account_made_elsewhere_is_not_added(a: Company, b: Company, browser: Browser) -> None:
    """Whoever made it has seen its first password, and would come along."""
    before = User.objects.get(pk=b.member.user.pk).password
    html = browser(a.owner).post(people(a), {"email": b.member.user.email, "role": "member"})
    assert "has an account already" in html.content.decode()
    assert User.objects.get(pk=b.member.user.pk).password == before
    assert browser(b.member).get(reverse("bases", args=[a.tenant.slug])).status_code == 404


@pytest.mark.parametrize(
    ("email", "sentence"),
    [
        ("member@aurora.example", "is a member already"),
        ("gone@example.com", "has an account already"),
        ("no address", "Enter a valid email address"),
        ("a\0b@example.com", "Null characters are not allowed"),
        ("", "This field is required"),
    ],
)
def test_who_cannot_be_added_is_refused_beside_the_field(
    email: str, sentence: str, a: Company, browser: Browser
) -> None:
    make_user("gone@example.com", is_active=False)
    response = browser(a.owner).post(people(a), {"email": email, "role": "member"})
    assert response.status_code == 422
    assert sentence in response.content.decode()


def test_an_admin_makes_no_owner_and_changes_none(a: Company, browser: Browser) -> None:
    admin = browser(a.admin)
    refused = admin.post(people(a), {"email": "x@example.com", "role": "owner"})
    assert refused.status_code == 422
    assert not User.objects.filter(email="x@example.com").exists()
    for name in ("member", "member_remove"):
        path = reverse(name, args=[a.tenant.slug, a.owner.pk])
        assert admin.get(path).status_code == 403
        assert admin.post(path, {"role": "member"}).status_code == 403
    promoting = reverse("member", args=[a.tenant.slug, a.admin.pk])
    assert admin.post(promoting, {"role": "owner"}).status_code == 422
    assert role_of(a, a.owner) == Role.OWNER
    assert role_of(a, a.admin) == Role.ADMIN


def test_a_member_gets_another_role_and_groups(a: Company, browser: Browser) -> None:
    path = reverse("member", args=[a.tenant.slug, a.insider.pk])
    second = make_group(a.tenant, "Works council")
    owner = browser(a.owner)
    checked = [
        attributes["value"]
        for attributes in read_page(owner.get(path).content.decode()).attributes("input")
        if "checked" in attributes
    ]
    assert checked == [str(a.group.pk)]
    owner.post(path, {"role": "editor", "groups": [second.pk]})
    assert role_of(a, a.insider) == Role.EDITOR
    with tenant_transaction(a.tenant):
        places = GroupMember.objects.filter(membership=a.insider)
        assert [place.group_id for place in places] == [second.pk]


def test_the_last_owner_stays_an_owner_and_a_member(a: Company, browser: Browser) -> None:
    owner = browser(a.owner)
    change = reverse("member", args=[a.tenant.slug, a.owner.pk])
    remove = reverse("member_remove", args=[a.tenant.slug, a.owner.pk])
    for response in (owner.post(change, {"role": "member"}), owner.post(remove)):
        assert response.status_code == 422
        assert "The last owner stays" in response.content.decode()
    assert role_of(a, a.owner) == Role.OWNER
    make_membership(a.tenant, role=Role.OWNER)
    assert owner.post(remove)["Location"] == "/"
    assert role_of(a, a.owner) is None


def test_removing_a_member_asks_first(a: Company, browser: Browser) -> None:
    owner, member = browser(a.owner), browser(a.insider)
    path = reverse("member_remove", args=[a.tenant.slug, a.insider.pk])
    assert a.insider.user.email in owner.get(path).content.decode()
    assert role_of(a, a.insider) == Role.MEMBER
    assert "was removed" in owner.post(path, follow=True).content.decode()
    assert member.get(reverse("bases", args=[a.tenant.slug])).status_code == 404
    assert User.objects.filter(pk=a.insider.user.pk).exists()


def test_a_role_that_was_taken_away_meanwhile_counts_no_more(a: Company) -> None:
    acting = a.admin  # as a request that began before holds it
    member_change(tenant=a.tenant, by=a.owner, member=a.admin, role="member", groups=())
    with pytest.raises(NotAllowed):
        member_remove(tenant=a.tenant, by=acting, member=a.editor)


@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_remove_each_other_at_once_one_stays() -> None:
    company = make_company("aurora")
    other = make_membership(company.tenant, role=Role.OWNER)
    start, refused = Barrier(2), []

    def remove(by: Membership, member: Membership) -> None:
        start.wait(10)
        try:
            member_remove(tenant=company.tenant, by=by, member=member)
        except (MemberRefused, NotAllowed) as error:
            refused.append(error)
        finally:
            connection.close()

    pairs = ((company.owner, other), (other, company.owner))
    threads = [Thread(target=remove, args=pair) for pair in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(refused) == 1
    with tenant_transaction(company.tenant):
        assert Membership.objects.filter(role=Role.OWNER).count() == 1


def test_a_group_is_made_filled_renamed_and_deleted(a: Company, browser: Browser) -> None:
    admin = browser(a.admin)
    new = reverse("group_new", args=[a.tenant.slug])
    admin.post(new, {"name": "  Works\u202e council ", "members": [a.member.pk, a.editor.pk]})
    with tenant_transaction(a.tenant):
        group = Group.objects.get(name="Works council")
        assert group.members.count() == 2
    path = reverse("group", args=[a.tenant.slug, group.pk])
    admin.post(path, {"name": "Council", "members": [a.member.pk]})
    with tenant_transaction(a.tenant):
        group.refresh_from_db()
        assert group.name == "Council"
        assert [place.membership_id for place in group.members.all()] == [a.member.pk]
    delete = reverse("group_delete", args=[a.tenant.slug, group.pk])
    assert "Its members stay" in admin.get(delete).content.decode()
    admin.post(delete)
    with tenant_transaction(a.tenant):
        assert not Group.objects.filter(pk=group.pk).exists()


def test_a_member_who_is_removed_while_a_group_is_saved_is_named_as_the_reason(a: Company) -> None:
    leaver = make_membership(a.tenant, make_user("leaver@aurora.example"), "member")
    with tenant_transaction(a.tenant):
        Membership.objects.filter(pk=leaver.pk).delete()
    with pytest.raises(NameRefused, match="A member was removed meanwhile"):
        group_save(tenant=a.tenant, group=None, name="Works council", members=[leaver])


def test_nobody_is_added_by_somebody_whose_role_was_taken_meanwhile(a: Company) -> None:
    acting = Membership(pk=a.admin.pk, tenant=a.tenant, user=a.admin.user, role=Role.ADMIN)
    member_change(tenant=a.tenant, by=a.owner, member=a.admin, role=Role.MEMBER, groups=[])
    with pytest.raises(NotAllowed):
        member_add(tenant=a.tenant, by=acting, email="new@aurora.example", role=Role.MEMBER)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("Board", "There is a group called Board already"), ("🚀", "at least one letter or digit")],
)
def test_a_group_name_that_cannot_be_used_is_refused_beside_the_field(
    name: str, sentence: str, a: Company, browser: Browser
) -> None:
    second = make_group(a.tenant, "Second")
    for path in (
        reverse("group_new", args=[a.tenant.slug]),
        reverse("group", args=[a.tenant.slug, second.pk]),
    ):
        response = browser(a.owner).post(path, {"name": name})
        assert response.status_code == 422
        assert sentence in response.content.decode()


def test_nobody_of_another_company_is_put_into_a_group(
    a: Company, b: Company, browser: Browser
) -> None:
    path = reverse("group", args=[a.tenant.slug, a.group.pk])
    response = browser(a.owner).post(path, {"name": "Board", "members": [b.member.pk]})
    assert response.status_code == 422
