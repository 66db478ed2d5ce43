"""allauth's hooks for who may sign up, and for counting failed sign-ins."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest

logger = logging.getLogger(__name__)


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
