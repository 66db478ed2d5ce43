"""manage.py versions: history, comparison and going back, with the exit codes of all commands."""

from __future__ import annotations

import json
from dataclasses import dataclass
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.tenancy import tenant_transaction
from knowledge.models import Document
from tests.factories import Company, ingested
from tests.knowledge.conftest import HANDBOOK, EmbedderSpy

pytestmark = pytest.mark.django_db

CHANGED = HANDBOOK.replace("thirty days", "forty days")
URI = "kb://handbook/handbook"


@dataclass(frozen=True, slots=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def versions(a: Company, *arguments: str, uri: str = URI) -> Said:
    out, err = StringIO(), StringIO()
    where = ["--tenant", a.tenant.slug, "--kb", a.base.slug]
    try:
        call_command("versions", uri, *where, *arguments, stdout=out, stderr=err, skip_checks=True)
    except CommandError as error:
        return Said(error.returncode, out.getvalue(), str(error))
    except SystemExit as ended:
        return Said(int(ended.code or 0), out.getvalue(), err.getvalue())
    return Said(0, out.getvalue(), err.getvalue())


@pytest.fixture
def document(a: Company) -> Document:
    ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    return ingested(a.tenant, a.base, "handbook.md", CHANGED)


def test_the_history_tells_what_each_version_saved(a: Company, document: Document) -> None:
    first, second = versions(a, "--json").json["versions"]
    assert (first["version"], first["current"], second["current"]) == (1, False, True)
    assert first["reused"] == {"vectors": 0, "entries": 3, "share": 0.0, "tokens": 0}
    assert (second["reused"]["vectors"], second["reused"]["share"]) == (2, 0.667)
    assert second["reused"]["tokens"] > 0
    assert second["seconds"] >= 0
    lines = versions(a).out.splitlines()
    assert [line[0] for line in lines] == [" ", "*"]


def test_two_versions_are_compared(a: Company, document: Document) -> None:
    result = versions(a, "--compare", "1", "2", "--json").json
    assert (result["total"], result["counts"]) == (1, {"changed": 1})
    (change,) = result["changes"]
    assert change["uri"] == f"{URI}/leave"
    assert "forty" in change["edits"][0]["new"]
    said = versions(a, "--compare", "1", "2").out
    assert "changed: Leave" in said
    assert "- Everyone has thirty days" in said
    assert "+ Everyone has forty days" in said


def test_going_back_ends_with_the_version_in_use(a: Company, document: Document) -> None:
    said = versions(a, "--rollback", "1", "--json")
    assert said.code == 0
    assert [row["current"] for row in said.json["versions"]] == [True, False]


def test_going_back_that_fails_ends_with_one_and_a_sentence(
    a: Company, document: Document, embedder: EmbedderSpy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(number: int) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("knowledge.management.commands.versions.POLL_S", 0)
    embedder.before = fail
    said = versions(a, "--rollback", "1")
    assert said.code == 1
    assert "cannot be used again: Something went wrong" in said.err
    with tenant_transaction(a.tenant):
        assert Document.objects.get(pk=document.pk).current_version.number == 2


@pytest.mark.parametrize(
    ("arguments", "uri", "sentence"),
    [
        (["--compare", "1", "7"], URI, "no version 7"),
        (["--compare", "1", "3"], URI, "never ready"),
        (["--rollback", "2"], URI, "in use already"),
        (["--rollback", "3"], URI, "never ready"),
        (["--rollback", "9"], URI, "no version 9"),
        ([], "kb://handbook/absent", "There is no document"),
        ([], "kb://elsewhere/handbook", "There is no document"),
        ([], "kb://handbook", "There is no document"),
        ([], "handbook", "starts with kb://"),
    ],
)
def test_what_makes_no_sense_ends_with_two_and_a_sentence(
    arguments: list[str], uri: str, sentence: str, a: Company, document: Document
) -> None:
    ingested(a.tenant, a.base, "handbook.md", b"")
    said = versions(a, *arguments, uri=uri)
    assert said.code == 2
    assert sentence in said.err
    assert said.out == ""
