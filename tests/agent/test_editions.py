"""Which edition of a document answers: the latest, unless it is silent or a year is asked for."""

import pytest

from retrieval.agent.editions import without_superseded

Passage = tuple[str, float]
OLD: Passage = ("Travel Policy 2025", 3.0)
NEW: Passage = ("Travel Policy 2026", 2.5)


def chosen(question: str, *found: Passage) -> list[Passage]:
    return without_superseded(
        question, found, title=lambda one: one[0], relevance=lambda one: one[1], close=1.0
    )


def test_the_latest_edition_answers():
    assert chosen("What is the allowance?", OLD, NEW) == [NEW]


@pytest.mark.parametrize("year", ["2025", "2026", "2024"])
def test_a_question_with_a_year_gets_every_edition(year: str):
    assert chosen(f"What was the allowance in {year}?", OLD, NEW) == [OLD, NEW]


def test_an_older_edition_stays_where_the_later_one_says_little_about_it():
    silent = ("Travel Policy 2026", 1.5)
    assert chosen("What is the allowance?", OLD, silent) == [OLD, silent]


@pytest.mark.parametrize(
    "other",
    ["Travel Policy", "Expenses Policy 2026", "Travel Policy 2026-2027", "2026", "SL-420 Manual"],
)
def test_other_documents_are_no_editions(other: str):
    found = [OLD, (other, 3.0)]
    assert chosen("What is the allowance?", *found) == found


def test_numbers_of_products_are_no_years():
    found = [("Manual SL-20191 rev 3", 3.0), ("Manual SL-20201 rev 3", 3.0)]
    assert chosen("How long is the warranty?", *found) == found
