"""What README.md and docs/ tell a reader to type works on the sample company."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest

from tests.config.conftest import ROOT
from tests.databases import copied_database, url_of
from tests.retrieval.test_commands import CommandLine

pytestmark = pytest.mark.django_db

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# A line of its own, indented or fenced; what stands inside a sentence names a command only.
COMMAND = re.compile(r"^ *\.venv/bin/python manage\.py (?P<rest>.+)$", re.MULTILINE)
# `kb://base/...` explains the form.
ADDRESS = re.compile(r"kb://(?!base/)[\w./-]*[\w-]")
WHERE = ("--tenant", "sondrell", "--kb", "company-documents")


def typed(text: str) -> Iterator[list[str]]:
    """Yield the arguments of each command of a page, without redirections and comments."""
    for line in COMMAND.finditer(text):
        words = shlex.split(line["rest"], comments=True)
        yield words[: words.index(">")] if ">" in words else words


LINES = [words for page in PAGES for words in typed(page.read_text())]


@pytest.fixture(scope="module")
def sample(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CommandLine]:
    """Yield a command line beside the sample company, which is ingested."""
    folder = tmp_path_factory.mktemp("clone")
    (folder / "sample_company").symlink_to(ROOT / "sample_company")
    with django_db_blocker.unblock(), copied_database() as where:
        cairn = CommandLine(folder, url_of(where))
        assert cairn("ingest", "sample_company/", *WHERE).code == 0
        yield cairn


def test_pages_show_each_command() -> None:
    assert {words[0] for words in LINES} >= {"ingest", "ask", "tool"}


@pytest.mark.parametrize("words", LINES, ids=[" ".join(words)[:50] for words in LINES])
def test_a_command_of_a_page_can_be_typed(sample: CommandLine, words: list[str]) -> None:
    result = sample(*words)
    assert (result.code, result.err.count("Traceback")) == (0, 0), result.err
    if "--json" in words:
        json.loads(result.out)
    else:
        assert result.out.strip()


def test_an_address_of_a_page_is_one_of_the_sample(sample: CommandLine) -> None:
    found = {uri for page in PAGES for uri in ADDRESS.findall(page.read_text())}
    assert found
    for uri in sorted(found):
        result = sample("tool", "list", uri, *WHERE)
        assert result.code == 0, f"{uri}: {result.out}"


@pytest.mark.parametrize("name", ["user", "admin", "integrator", "scaling"])
def test_the_readme_links_the_page(name: str) -> None:
    assert f"](docs/{name}.md)" in PAGES[0].read_text()
