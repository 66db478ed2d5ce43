from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class KnowledgeConfig(AppConfig):
    name = "knowledge"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        post_migrate.connect(_schedule_sweeper, sender=self)


def _schedule_sweeper(**kwargs: Any) -> None:
    """Have the task queue run the sweeper every minute."""
    from django_q.models import Schedule

    Schedule.objects.update_or_create(
        name="sweep ingestion runs",
        defaults={"func": "knowledge.tasks.sweep", "schedule_type": Schedule.MINUTES, "minutes": 1},
    )
