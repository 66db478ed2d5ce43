"""GET /healthz around a WSGI application."""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch
from wsgiref.types import StartResponse, WSGIEnvironment
from wsgiref.util import setup_testing_defaults

import pytest
from django.db import connection
from django.db.utils import OperationalError

from config.health import with_health_check


def teapot(environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
    start_response("418 I'm a teapot", [])
    return [b"inner"]


def get(path: str) -> tuple[str, bytes]:
    """Return status and body; the wrapped application answers every other path with 418."""
    environ: WSGIEnvironment = {"PATH_INFO": path, "HTTP_HOST": "unknown.example"}
    setup_testing_defaults(environ)
    started: list[str] = []

    def start_response(status: str, *_: object) -> Callable[[bytes], object]:
        started.append(status)
        return lambda _: None

    body = with_health_check(teapot)(environ, start_response)
    return started[0], b"".join(body)


@pytest.mark.django_db(transaction=True)
def test_it_is_well_while_the_database_answers() -> None:
    assert get("/healthz") == ("200 OK", b"ok\n")


def test_it_is_unwell_without_a_database() -> None:
    with patch.object(connection, "cursor", side_effect=OperationalError):
        assert get("/healthz")[0] == "503 No database"


def test_other_paths_reach_the_application() -> None:
    assert get("/") == ("418 I'm a teapot", b"inner")
