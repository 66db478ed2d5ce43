"""The task queue's own tables, in the admin's style; e-mail addresses are the users' business."""

from allauth.account.models import EmailAddress
from django.contrib import admin
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
    """What runs by the clock."""


@admin.register(OrmQ)
class QueueAdmin(queue_admin.QueueAdmin, ModelAdmin):  # type: ignore[misc]  # both untyped
    """Messages that wait for a worker."""
