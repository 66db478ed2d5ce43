"""The command line as other programs use it: one JSON object on stdout, and the exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from tests.config.conftest import ROOT
from tests.databases import copied_database, url_of
from tests.retrieval.conftest import HANDBOOK, RUSSIAN

# The command line works on a copy of the test database, which must have been made.
pytestmark = pytest.mark.django_db

FILE_KEYS = {
    "file", "document", "uri", "version", "state", "verdict", "pages", "sections", "paragraphs",
    "tables", "figures", "chunks", "tokens", "seconds", "warnings",
}  # fmt: skip
ASK_KEYS = {
    "run", "answer", "abstained", "reason", "citations", "preset", "escalated", "rounds",
    "tool_calls", "tokens", "seconds",
}  # fmt: skip
CITATION_KEYS = {
    "n", "uri", "document", "version", "page", "char_start", "char_end", "quote", "verified",
}  # fmt: skip
# Beyond design section 2; what a program reads must not vanish, what it does not know may come.
WHERE = ("--tenant", "acme", "--kb", "handbook")
MORE = {
    "file": {"abstracts", "estimate", "message", "remarks", "reused", "reused_vectors"},
    "ask": {"state", "question", "reasoner"},
    "citation": {"title", "match"},
}


@dataclass(frozen=True, slots=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Return the one JSON object that stdout must be."""
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


class CommandLine:
    """manage.py on a database of its own."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.folder = folder
        self.environment = {
            "PATH": os.environ["PATH"],
            "CAIRN_ENV_FILE": "off",
            "CAIRN_DATA_DIR": str(folder / "var"),
            "CAIRN_EMBEDDER": "hashing",
            "DATABASE_URL": database_url,
        }

    def __call__(self, *arguments: str, stdout: int | IO[Any] = subprocess.PIPE) -> Result:
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            cwd=self.folder,
            env=self.environment,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )
        return Result(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def cairn(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CommandLine]:
    """Yield a command line over a base with two good files, and a bad one beside them."""
    folder = tmp_path_factory.mktemp("cli")
    docs = folder / "docs"
    (docs / "ru").mkdir(parents=True)
    (docs / "handbook.md").write_text(HANDBOOK)
    (docs / "ru" / "otpusk.md").write_text(RUSSIAN)
    (docs / ".hidden.md").write_text("hidden")
    (docs / "lost.md").symlink_to("nowhere.md")
    (docs / "again").symlink_to("ru")
    os.mkfifo(docs / "pipe.md")
    (folder / "empty.md").write_bytes(b"")
    with django_db_blocker.unblock(), copied_database() as where:
        yield CommandLine(folder, url_of(where))


@pytest.fixture(scope="module")
def ingested(cairn: CommandLine) -> Result:
    return cairn("ingest", "docs", "--tenant", "acme", "--kb", "handbook", "--json")


def test_ingest_makes_tenant_and_base_and_reports_each_file(ingested: Result) -> None:
    assert ingested.code == 0, ingested.err
    assert set(ingested.json) == {"tenant", "kb", "seconds", "files"}
    first, second = ingested.json["files"]
    for file in (first, second):
        assert set(file) == FILE_KEYS | MORE["file"]
        assert (file["state"], file["verdict"], file["warnings"]) == ("ready", "ok", [])
    assert (first["file"], first["uri"]) == ("docs/handbook.md", "kb://handbook/handbook")
    assert (first["sections"], first["tables"]) == (3, 1)
    assert first["chunks"] > 0
    assert first["pages"] is None
    assert second["document"] == "Отпуск"
    for note in (  # on stderr, as progress is
        "a hidden file: .hidden.md",
        "a link that leads nowhere: lost.md",
        "a link to a folder: again",
        "no file: pipe.md",
    ):
        assert f"Left out, {note}" in ingested.err


def test_ingest_again_changes_nothing_and_one_bad_file_gives_exit_code_1(
    cairn: CommandLine, ingested: Result
) -> None:
    again = cairn("ingest", "docs", "empty.md", "--tenant", "acme", "--kb", "handbook", "--json")
    assert again.code == 1
    assert [file["state"] for file in again.json["files"]] == ["ready", "ready", "failed"]
    assert [file["version"] for file in again.json["files"]] == [1, 1, 1]
    assert again.json["files"][2]["message"] == "The file is empty: it has 0 bytes."


def test_ask_gives_an_answer_whose_citations_are_verbatim(
    cairn: CommandLine, ingested: Result
) -> None:
    result = cairn(
        "ask", "When does the kitchen close?", "--tenant", "acme", "--kb", "handbook",
        "--scope", "kb://handbook/handbook", "--json",
    )  # fmt: skip
    assert result.code == 0, result.err
    report = result.json
    assert set(report) == ASK_KEYS | MORE["ask"]
    assert set(report["tokens"]) == {"prompt", "completion", "cached", "estimated"}
    assert report["preset"] == "naive"
    (call, *_) = report["tool_calls"]
    assert set(call) == {"name", "arguments", "items", "tokens"}
    assert report["abstained"] or report["citations"]
    for citation in report["citations"]:
        assert set(citation) == CITATION_KEYS | MORE["citation"]
        assert citation["verified"] is True
        text = HANDBOOK[citation["char_start"] : citation["char_end"]]
        assert citation["quote"] == text
        assert f"[{citation['n']}]" in report["answer"]


def test_ask_takes_a_preset_and_refuses_one_whose_model_is_missing(
    cairn: CommandLine, ingested: Result
) -> None:
    ask = ["ask", "When does the kitchen close?", "--tenant", "acme", "--kb", "handbook", "--json"]
    chosen = cairn(*ask, "--preset", "naive")
    assert (chosen.code, chosen.json["preset"]) == (0, "naive"), chosen.err
    refused = cairn(*ask, "--preset", "viking")
    assert refused.code == 2
    assert "The preset viking needs a language model, and none is set up." in refused.err


def test_output_that_nobody_takes_ends_a_command_without_a_trace(
    cairn: CommandLine, ingested: Result
) -> None:
    listing = ["tool", "list", "--tenant", "acme", "--kb", "handbook"]
    reader, writer = os.pipe()
    os.close(reader)
    gone = cairn(*listing, stdout=writer)
    os.close(writer)
    assert (gone.code, gone.err) == (1, "")
    with Path("/dev/full").open("w") as full:
        filled = cairn(*listing, stdout=full)
    assert filled.code == 1
    assert filled.err == "The output could not be written: No space left on device.\n"


def test_a_command_that_is_interrupted_says_so_in_a_word(cairn: CommandLine) -> None:
    script = """
