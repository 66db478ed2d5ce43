"""allauth's hooks for who may sign up, and for counting failed sign-ins."""

import logging
import secrets
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.http import HttpRequest

logger = logging.getLogger(__name__)

NOTHING_STORED = "The server cannot store anything at the moment. Tell who runs it, and try later."


class ClosedSignupAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Nobody signs up by themselves: an operator makes accounts, in the admin."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Raise a validation error while the client or the account has failed too often.

        allauth counts every attempt as a failure until it has succeeded, so that six right ones at
        once closed an account; here only a failure is counted.
        """
        if not self._failures(request, dry_run=True, **credentials):
            if not _stores():
                logger.error("A sign-in was refused, for the database stores nothing.")
                raise ValidationError(NOTHING_STORED)
            raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        self._failures(request, dry_run=False, **credentials)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that failures are counted by; the peer's own one past the proxies."""
        try:
            return str(super().get_client_ip(request))
        except ImproperlyConfigured:
            logger.warning("A request came through fewer proxies than CAIRN_TRUSTED_PROXIES.")
            return str(request.META["REMOTE_ADDR"])

    def _failures(self, request: HttpRequest, *, dry_run: bool, **credentials: Any) -> bool:
        """Return whether another failure is within the limits; count one unless ``dry_run``."""
        usage = ratelimit.consume(
            request,
            app="allauth.account",
            action="login_failed",
            key=self._get_login_attempts_cache_key(request, **credentials),
            dry_run=dry_run,
        )
        return usage is not None


def _stores() -> bool:
    """Return whether the cache takes a row; without one, allauth says that all is used up.

    The cache says nothing of a database that refuses, as one without room does, but adds nothing.
    """
    return cache.add(f"stores:{secrets.token_hex(8)}", True, 1)
