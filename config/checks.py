"""System checks of the project as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from config.first_run import secret_key_problem


@register(Tags.security)
def secret_key_is_ours(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """Return an error when debugging is off and the secret key is known or short."""
    problem = secret_key_problem(settings.SECRET_KEY)
    if settings.DEBUG or problem is None:
        return []
    hint = "Leave CAIRN_SECRET_KEY empty: Cairn then makes one in the data directory."
    return [Error(problem, hint=hint, id="config.E001")]
