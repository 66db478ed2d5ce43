"""Pages that belong to no app: the icon at its old address, and requests that end in an error."""

import sys

from django.conf import settings
from django.core.exceptions import DisallowedHost, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views import defaults
from django.views.decorators.http import require_safe

from accounts.connections import is_connection_lost

RETRY_AFTER_S = 30

_NOT_SERVED = (
    "Cairn does not answer under the name that stands in the address. Whoever runs this server "
    "lists the names it answers to in the setting CAIRN_ALLOWED_HOSTS."
)
_AWAY = (
    "The database cannot be reached just now. Try again in a minute; "
    "if it stays like this, tell whoever runs this server."
)


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Send those who ask for /favicon.ico without reading a page to the icon."""
    return redirect(static("favicon.svg"))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say what was wrong with the request, as a page or for a script as one line of text."""
    if isinstance(exception, DisallowedHost):
        return _told(request, 400, _NOT_SERVED, "This name is not served here")
    sentence = "It may have been too large or incomplete."
    if isinstance(exception, TooManyFilesSent):
        most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        sentence = f"At most {most} files can be sent at a time; send them in several goes."
    return _told(request, 400, f"{sentence} Nothing was stored.")


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 503 while the database is away, and 500 for what else nobody has caught.

    Django calls it while the exception is being handled, and logs that either way.
    """
    if not is_connection_lost(sys.exc_info()[1]):
        return defaults.server_error(request)
    response = _told(request, 503, _AWAY)
    response["Retry-After"] = str(RETRY_AFTER_S)
    return response


def _told(request: HttpRequest, status: int, sentence: str, heading: str = "") -> HttpResponse:
    if request.headers.get("HX-Request"):
        return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
    context = {"sentence": sentence, "heading": heading}
    return render(request, f"{status}.html", context, status=status)
