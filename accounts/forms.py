"""The forms of the people pages, made and validated inside the tenant's transaction."""

from typing import TYPE_CHECKING, Any

from django import forms

from accounts.models import Group, Membership
from accounts.policies import roles_to_give

if TYPE_CHECKING:
    _Memberships = forms.ModelMultipleChoiceField[Membership]
else:  # Django's class takes no type parameter while it runs
    _Memberships = forms.ModelMultipleChoiceField

_CHECKBOXES = forms.CheckboxSelectMultiple


class _MembersField(_Memberships):
    def label_from_instance(self, obj: Any) -> str:
        """Return name and address: two people may have one name."""
        user = obj.user
        return f"{user.name} ({user.email})" if user.name else str(user.email)


class ColleagueForm(forms.Form):
    """A new member's address and role."""

    email = forms.EmailField(max_length=254, label="E-mail address")
    role = forms.ChoiceField(label="Role")

    def __init__(self, *args: Any, by: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"] = _role_field(by)


class MemberForm(forms.Form):
    """A member's role and groups."""

    role = forms.ChoiceField(label="Role")
    groups = forms.ModelMultipleChoiceField(
        queryset=Group.all_tenants.none(), required=False, widget=_CHECKBOXES
    )

    def __init__(self, *args: Any, by: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"] = _role_field(by)
        groups = self.fields["groups"]
        assert isinstance(groups, forms.ModelMultipleChoiceField)  # noqa: S101  declared above
        groups.queryset = Group.objects.all()
        if not groups.queryset.exists():
            del self.fields["groups"]


class GroupForm(forms.Form):
    """A group's name and members."""

    name = forms.CharField(max_length=100, help_text="“Finance”, “Works council”.")
    members = _MembersField(
        queryset=Membership.all_tenants.none(), required=False, widget=_CHECKBOXES
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = self.fields["members"]
        assert isinstance(members, forms.ModelMultipleChoiceField)  # noqa: S101  declared above
        members.queryset = Membership.objects.select_related("user").order_by("user__email")


def _role_field(by: Membership) -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=[(role.value, role.label) for role in reversed(roles_to_give(by))],
        help_text="Members ask; editors also add documents; admins also make bases, groups and "
        "members; owners also change owners.",
    )
