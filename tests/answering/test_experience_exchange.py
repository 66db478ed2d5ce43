"""Experience goes out as lines and comes in bound to the documents that are there."""

from __future__ import annotations

import json
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.models import ExperienceEdge, ExperienceQuestion, Run
from retrieval.services.experience.switching import edges_disable
from retrieval.services.runs import run_create, run_execute
from tests.answering.conftest import HANDBOOK, Asking, saying
from tests.answering.test_experience import (
    ANSWER,
    QUESTION,
    QUOTE,
    SIMILAR,
    TARGET,
    edges,
    learnt,
    remembered,
)
from tests.factories import Company, ingested, make_base, make_company

HEAD, TRAVEL, WARRANTY, OFFICES = HANDBOOK.split("\n## ")


def run(name: str, company: Company, base: KnowledgeBase, *args: str) -> tuple[Any, str]:
    """Return what the command prints as JSON, and its notes."""
    out, notes = StringIO(), StringIO()
    where = ["--tenant", company.tenant.slug, "--kb", base.slug, "--json"]
    with suppress(SystemExit):
        call_command("experience", name, *where, *args, stdout=out, stderr=notes)
    return json.loads(out.getvalue()), notes.getvalue()


def exported(asking: Asking, tmp_path: Path) -> str:
    file = tmp_path / "experience.jsonl"
    run("export", asking.company, asking.company.base, str(file))
    return str(file)


def other_base(
    asking: Asking, text: str = HANDBOOK, filename: str = "handbook.md"
) -> KnowledgeBase:
    base = make_base(asking.company.tenant)
    ingested(asking.company.tenant, base, filename, text)
    return base


def edges_in(company: Company, base: KnowledgeBase) -> list[tuple[str, str]]:
    with tenant_transaction(company.tenant):
        rows = ExperienceEdge.objects.filter(base=base).order_by("path")
        return list(rows.values_list("path", "state"))


def test_a_line_holds_a_question_with_its_edges(asking: Asking, tmp_path: Path) -> None:
    learnt(asking)
    lines = Path(exported(asking, tmp_path)).read_text().splitlines()
    (row,) = [json.loads(line) for line in lines]
    (edge,) = edges(asking)
    assert (row["question"], row["origin"]) == (QUESTION, "live")
    (target,) = row["edges"]
    assert target["path"] == TARGET
    assert target["content_hash"] == edge.content_hash
    assert target["stable_key"] == edge.stable_key
    assert target["sources"] == edge.sources
    assert [step["tool"] for step in target["trace"]] == ["read"]


def test_what_was_imported_serves_the_next_question(asking: Asking, tmp_path: Path) -> None:
    learnt(asking)
    base = other_base(asking)
    done, notes = run("import", asking.company, base, exported(asking, tmp_path))
    assert (done["questions"], done["edges"], notes) == (1, 1, "")
    assert edges_in(asking.company, base) == [(TARGET, "active")]
    with tenant_transaction(asking.company.tenant):
        assert ExperienceQuestion.objects.get(base=base).origin == "import"
    asking.script(saying(QUOTE, ANSWER))
    next_run: Run = run_create(
        tenant=asking.company.tenant,
        base=base,
        membership=None,
        question=SIMILAR,
        preset="viking-e",
    )
    run_execute(tenant_id=next_run.tenant_id, run_id=next_run.pk)
    assert [payload["paths"] for payload in remembered(asking, next_run)] == [[TARGET]]


def test_an_import_again_finds_nothing_new(asking: Asking, tmp_path: Path) -> None:
    learnt(asking)
    base, file = other_base(asking), exported(asking, tmp_path)
    run("import", asking.company, base, file)
    done, _ = run("import", asking.company, base, file)
    assert (done["questions"], done["edges"], done["known"]) == (0, 0, 1)
    own, _ = run("import", asking.company, asking.company.base, file)
    assert (own["questions"], own["edges"], own["known"]) == (0, 0, 1)
    (edge,) = [one for one in edges(asking) if one.base_id == asking.company.base.pk]
    assert edge.question.origin == "live"


@pytest.mark.parametrize(
    ("filename", "text", "expected"),
    [
        (
            "handbook.md",
            HANDBOOK.replace("## Warranty", "## Guarantees"),
            [("handbook/guarantees/p1", "active")],
        ),
        ("handbook.md", HANDBOOK.replace("36 months", "48 months"), [(TARGET, "suspect")]),
        ("manual.md", HANDBOOK, [("manual/warranty/p1", "active")]),
        ("handbook.md", "\n## ".join((HEAD, TRAVEL, OFFICES)), []),
        ("manual.md", HANDBOOK.replace("36 months", "48 months"), []),
    ],
    ids=["heading renamed", "text edited", "other document", "section gone", "neither"],
)
def test_a_target_is_bound_to_the_documents_as_they_are(
    asking: Asking, tmp_path: Path, filename: str, text: str, expected: list[tuple[str, str]]
) -> None:
    learnt(asking)
    base = other_base(asking, text, filename)
    done, notes = run("import", asking.company, base, exported(asking, tmp_path))
    assert edges_in(asking.company, base) == expected
    if not expected:
        assert done["unbound"] == [f"Line 1: nothing in this base is {TARGET}."]
        assert done["unbound"][0] in notes
        with tenant_transaction(asking.company.tenant):
            assert not ExperienceQuestion.objects.filter(base=base).exists()


