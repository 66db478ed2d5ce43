"""GET /healthz: whether this process serves and reaches its database."""

from __future__ import annotations

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.db import connection
from django.db.utils import Error

PATH = "/healthz"


def with_health_check(application: WSGIApplication) -> WSGIApplication:
    """Return the application that also answers /healthz: 200 `ok`, or 503 without a database.

    Outside Django's middleware, because a check from within the container knows neither the
    public host name (ALLOWED_HOSTS) nor HTTPS.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ.get("PATH_INFO") != PATH:
            return application(environ, start_response)
        status, body = ("200 OK", b"ok\n") if _database_answers() else ("503 No database", b"no\n")
        headers = [("Content-Type", "text/plain"), ("Cache-Control", "no-store")]
        start_response(status, [*headers, ("Content-Length", str(len(body)))])
        return [body]

    return answer


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    finally:
        connection.close()
    return True
