"""What every parser that composes its text leaves out or writes as plain letters."""

from __future__ import annotations

import pytest

from knowledge.ingest.parsers import parse
from tests.ingest.docx.making import docx, p

WORDS = "The \ufb01rst e\ufb03cient co\u00adop"


@pytest.mark.parametrize(
    ("data", "name"),
    [(docx(p(WORDS)), "a.docx"), (f"<p>{WORDS}</p>".encode(), "a.html")],
)
def test_ligatures_are_letters_and_soft_hyphens_are_gone(data: bytes, name: str) -> None:
    assert parse(data, name).text.rstrip() == "The first efficient coop"
