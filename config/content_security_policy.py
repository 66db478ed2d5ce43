"""The Content-Security-Policy of Cairn's own pages: everything from this server, nothing inline.

It holds even where sanitising fails: a script in a document or an answer would not run, an image
would not be fetched. The admin and the API's pages are other people's and need inline code.
"""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
EXEMPT = ("/admin/", "/api/")


class ContentSecurityPolicyMiddleware:
    """Set the header on every response below no exempt prefix that has none of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        if not request.path.startswith(EXEMPT):
            response.headers.setdefault("Content-Security-Policy", POLICY)
        return response
