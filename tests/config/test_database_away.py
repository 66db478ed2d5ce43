"""The database cannot be reached: a page and a command say so, in a sentence."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.db.utils import InterfaceError, OperationalError

from accounts.connections import is_connection_lost
from tests.config.conftest import ROOT

SCRIPT = """
import json
from config.env import select_settings
select_settings()
from django.conf import settings
settings.DATABASE_POOL["timeout"] = 1
import config.wsgi
from django.db import connection
from django.test import Client

client = Client(raise_request_exception=False)
client.cookies["sessionid"] = "a" * 32
for headers in ({}, {"HX-Request": "true"}):
    answer = client.get("/t/aurora/", headers={"host": "localhost", **headers})
    # Whoever waits for the pool now waits until the test gives up.
    connection.pool.timeout = 600
    facts = [answer.status_code, answer.get("Retry-After"), answer["Content-Type"]]
    print(json.dumps([*facts, answer.content.decode()]))
"""


@pytest.fixture
def away(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a Cairn whose database listens no more."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    return {
        "PATH": os.environ["PATH"],
        "CAIRN_ENV_FILE": "off",
        "CAIRN_DATA_DIR": str(tmp_path),
        "CAIRN_EMBEDDER": "hashing",
        "DATABASE_URL": f"postgres://cairn:secret-word@127.0.0.1:{port}/cairn",
    }


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_page_says_so_and_when_to_come_back_and_the_next_one_does_not_wait(
    away: dict[str, str],
) -> None:
    ended = run(away, "-c", SCRIPT)
    page, script = map(json.loads, ended.stdout.splitlines())
    assert page[:2] == script[:2] == [503, "30"], ended.stderr
    assert "database cannot be reached" in page[3]
    assert page[3].rstrip().endswith("</html>")
    assert script[2] == "text/plain; charset=utf-8"
    assert "database cannot be reached" in script[3]


@pytest.mark.parametrize(
    "command",
    [
        ("ask", "What?", "--tenant", "a", "--kb", "b", "--json"),
        ("ingest", "README.md", "--tenant", "a", "--kb", "b", "--json"),
        ("tool", "search", "word", "--tenant", "a", "--kb", "b"),
        ("sweep",),
        ("migrate",),
        ("changepassword", "somebody@example.com"),
    ],
)
def test_a_command_says_so_in_a_sentence(away: dict[str, str], command: tuple[str, ...]) -> None:
    ended = run(away, "manage.py", *command)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "The database cannot be reached" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "secret-word" not in ended.stderr


def raised(cause: psycopg.Error) -> OperationalError:
    """Return the error as Django raises it."""
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "is_lost"),
    [
        (raised(psycopg.OperationalError("connection refused")), True),
        (raised(psycopg.errors.AdminShutdown("terminating connection")), True),
        (raised(psycopg.errors.CannotConnectNow("starting up")), True),
        (raised(psycopg.errors.TooManyConnections("sorry")), True),
        (InterfaceError("connection already closed"), True),
        (raised(psycopg.errors.DeadlockDetected("deadlock")), False),
        (raised(psycopg.errors.QueryCanceled("statement timeout")), False),
        (ValueError("something else"), False),
    ],
)
def test_only_a_lost_connection_counts_as_one(error: Exception, is_lost: bool) -> None:
    assert is_connection_lost(error) is is_lost