from config.env import select_settings
select_settings()
import django
django.setup()
from accounts.operator import OperatorCommand
class Command(OperatorCommand):
    requires_migrations_checks, requires_system_checks = False, []
    def handle(self, *args, **options):
        raise KeyboardInterrupt
Command().run_from_argv(["manage.py", "wait"])
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=cairn.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Stopped.\n")


def test_tools_print_what_the_agent_gets(cairn: CommandLine, ingested: Result) -> None:
    where = ["--tenant", "acme", "--kb", "handbook"]
    keys = {"tool", "items", "error", "hint", "cursor", "text", "spent", "left"}
    for arguments in (["search", "office"], ["list"], ["grep", "opens"], ["inventory"]):
        result = cairn("tool", *arguments, *where, "--json")
        assert result.code == 0, result.err
        assert set(result.json) == keys
        assert result.json["tool"] == arguments[0]
        assert result.json["items"]
        printed = cairn("tool", *arguments, *where).out
        assert all(item["uri"] in printed for item in result.json["items"])
    read = cairn("tool", "read", "kb://handbook/handbook/hours/p1/s1", *where)
    assert (read.code, read.err) == (0, "")
    assert "The office opens at nine." in read.out
    assert read.out.strip().endswith("tokens]")


def test_a_tool_that_finds_no_such_address_prints_its_error_and_gives_exit_code_1(
    cairn: CommandLine, ingested: Result
) -> None:
    result = cairn("tool", "read", "kb://x", "--tenant", "acme", "--kb", "handbook", "--json")
    assert result.code == 1
    assert result.json["error"] == "There is nothing at kb://x."
    assert "Traceback" not in result.err


def test_a_database_of_another_version_is_refused_in_a_sentence(
    cairn: CommandLine, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock(), copied_database() as where:
        older = CommandLine(cairn.folder, url_of(where))
        assert older("migrate", "retrieval", "zero").code == 0
        for arguments in (["sweep"], ["tool", "list", *WHERE], ["ask", "Why?", *WHERE]):
            result = older(*arguments, "--json")
            assert (result.code, result.out) == (1, "")
            assert "not that of this version" in result.err
            assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ask", "Why?", "--tenant", "acme", "--kb", "none"], "no knowledge base none"),
        (["ask", "Why?", "--tenant", "none", "--kb", "handbook"], "no tenant none"),
        (["ask", " ", "--tenant", "acme", "--kb", "handbook"], "write a question"),
        (["ask", "W?", "--tenant", "acme", "--kb", "handbook", "--scope", "/"], "starts with kb:"),
        (["tool", "search", "x", "-k", "-5", *WHERE], "must be a whole number from 1 to 100"),
        (["tool", "search", "x", "-k", "101", *WHERE], "must be a whole number from 1 to 100"),
        (["ask", "caf\udce9", *WHERE], r"not UTF-8: caf\xe9."),
        (["ingest", "caf\udce9.md", *WHERE], r"not UTF-8: caf\xe9.md."),
        (["tool", "grep", "\udcff", *WHERE], "not UTF-8"),
        (["tool", "list", "--tenant", "acme", "--kb", "none"], "no knowledge base none"),
        (["tool", "fly", "--tenant", "acme", "--kb", "handbook"], "invalid choice"),
        (["ingest", "nowhere", "--tenant", "acme", "--kb", "handbook"], "no file or folder"),
        (["ingest", "docs", "--tenant", "A B", "--kb", "handbook"], "cannot be the slug"),
        (["ingest", "", "--tenant", "acme", "--kb", "handbook"], "PATH is empty"),
        (["ingest", "docs", "--tenant", "acme", "--kb", "HR"], "use hr"),
        (["ingest", "docs", "--tenant", "acme", "--kb", "p3"], "use p3-section"),
        (["ask", "Why?", "--kb", "handbook"], "--tenant"),
    ],
)
def test_bad_usage_gives_exit_code_2_a_sentence_and_nothing_on_stdout(
    cairn: CommandLine, ingested: Result, arguments: list[str], sentence: str
) -> None:
    result = cairn(*arguments, "--json")
    assert (result.code, result.out) == (2, "")
    assert sentence in result.err
    assert "Traceback" not in result.err
