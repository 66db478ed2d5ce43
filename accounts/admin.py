from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group as DjangoGroup
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from accounts.admin_base import TenantModelAdmin, TenantModelForm
from accounts.models import Group, GroupMember, Membership, Tenant, User

# Cairn's rights are roles in a tenant; Django's own groups would only confuse.
admin.site.unregister(DjangoGroup)


@admin.register(Tenant)
class TenantAdmin(ModelAdmin):  # type: ignore[misc]  # unfold has no types
    list_display = ["name", "slug", "created_at"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}

    def has_delete_permission(self, request: HttpRequest, obj: Tenant | None = None) -> bool:
        """A tenant is not deleted by a click: its rows are out of sight of this transaction."""
        return False


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]  # unfold: no types
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["email", "name", "is_active", "is_superuser", "last_login"]
    list_filter = ["is_active", "is_superuser"]
    search_fields = ["email", "name"]
    ordering = ["email"]
    readonly_fields = ["last_login", "date_joined"]
    filter_horizontal = []
    fieldsets = [
        (None, {"fields": ["email", "name", "password"]}),
        (
            "Rights in the whole installation",
            {
                "fields": ["is_active", "is_staff", "is_superuser"],
                "description": "Deactivate whoever leaves: they are signed out at once. A person "
                "is not deleted, since their places in other companies are out of sight here.",
            },
        ),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [(None, {"fields": ["email", "name", "password1", "password2"]})]

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Deactivate instead: memberships in tenants out of sight would make the commit fail."""
        return False


@admin.register(Membership)
class MembershipAdmin(TenantModelAdmin):
    list_display = ["user", "role", "created_at"]
    list_filter = ["role"]
    list_select_related = ["user"]
    search_fields = ["user__email", "user__name"]
    autocomplete_fields = ["user"]


class GroupMemberInline(TabularInline):  # type: ignore[misc]  # unfold has no types
    model = GroupMember
    form = TenantModelForm
    extra = 0
    fields = ["membership"]


@admin.register(Group)
class GroupAdmin(TenantModelAdmin):
    list_display = ["name"]
    search_fields = ["name"]
    inlines = [GroupMemberInline]
