"""The task queue's own tables, in the admin's style; e-mail addresses are the users' business."""

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.http import HttpRequest
from django_q import admin as queue_admin
from django_q.models import Failure, OrmQ, Schedule, Success
from unfold.admin import ModelAdmin

admin.site.unregister([EmailAddress, Failure, OrmQ, Schedule, Success])


@admin.register(Success)
class SuccessAdmin(queue_admin.TaskAdmin, ModelAdmin):  # type: ignore[misc]  # both untyped
    """Tasks that ended well."""


@admin.register(Failure)
class FailureAdmin(queue_admin.FailAdmin, ModelAdmin):  # type: ignore[misc]  # both untyped
    """Tasks that raised; what became of a document is told by its ingestion run."""


@admin.register(Schedule)
class ScheduleAdmin(queue_admin.ScheduleAdmin, ModelAdmin):  # type: ignore[misc]  # both untyped
    """What runs by the clock: when may be changed here, what is called may not.

    The function is a name that a worker imports and calls, so a form for it would run anything.
    """

    readonly_fields = [
        "name",
        "func",
        "hook",
        "args",
        "kwargs",
        "cron",
        "cluster",
        "task",
        "intended_date_kwarg",
    ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Schedule | None = None) -> bool:
        """Without the sweepers nothing that a dead worker left is taken up again."""
        return False


@admin.register(OrmQ)
class QueueAdmin(queue_admin.QueueAdmin, ModelAdmin):  # type: ignore[misc]  # both untyped
    """Messages that wait for a worker; signed, so to be looked at or deleted only."""

    def has_change_permission(self, request: HttpRequest, obj: OrmQ | None = None) -> bool:
        return False
