"""allauth's hook for who may sign up."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedSignupAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Nobody signs up by themselves: an operator makes accounts, in the admin."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
