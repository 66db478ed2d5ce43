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


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_the_database_has_ended_is_replaced(tmp_path: Path) -> None:
    with copied_database() as where:
        environ = {
            **os.environ,
            "CAIRN_ENV_FILE": "off",
            "CAIRN_DATA_DIR": str(tmp_path),
            "CAIRN_DATABASE_POOL_SIZE": "1",
            "DATABASE_URL": url_of(where),
        }
        ended = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            cwd=ROOT,
            env=environ,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert (ended.returncode, ended.stdout.strip()) == (0, "another"), ended.stderr
