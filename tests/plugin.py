"""Gives the tests an environment and a database of their own, before Django's settings load.

Loaded by `-p tests.plugin` (pyproject.toml): pytest-django reads the settings before any
conftest.py is imported, so a conftest would come too late.
"""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA_DIR = ROOT / ".test-data"


def make_environment() -> None:
    """Drop what the developer's shell and `.env` file say about Cairn; set what tests need."""
    database_url = os.environ.pop("CAIRN_TEST_DATABASE_URL", "")
    for name in [*os.environ]:
        if name.startswith("CAIRN_") or name in ("DATABASE_URL", "DATABASE_URL_FILE"):
            del os.environ[name]
    os.environ |= {
        "CAIRN_ENV_FILE": "off",
        "CAIRN_DATA_DIR": str(DATA_DIR),
        "CAIRN_EMBEDDER": "hashing",
        "CAIRN_DEBUG": "off",
        "DATABASE_URL": database_url,
        "OMP_WAIT_POLICY": "passive",
    }
    if database_url:
        # Commands and xdist's workers, started by the tests, inherit it.
        os.environ["CAIRN_TEST_DATABASE_URL"] = database_url


def start_database() -> None:
    """Start the embedded database in `.test-data`, without fsync: it holds nothing worth keeping.

    xdist's workers only use it: the first process joined its users and outlives them.
    """
    from config import embedded_database, first_run
    from config.env import read_environment

    env = read_environment()
    first_run.prepare(env)
    if env.database.embedded and "PYTEST_XDIST_WORKER" not in os.environ:
        embedded_database.ensure_running(env.data_dir, durable=False)


make_environment()
start_database()
