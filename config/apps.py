from typing import Any

from django.apps import AppConfig, apps
from django.core.management import call_command
from django.db.models.signals import post_migrate


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401  registers the system checks

        # Django sends the signal for apps with models only, and this one has none.
        post_migrate.connect(_make_cache_table, sender=apps.get_app_config("accounts"))


def _make_cache_table(**kwargs: Any) -> None:
    """The table of the shared cache; Django has no migration for it."""
    call_command("createcachetable", verbosity=0)
