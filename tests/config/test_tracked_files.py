"""House rules that a glance at the tracked files can hold."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.config.conftest import ROOT

PRODUCT = ("config/", "accounts/", "knowledge/", "retrieval/", "manage.py")
READS_ENVIRONMENT = re.compile(r"\bos\.(environ|getenv|environb|putenv)\b|from os import .*environ")
# Addresses of package indexes and paths of one machine: a lock or a note made elsewhere differs.
# Written in pieces, so that this file does not hold what it looks for.
FOREIGN = re.compile(
    "|".join(
        [
            "pypi" + r"\.org",
            "pythonhosted" + r"\.org",
            "registry" + r"\.npmjs",
            "deb" + r"\.debian\.org",
            "--(extra-)?index" + "-url",
            "/work" + "/(main|shared)",
            "/root" + "/",
            "/home" + r"/[a-z]",
        ]
    )
)


def tracked(*suffixes: str) -> list[Path]:
    """Return the files that git knows, or would add, with one of these endings."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = (ROOT / line for line in listed.stdout.splitlines())
    return [path for path in paths if path.is_file() and path.name.endswith(suffixes)]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_only_env_py_reads_the_environment() -> None:
    readers = [
        relative(path)
        for path in tracked(".py")
        if relative(path).startswith(PRODUCT) and READS_ENVIRONMENT.search(path.read_text())
    ]
    # The sandbox decides what of it a reader of foreign files may see, and reads no setting.
    sandbox = ["knowledge/ingest/sandbox/client.py", "knowledge/ingest/sandbox/reader.py"]
    assert readers == ["config/env.py", *sandbox]


def test_no_file_names_a_package_index_or_a_path_of_one_machine() -> None:
    found = []
    for path in tracked(""):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if path.name == "test_tracked_files.py":
            continue
        found += [f"{relative(path)}: {match[0]}" for match in FOREIGN.finditer(text)]
    assert not found


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-runtime.lock"])
def test_every_locked_package_has_a_version_and_a_hash(lock: str) -> None:
    packages = locked(lock)
    assert packages
    assert all("==" in name and "--hash=sha256:" in rest for name, rest in packages.items())


def test_the_image_gets_the_versions_that_were_tested() -> None:
    assert locked("requirements-runtime.lock").items() <= locked("requirements.lock").items()


def locked(name: str) -> dict[str, str]:
    """Return `package==version` -> its hashes, markers and all, comments dropped."""
    text = "\n".join(
        line for line in (ROOT / name).read_text().splitlines() if not line.lstrip().startswith("#")
    )
    blocks = re.split(r"\n(?=\S)", text.strip())
    return {block.split()[0]: " ".join(block.split()[1:]).strip() for block in blocks}


def test_no_module_outgrows_its_reader() -> None:
    long = [
        f"{relative(path)}: {count} lines"
        for path in tracked(".py")
        if "/migrations/" not in relative(path)
        and (count := len(path.read_text().splitlines())) > 400
    ]
    assert not long
