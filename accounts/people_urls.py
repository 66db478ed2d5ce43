"""Pages below `/t/<tenant_slug>/people/`."""

from django.urls import path

from accounts.views import groups, people

urlpatterns = [
    path("", people.people, name="people"),
    path("<int:membership_id>/", people.member, name="member"),
    path("<int:membership_id>/remove/", people.member_leave, name="member_remove"),
    path("groups/new/", groups.group_new, name="group_new"),
    path("groups/<int:group_id>/", groups.group, name="group"),
    path("groups/<int:group_id>/delete/", groups.group_remove, name="group_delete"),
]
