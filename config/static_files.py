"""Static files under addresses that name their content, kept by browsers for a year.

`{% static %}` gives `cairn.css?v=<hash>`; a request with the hash of what is served now may be kept
for good, any other for WhiteNoise's minute. There is no step that copies and renames files first.
"""

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest
from django.http.response import HttpResponseBase

PARAMETER = "v"
FOREVER = "max-age=31536000, public, immutable"


class VersionedStaticFilesStorage(StaticFilesStorage):
    def url(self, name: str | None) -> str:
        """Return the file's address with its version; without one where no such file is."""
        address = super().url(name)
        version = version_of(name) if name else ""
        return f"{address}?{PARAMETER}={version}" if version else address


class KeepVersionedFilesMiddleware:
    """Stands around WhiteNoise and lets browsers keep what was asked for by its present version."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        asked = request.GET.get(PARAMETER, "")
        if asked and response.status_code in (200, 304) and asked == _version_at(request.path):
            response["Cache-Control"] = FOREVER
        return response


def _version_at(path: str) -> str:
    prefix: str = settings.STATIC_URL
    return version_of(path.removeprefix(prefix)) if path.startswith(prefix) else ""


def version_of(name: str) -> str:
    """Return the first 12 hex digits of the file's SHA-256, '' if there is no such file."""
    found = finders.find(name.partition("#")[0])
    if not isinstance(found, str) or not Path(found).is_file():
        return ""
    stat = Path(found).stat()
    return _digest(found, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=1_000)
def _digest(path: str, modified_ns: int, size: int) -> str:
    return sha256(Path(path).read_bytes()).hexdigest()[:12]
