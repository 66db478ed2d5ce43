"""docker-compose.yml and what it mounts, checked without an engine."""

from __future__ import annotations

import json
import re
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import psycopg
import pytest
import yaml

from config.embedded_database import address
from config.embedded_database.account import server_account
from config.embedded_database.bootstrap import EXTENSIONS, ROLE_FLAGS
from config.embedded_database.places import PORT, SUPERUSER, Places
from config.embedded_database.server import Server, installation
from config.env import read_environment
from tests.config.conftest import ROOT

APP_SERVICES = ("migrate", "web", "worker")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return loaded


def test_it_follows_the_compose_specification(compose: dict[str, Any]) -> None:
    schemas = files("check_jsonschema") / "builtin_schemas" / "vendor"
    schema = json.loads((schemas / "compose-spec.json").read_text())
    jsonschema.validate(compose, schema)


def test_it_has_the_services_and_volumes(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"db", *APP_SERVICES}
    named = {
        mount.split(":")[0]
        for service in compose["services"].values()
        for mount in service["volumes"]
        if not mount.startswith(".")
    }
    assert named == set(compose["volumes"])


def test_every_service_has_a_health_check_or_runs_once(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        runs_once = service["restart"] == "no"
        assert runs_once == (name == "migrate")
        assert ("healthcheck" in service) != runs_once


def test_web_and_worker_wait_for_the_migrated_database(compose: dict[str, Any]) -> None:
    assert compose["services"]["migrate"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    for name in ("web", "worker"):
        waits = compose["services"][name]["depends_on"]
        assert waits["migrate"] == {"condition": "service_completed_successfully"}
        assert waits["db"] == {"condition": "service_healthy"}


def test_the_application_never_connects_as_the_superuser(compose: dict[str, Any]) -> None:
    superuser = compose["services"]["db"]["environment"]["POSTGRES_USER"]
    for name in APP_SERVICES:
        given = compose["services"][name]["environment"]
        # Empty, or env_file would hand the superuser's password to the application.
        assert given["POSTGRES_SUPERUSER_PASSWORD"] == ""
        database = read_environment({**given, "CAIRN_DATABASE_PASSWORD": "x"}).database
        assert database.user == "cairn" != superuser
        assert database.host == "db"


def test_no_password_stands_in_the_file(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        for name, value in service["environment"].items():
            if "PASSWORD" in name:
                assert value == "" or re.fullmatch(r"\$\{[A-Z_]+:\?[^}]+\}", value)


def test_its_mounted_files_exist(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        for mount in service["volumes"]:
            source = mount.split(":")[0]
            assert not source.startswith(".") or (ROOT / source).exists()


def test_the_image_is_not_root_and_installs_by_hash() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^USER (?!root)\w+$", text, re.MULTILINE)
    assert "--require-hashes -r /requirements-runtime.lock" in text


class TestSuperuserSQL:
    """deploy/superuser.sql, run by the real psql on a server that knows nothing of Cairn."""

    @pytest.fixture
    def server(self, data_dir: Path) -> Server:
        server = Server(Places(data_dir), server_account())
        server.account.open_way(server.places.cluster)
        server.create(durable=False)
        server.start(durable=False)
        return server

    def run(self, server: Server, password: str) -> None:
        subprocess.run(
            [
                installation() / "bin" / "psql",
                f"--host={server.places.socket_directory}",
                f"--port={PORT}",
                f"--username={SUPERUSER}",
                "--dbname=postgres",
                "--quiet",
                f"--variable=password={password}",
                f"--file={ROOT / 'deploy' / 'superuser.sql'}",
            ],
            check=True,
            capture_output=True,
        )

    def test_it_prepares_the_server_as_the_embedded_one_is_and_may_run_twice(
        self, server: Server
    ) -> None:
        self.run(server, "it's 1")
        self.run(server, "it's 2")
        where = address(server.places.data_dir)
        for database in ("cairn", "template1"):
            with psycopg.connect(
                host=where.host, port=where.port, user="cairn", dbname=database
            ) as connection:
                names = connection.execute("SELECT extname FROM pg_extension").fetchall()
                assert {name for (name,) in names} >= set(EXTENSIONS)
                flags = connection.execute(
                    "SELECT rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication"
                    " FROM pg_roles WHERE rolname = 'cairn'"
                ).fetchone()
                assert flags == (False, False, True, False, False)

    def test_it_gives_the_role_the_same_flags_as_the_embedded_database(self) -> None:
        assert ROLE_FLAGS in (ROOT / "deploy" / "superuser.sql").read_text()
