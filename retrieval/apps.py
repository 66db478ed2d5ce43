from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_delete


class RetrievalConfig(AppConfig):
    name = "retrieval"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from knowledge.abstract_writers import set_writers
        from knowledge.figure_describers import set_describers
        from knowledge.models import Document
        from retrieval.abstracting import writer_of
        from retrieval.describing import describer_of
        from retrieval.services.erasure import forget_nearest, forget_quotes, forget_reasons

        pre_delete.connect(forget_quotes, sender=Document)
        pre_delete.connect(forget_nearest, sender=Document)
        pre_delete.connect(forget_reasons, sender=Document)
        set_writers(writer_of)
        set_describers(describer_of)
        post_migrate.connect(_schedule_sweeper, sender=self)


def _schedule_sweeper(**kwargs: Any) -> None:
    """Have the task queue look for interrupted answers every minute."""
    from django_q.models import Schedule

    Schedule.objects.update_or_create(
        name="sweep answers",
        defaults={"func": "retrieval.tasks.sweep", "schedule_type": Schedule.MINUTES, "minutes": 1},
    )