def test_what_was_switched_off_does_not_go_out_and_an_import_does_not_switch_it_on(
    asking: Asking, tmp_path: Path
) -> None:
    learnt(asking)
    file = exported(asking, tmp_path)
    with tenant_transaction(asking.company.tenant):
        edges_disable(edges(asking))
    run("import", asking.company, asking.company.base, file)
    assert [edge.state for edge in edges(asking)] == ["disabled"]
    done, _ = run("export", asking.company, asking.company.base, str(tmp_path / "again.jsonl"))
    assert (done["questions"], done["edges"]) == (0, 0)


GOOD = {"path": TARGET, "stable_key": "k", "content_hash": "h"}


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"\xff\xfe",
        b"[]",
        b"7",
        b"[" * 100_000,
        b'{"question": "When?", "origin": "live"}',
        b'{"question": "When?", "origin": "live", "edges": []}',
        b'{"question": "When?", "origin": "live", "edges": [7]}',
        b'{"question": " ", "origin": "live", "edges": [%s]}' % json.dumps(GOOD).encode(),
        b'{"question": "%s", "origin": "live", "edges": [%s]}'
        % (b"x" * 4_001, json.dumps(GOOD).encode()),
        json.dumps({"question": "W?", "origin": "live", "edges": [GOOD | {"path": 3}]}).encode(),
        json.dumps({"question": "W?", "origin": "live", "edges": [GOOD | {"hop": -1}]}).encode(),
        json.dumps({"question": "W?", "origin": "live", "edges": [GOOD | {"trace": [1]}]}).encode(),
        b'{"question": "W?", "origin": "live", "edges": [], "tokens": NaN}',
        b'{"question": "W?", "origin": "live", "edges": [], "tokens": 1e999}',
        b'{"question": "W?", "origin": "live", "edges": [], "tokens": ' + b"9" * 5_000 + b"}",
    ],
)
def test_a_malformed_line_is_named_and_ends_nothing(
    asking: Asking, tmp_path: Path, line: bytes
) -> None:
    learnt(asking)
    base, file = other_base(asking), Path(exported(asking, tmp_path))
    file.write_bytes(line + b"\n\n" + file.read_bytes())
    done, notes = run("import", asking.company, base, str(file))
    assert [sentence.partition(":")[0] for sentence in done["malformed"]] == ["Line 1"]
    assert done["malformed"][0] in notes
    assert (done["questions"], done["edges"]) == (1, 1)


def test_signs_that_the_database_refuses_are_replaced(asking: Asking, tmp_path: Path) -> None:
    edge = GOOD | {"trace": [{"tool": "a\0b"}], "sources": ["\ud800"]}
    file = tmp_path / "odd.jsonl"
    row = {"question": "How\0 long \ud800?", "origin": "live", "edges": [edge]}
    file.write_text(json.dumps(row))
    done, _ = run("import", asking.company, asking.company.base, str(file))
    assert (done["questions"], done["edges"]) == (1, 1)


def test_an_import_reaches_its_own_company_alone(asking: Asking, tmp_path: Path) -> None:
    learnt(asking)
    other = make_company("borealis")
    file = exported(asking, tmp_path)
    done, _ = run("import", other, other.base, file)
    assert (done["questions"], len(done["unbound"])) == (0, 1)
    with tenant_transaction(other.tenant):
        assert not ExperienceQuestion.objects.exists()
    assert len(edges(asking)) == 1


def test_without_a_file_the_lines_go_to_stdout(asking: Asking) -> None:
    learnt(asking)
    out = StringIO()
    where = ["--tenant", asking.company.tenant.slug, "--kb", asking.company.base.slug]
    call_command("experience", "export", *where, stdout=out, stderr=StringIO())
    assert json.loads(out.getvalue())["question"] == QUESTION
    with pytest.raises(CommandError, match="Name a FILE"):
        call_command("experience", "export", *where, "--json", stdout=StringIO())


@pytest.mark.parametrize("name", ["import", "export"])
def test_a_file_that_cannot_be_used_is_named(asking: Asking, tmp_path: Path, name: str) -> None:
    where = ["--tenant", asking.company.tenant.slug, "--kb", asking.company.base.slug]
    with pytest.raises(CommandError, match="cannot be"):
        call_command("experience", name, *where, str(tmp_path), stdout=StringIO())
