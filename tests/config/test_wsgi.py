"""The web application's pool of database connections."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.databases import copied_database, url_of

ROOT = Path(__file__).resolve().parents[2]
# Two requests' worth of connections; the database ends the first one's while it lies in the pool.
SCRIPT = """
import os
import config.wsgi
import psycopg
from django.db import connection

def backend():
    with connection.cursor() as cursor:
        number = cursor.execute("SELECT pg_backend_pid()").fetchone()[0]
    connection.close()
    return number

first = backend()
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as other:
    other.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
print("same" if backend() == first else "another", flush=True)
"""

# A thread holds the only connection; who asks meanwhile finds the pool busy, and next waits for it.
BUSY = """
import threading
import config.wsgi
from django.db import connection
from django.db.utils import OperationalError

held, let_go = threading.Event(), threading.Event()

def hold():
    with connection.cursor():
        held.set()
        let_go.wait(60)
    connection.close()

threading.Thread(target=hold).start()
held.wait(60)
connection.pool.timeout = 1
try:
    connection.ensure_connection()
except OperationalError as error:
    print(type(error.__cause__).__name__)
connection.pool.timeout = 60
threading.Timer(1, let_go.set).start()
connection.ensure_connection()
connection.close()
print("served", flush=True)
"""


@pytest.mark.parametrize(
    ("script", "expected"), [(SCRIPT, "another"), (BUSY, "PoolTimeout served")]
)
@pytest.mark.django_db(transaction=True)
def test_a_connection_the_database_has_ended_is_replaced_and_a_busy_pool_is_waited_for(
    tmp_path: Path, script: str, expected: str
) -> None:
    with copied_database() as where:
        environ = {
            **os.environ,
            "CAIRN_ENV_FILE": "off",
            "CAIRN_DATA_DIR": str(tmp_path),
            "CAIRN_DATABASE_POOL_SIZE": "1",
            "DATABASE_URL": url_of(where),
        }
        ended = subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env=environ,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert (ended.returncode, " ".join(ended.stdout.split())) == (0, expected), ended.stderr
