"""What holds for every response that Django makes: private to its reader, no body after HEAD."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.utils.cache import patch_cache_control

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class PrivateResponsesMiddleware:
    """Forbid shared caches to keep a response: nearly all are for one signed-in person.

    It stands behind WhiteNoise, so static files are not meant.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        patch_cache_control(response, private=True)
        return response


class HeadWithoutBodyMiddleware:
    """Drop the body after HEAD and keep its length (RFC 9110, 9.3.2).

    Views of `require_safe` and Django's error pages make one; gunicorn warns of each. A stream is
    closed before it has begun.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        if request.method != "HEAD":
            return response
        if isinstance(response, StreamingHttpResponse):
            response.streaming_content = ()
        else:
            response.content = b""  # type: ignore[attr-defined]  # of every other response
        return response
