"""Whatever keeps the embedded database from running is told in a sentence with a remedy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from config.embedded_database import EmbeddedDatabaseError, address, ensure_running, leave
from config.embedded_database.places import Places
from tests.config.conftest import ROOT


def test_a_full_disk_is_refused_before_anything_is_written(data_dir: Path) -> None:
    with pytest.raises(EmbeddedDatabaseError, match="Only 12 MB are free") as caught:
        ensure_running(data_dir, free_bytes=lambda _: 12_000_000)
    assert "Free some space" in caught.value.remedy
    assert not Places(data_dir).cluster.exists()


def test_a_running_server_is_used_even_when_the_disk_is_low(data_dir: Path) -> None:
    ensure_running(data_dir, durable=False)
    ensure_running(data_dir, free_bytes=lambda _: 0)


def test_a_cluster_of_another_version_is_named_and_left_alone(data_dir: Path) -> None:
    cluster = Places(data_dir).cluster
    cluster.mkdir()
    (cluster / "PG_VERSION").write_text("15\n")
    with pytest.raises(EmbeddedDatabaseError, match="PostgreSQL 15, and the installed"):
        ensure_running(data_dir)
    assert [path.name for path in cluster.iterdir()] == ["PG_VERSION"]


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe"])
def test_a_cluster_with_a_damaged_version_file_is_named_and_left_alone(
    data_dir: Path, content: bytes
) -> None:
    version_file = Places(data_dir).cluster / "PG_VERSION"
    version_file.parent.mkdir()
    version_file.write_bytes(content)
    with pytest.raises(EmbeddedDatabaseError, match="PG_VERSION is empty or damaged"):
        ensure_running(data_dir)
    assert version_file.read_bytes() == content


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddedDatabaseError, match="cannot be used") as caught:
        ensure_running(tmp_path / "file" / "var")
    assert "CAIRN_DATA_DIR" in caught.value.remedy


def test_a_server_that_does_not_start_is_quoted(data_dir: Path) -> None:
    ensure_running(data_dir, durable=False)
    leave(data_dir)
    with (Places(data_dir).cluster / "postgresql.conf").open("a") as file:
        file.write("no_such_setting = 1\n")
    with pytest.raises(EmbeddedDatabaseError, match="no_such_setting"):
        ensure_running(data_dir)


def test_a_socket_folder_that_others_made_is_refused(data_dir: Path) -> None:
    folder = data_dir / ("long-" * 24)
    squatted = Path(address(folder).host)
    squatted.mkdir(mode=0o755)
    try:
        with pytest.raises(EmbeddedDatabaseError, match="open to others"):
            ensure_running(folder)
    finally:
        squatted.rmdir()


def test_manage_py_prints_the_sentence_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate"],
        cwd=ROOT,
        env={"CAIRN_DATA_DIR": str(tmp_path / "file" / "var"), "CAIRN_ENV_FILE": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "cannot be used" in done.stderr
    assert "Traceback" not in done.stderr
