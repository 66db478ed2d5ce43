"""Pages that belong to no app: the icon at its old address, and requests that cannot be read."""

from django.conf import settings
from django.core.exceptions import TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Send those who ask for /favicon.ico without reading a page to the icon."""
    return redirect(static("favicon.svg"))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say what was wrong with the request, as a page or for a script as one line of text."""
    sentence = "It may have been too large or incomplete."
    if isinstance(exception, TooManyFilesSent):
        most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        sentence = f"At most {most} files can be sent at a time; send them in several goes."
    sentence += " Nothing was stored."
    if request.headers.get("HX-Request"):
        return HttpResponse(sentence, status=400, content_type="text/plain; charset=utf-8")
    return render(request, "400.html", {"sentence": sentence}, status=400)
