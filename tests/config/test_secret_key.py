"""The secret key: made on the first run, refused when it is known."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.checks import Error
from django.test import override_settings

from config.checks import secret_key_is_ours
from config.env import Environment, read_environment
from config.first_run import (
    WeakSecretKey,
    prepare,
    refuse_weak_secret_key,
    secret_key,
    secret_key_problem,
)
from tests.config.conftest import ROOT

FIRST_RUN = """
import sys
from config.env import read_environment
from config.first_run import prepare, secret_key

env = read_environment({"CAIRN_DATA_DIR": sys.argv[1]})
prepare(env)
sys.stdout.write(secret_key(env))
"""
WEAK = ["change-me", "django-insecure-" + "x9" * 30, "short", "a" * 60]


@pytest.fixture
def environment(tmp_path: Path) -> Callable[..., Environment]:
    def make(**variables: str) -> Environment:
        return read_environment({"CAIRN_DATA_DIR": str(tmp_path / "var"), **variables})

    return make


def test_the_first_run_makes_a_key_that_only_we_may_read(
    environment: Callable[..., Environment],
) -> None:
    env = environment()
    prepare(env)
    key = secret_key(env)
    assert secret_key_problem(key) is None
    assert stat.S_IMODE((env.data_dir / "secret-key").stat().st_mode) == 0o600
    prepare(env)
    assert secret_key(env) == key
    assert [path.name for path in env.data_dir.glob("secret-key*")] == ["secret-key"]


def test_of_two_first_runs_at_once_both_use_one_key(
    environment: Callable[..., Environment],
) -> None:
    env = environment()

    def run(_: int) -> str:
        done = subprocess.run(
            [sys.executable, "-c", FIRST_RUN, str(env.data_dir)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    with ThreadPoolExecutor(4) as pool:
        keys = set(pool.map(run, range(4)))
    assert keys == {secret_key(env)}


def test_reading_the_settings_alone_writes_nothing(
    environment: Callable[..., Environment],
) -> None:
    env = environment()
    assert secret_key_problem(secret_key(env)) is None
    assert not env.data_dir.exists()


@pytest.mark.parametrize("key", WEAK)
def test_a_known_key_is_refused_unless_debugging(
    environment: Callable[..., Environment], key: str
) -> None:
    with pytest.raises(WeakSecretKey, match="CAIRN_SECRET_KEY"):
        refuse_weak_secret_key(environment(CAIRN_SECRET_KEY=key))
    refuse_weak_secret_key(environment(CAIRN_SECRET_KEY=key, CAIRN_DEBUG="on"))


@pytest.mark.parametrize("key", WEAK)
def test_the_system_check_refuses_it_too(key: str) -> None:
    with override_settings(SECRET_KEY=key, DEBUG=False):
        assert [type(message) for message in secret_key_is_ours(None)] == [Error]
    with override_settings(SECRET_KEY=key, DEBUG=True):
        assert secret_key_is_ours(None) == []


def test_a_command_does_not_start_with_a_known_key(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--tag", "security"],
        cwd=ROOT,
        env={
            "CAIRN_DATA_DIR": str(tmp_path),
            "CAIRN_ENV_FILE": "off",
            "CAIRN_SECRET_KEY": "change-me",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "config.E001" in done.stderr
