"""The page for a forgotten password: it only promises a mail where the server sends any."""

from typing import Any

from allauth.account.views import PasswordResetView
from django.conf import settings
from django.http import HttpRequest, HttpResponse

WRITES_TO_THE_LOG = "django.core.mail.backends.console.EmailBackend"


class MailedPasswordReset(PasswordResetView):  # type: ignore[misc]  # allauth has no types
    """allauth's page, which sends nothing and says so where there is no mail server."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = super().post if _sends_mail() else self.get
        response: HttpResponse = answer(request, *args, **kwargs)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"sends_mail": _sends_mail()}


def _sends_mail() -> bool:
    return bool(settings.EMAIL_BACKEND != WRITES_TO_THE_LOG)
