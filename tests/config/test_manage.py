"""Which command lines start the database."""

from __future__ import annotations

import pytest

from manage import needs_database


@pytest.mark.parametrize(
    "line",
    [
        "",
        "help",
        "help migrate",
        "--help",
        "migrate --help",
        "ask -h",
        "version",
        "--version",
        "check",
        "demo",  # which starts it as soon as its port has turned out to be free
    ],
)
def test_questions_about_the_program_start_nothing(line: str) -> None:
    assert not needs_database(line.split())


@pytest.mark.parametrize("line", ["migrate", "check --database default", "ask What?", "qcluster"])
def test_work_starts_the_database(line: str) -> None:
    assert needs_database(line.split())
