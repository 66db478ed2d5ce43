""".env.example and config/variables.py say the same, and compose uses nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from config.env_file import read_env_file
from config.variables import BY_NAME, VARIABLES, Variable
from tests.config.conftest import ROOT

EXAMPLE = ROOT / ".env.example"
COMPOSE_VARIABLE = re.compile(r"\$\{([A-Z_]+)")


@dataclass(frozen=True, slots=True)
class Entry:
    """A variable's lines: the comment right above it, then NAME=default."""

    comment: tuple[str, ...]
    default: str


def entries() -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    comment: list[str] = []
    for line in EXAMPLE.read_text().splitlines():
        if line.startswith("# "):
            comment.append(line.removeprefix("# "))
        elif "=" in line:
            name, _, default = line.partition("=")
            found[name] = Entry(tuple(comment), default)
        else:
            comment = []
    return found


def compose_variables() -> set[str]:
    return set(COMPOSE_VARIABLE.findall((ROOT / "docker-compose.yml").read_text()))


def test_the_example_lists_what_is_read_and_nothing_else() -> None:
    only_compose = compose_variables() - set(BY_NAME)
    assert only_compose == {"POSTGRES_SUPERUSER_PASSWORD"}
    assert set(entries()) == set(BY_NAME) | only_compose


@pytest.mark.parametrize("variable", VARIABLES, ids=lambda variable: variable.name)
def test_each_entry_shows_meaning_unit_and_default(variable: Variable) -> None:
    unit = f"Unit: {variable.unit}{' [secret]' if variable.secret else ''}"
    assert entries()[variable.name] == Entry((variable.meaning, unit), variable.default)


def test_the_example_is_a_valid_env_file_without_a_secret() -> None:
    values = read_env_file(EXAMPLE)
    assert {name for name, entry in entries().items() if "[secret]" in entry.comment[-1]} == {
        name for name in values if name == "POSTGRES_SUPERUSER_PASSWORD" or BY_NAME[name].secret
    }
    assert not any(values[v.name] for v in VARIABLES if v.secret)
