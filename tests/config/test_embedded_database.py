"""The embedded database from outside: what it offers, who keeps it up, what a kill leaves."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from config.database_address import DatabaseAddress
from config.embedded_database import address, ensure_running, leave
from config.embedded_database.account import server_account
from config.embedded_database.bootstrap import EXTENSIONS
from config.embedded_database.locks import is_held
from config.embedded_database.places import SUPERUSER, Places
from config.embedded_database.server import Server
from tests.config.conftest import DatabaseUser, temporary_data_dir

StartUser = Callable[..., DatabaseUser]


def connect(where: DatabaseAddress, **other: str) -> psycopg.Connection:
    parameters = {"user": where.user, "dbname": where.name} | other
    return psycopg.connect(
        host=where.host,
        port=where.port,
        user=parameters["user"],
        dbname=parameters["dbname"],
        autocommit=True,
    )


def server_pid(data_dir: Path) -> int:
    return int((data_dir / "postgres" / "postmaster.pid").read_text().splitlines()[0])


def answers(data_dir: Path) -> bool:
    return Server(Places(data_dir), server_account()).answers()


def kill_server(data_dir: Path) -> None:
    os.kill(server_pid(data_dir), signal.SIGKILL)
    deadline = time.monotonic() + 10
    while answers(data_dir):
        assert time.monotonic() < deadline


@pytest.fixture(scope="module")
def where() -> Iterator[DatabaseAddress]:
    """Yield the address of a fresh database for the tests that only look at it."""
    with temporary_data_dir() as folder:
        ensure_running(folder, durable=False)
        yield address(folder)


def test_a_first_start_makes_the_role_the_database_and_the_extensions(
    where: DatabaseAddress,
) -> None:
    with connect(where) as connection:
        flags = connection.execute(
            "SELECT rolsuper, rolbypassrls, rolcreaterole, rolreplication, rolcreatedb, rolcanlogin"
            " FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        owner = connection.execute(
            "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()"
        ).fetchone()
        # A copy of template1, as Django's test database is.
        connection.execute("CREATE DATABASE copy")
    assert flags == (False, False, False, False, True, True)
    assert owner == ("cairn",)
    for database in (where.name, "copy"):
        with connect(where, dbname=database) as connection:
            found = {name for (name,) in connection.execute("SELECT extname FROM pg_extension")}
        assert found >= set(EXTENSIONS)


def test_letters_of_every_script_are_letters(where: DatabaseAddress) -> None:
    with connect(where) as connection:
        row = connection.execute(
            r"SELECT upper('отпуск'), 'отпуск' ~ '^\w+$', similarity('отпуск', 'отпуска') > 0.5,"
            r" '年假' ~ '^\w+$', similarity('年假', '年假') = 1"
        ).fetchone()
    assert row == ("ОТПУСК", True, True, True, True)


def test_only_a_socket_in_a_private_folder_leads_in(where: DatabaseAddress) -> None:
    assert stat.S_IMODE(Path(where.host).stat().st_mode) == 0o700
    with connect(where) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


def test_computing_the_address_touches_nothing(tmp_path: Path) -> None:
    where = address(tmp_path / "absent")
    assert (where.name, where.user, where.embedded) == ("cairn", "cairn", True)
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize("name", ["""it's $HOME "quoted", да""", "long-" * 24])
def test_the_folder_may_have_any_name(data_dir: Path, name: str) -> None:
    folder = data_dir / name
    ensure_running(folder, durable=False)
    try:
        with connect(address(folder)) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert stat.S_IMODE(Path(address(folder).host).stat().st_mode) == 0o700
    finally:
        leave(folder)
    # A folder of ours under /tmp goes with the server; the cluster itself stays.
    assert Path(address(folder).host).exists() == (Path(address(folder).host).parent == folder)


def test_two_processes_share_one_server_and_the_last_one_stops_it(
    data_dir: Path, database_user: StartUser
) -> None:
    first, second = database_user(), database_user()
    first.wait_until_ready()
    second.wait_until_ready()
    pid = server_pid(data_dir)
    assert first.end() == 0
    assert answers(data_dir)
    assert server_pid(data_dir) == pid
    assert second.end() == 0
    assert not answers(data_dir)


def test_a_user_that_is_killed_leaves_no_lock_behind(
    data_dir: Path, database_user: StartUser
) -> None:
    killed, next_one = database_user(), database_user()
    killed.wait_until_ready()
    next_one.wait_until_ready()
    killed.kill()
    assert answers(data_dir)
    assert next_one.end() == 0
    assert not answers(data_dir)


def test_a_forked_child_keeps_the_server_up_after_its_parent(
    data_dir: Path, database_user: StartUser
) -> None:
    user = database_user("fork")
    child = user.wait_until_ready()
    assert user.process.wait(timeout=30) == 0
    assert answers(data_dir)
    os.kill(child, signal.SIGKILL)
    user.end()
    deadline = time.monotonic() + 10
    while is_held(Places(data_dir).users_lock):
        assert time.monotonic() < deadline
    ensure_running(data_dir)
    leave(data_dir)
    assert not answers(data_dir)


def test_a_killed_server_starts_again_with_nothing_lost(data_dir: Path) -> None:
    ensure_running(data_dir)
    with connect(address(data_dir)) as connection:
        connection.execute("CREATE TABLE kept (n int)")
        connection.execute("INSERT INTO kept SELECT generate_series(1, 10000)")
        kill_server(data_dir)
    ensure_running(data_dir)
    with connect(address(data_dir)) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (10_000,)


def test_a_recycled_process_id_does_not_pass_for_the_server(data_dir: Path) -> None:
    ensure_running(data_dir)
    kill_server(data_dir)
    account = server_account()
    # As the server's own user: PostgreSQL itself sees through another user's process.
    with subprocess.Popen(["sleep", "60"], user=account.uid, cwd="/") as other:
        pid_file = data_dir / "postgres" / "postmaster.pid"
        lines = pid_file.read_text().splitlines()
        pid_file.write_text("\n".join([str(other.pid), *lines[1:], ""]))
        ensure_running(data_dir)
        assert server_pid(data_dir) != other.pid
        other.kill()


def test_a_kill_while_the_cluster_is_made_leaves_nothing_half_made(
    data_dir: Path, database_user: StartUser
) -> None:
    user = database_user()
    deadline = time.monotonic() + 20
    # pg_control appears early in initdb's work.
    while not list(data_dir.glob("postgres.partial-*/global/pg_control")):
        assert time.monotonic() < deadline
    user.kill()
    assert not (data_dir / "postgres").exists()
    ensure_running(data_dir)
    with connect(address(data_dir)) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_kill_before_the_role_was_made_is_made_good(data_dir: Path) -> None:
    server = Server(Places(data_dir), server_account())
    server.account.open_way(server.places.cluster)
    server.create(durable=True)
    server.start(durable=True)
    with connect(address(data_dir), user=SUPERUSER, dbname="postgres") as connection:
        connection.execute("CREATE ROLE cairn SUPERUSER")
    ensure_running(data_dir)
    with connect(address(data_dir)) as connection:
        query = "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
        assert connection.execute(query).fetchone() == (False,)


def test_set_up_may_be_repeated(where: DatabaseAddress) -> None:
    places = Places(Path(where.host).parent)
    places.bootstrap_mark.unlink()
    ensure_running(places.data_dir)
    assert places.bootstrap_mark.exists()
