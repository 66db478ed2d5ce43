"""Two versions compared: by section, paragraph and word, within bounds."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tenancy import tenant_transaction
from knowledge.models import DocumentVersion
from knowledge.reading import comparison
from knowledge.reading.alignment import Difference, differences, increasing
from knowledge.reading.comparison import Comparison, versions_compare
from knowledge.reading.word_diff import LONGEST, Piece, row_diff, word_diff
from tests.factories import Company, ingested

Compare = Callable[[str, str], tuple[Piece, ...]]

BEFORE = """# Handbook

Preface.

## Hours

The office opens at nine.

### Summer

It opens at ten.

## Leave

Everyone has thirty days of leave a year.

Ask your manager.

## Travel

Trains are booked second class.
"""


def compare(a: Company, before: str, after: str, name: str = "handbook.md") -> Comparison:
    ingested(a.tenant, a.base, name, before)
    document = ingested(a.tenant, a.base, name, after)
    with tenant_transaction(a.tenant):
        old, new = DocumentVersion.objects.filter(document=document).order_by("number")
        return versions_compare(old, new)


def found(result: Comparison) -> dict[str, tuple[str, ...]]:
    return {" > ".join(change.headings): change.kinds for change in result.changes}


def shown(pieces) -> str:
    signs = {"same": "{}", "removed": "[-{}-]", "added": "[+{}+]"}
    return "".join(signs[piece.kind].format(piece.text) for piece in pieces)


def test_a_changed_word_is_found_in_its_section_alone(a: Company, db: None) -> None:
    result = compare(a, BEFORE, BEFORE.replace("thirty days", "forty days"))
    assert found(result) == {"Leave": ("changed",)}
    (edit,) = result.changes[0].edits
    assert shown(edit.pieces) == "Everyone has [-thirty -][+forty +]days of leave a year."
    assert (result.counts, result.total) == ({"changed": 1}, 1)


def test_sections_are_added_and_removed_with_their_text(a: Company, db: None) -> None:
    after = BEFORE.replace("## Travel\n\nTrains are booked second class.", "## Parking\n\nBehind.")
    result = compare(a, BEFORE, after)
    assert found(result) == {"Travel": ("removed",), "Parking": ("added",)}
    removed, added = sorted(result.changes, key=lambda change: change.kinds, reverse=True)
    assert (removed.edits[0].old, removed.edits[0].new) == ("Trains are booked second class.", "")
    assert (added.edits[0].old, added.edits[0].new) == ("", "Behind.")
    assert (removed.new_ordinal, added.old_ordinal) == (None, None)


def test_a_renamed_section_is_one_change_and_its_subsections_none(a: Company, db: None) -> None:
    result = compare(a, BEFORE, BEFORE.replace("## Hours", "## Opening hours"))
    assert found(result) == {"Opening hours": ("renamed",)}
    assert result.changes[0].old_title == "Hours"


def test_a_subsection_changed_below_a_renamed_section_is_still_the_same_one(
    a: Company, db: None
) -> None:
    after = BEFORE.replace("## Leave", "## Holidays").replace("### Summer", "### In summer")
    assert found(compare(a, BEFORE, after)) == {
        "Hours > In summer": ("renamed",),
        "Holidays": ("renamed",),
    }


def test_sections_that_are_numbered_anew_are_renamed_though_their_text_changed_too(
    a: Company, db: None
) -> None:
    before = "# T\n\n## 1. Hours\n\n### 1.1 Summer\n\nAt ten.\n\n## 2. Leave\n\nThirty days.\n"
    after = (
        "# T\n\n## 1. News\n\nNone.\n\n## 2. Hours\n\n### 2.1 Summer\n\nAt nine.\n\n"
        "## 3. Leave\n\nForty days.\n"
    )
    assert found(compare(a, before, after)) == {
        "1. News": ("added",),
        "2. Hours": ("renamed",),
        "2. Hours > 2.1 Summer": ("renamed", "changed"),
        "3. Leave": ("renamed", "changed"),
    }


def test_sections_that_change_places_and_parents_are_moved(a: Company, db: None) -> None:
    summer = "### Summer\n\nIt opens at ten.\n\n"
    after = BEFORE.replace(summer, "").replace("## Travel", f"{summer}## Travel")
    assert found(compare(a, BEFORE, after)) == {"Leave > Summer": ("moved",)}
    travel = "## Travel\n\nTrains are booked second class.\n"
    turned = BEFORE.replace(travel, "").replace("## Hours", f"{travel}\n## Hours")
    assert found(compare(a, BEFORE, turned, "turned.md")) == {"Travel": ("moved",)}


def test_a_new_title_of_the_document_is_a_change_of_the_document(a: Company, db: None) -> None:
    result = compare(a, BEFORE, BEFORE.replace("# Handbook", "# Handbook 2026"))
    assert found(result) == {"Handbook 2026": ("renamed",)}


def test_the_same_text_written_anew_is_no_change(a: Company, db: None) -> None:
    result = compare(a, BEFORE, BEFORE + "\n\n")
    assert (result.changes, result.counts, result.total) == ((), {}, 0)


def test_a_paragraph_inserted_among_others_is_one_edit(a: Company, db: None) -> None:
    after = BEFORE.replace("Ask your manager.", "Half days count.\n\nAsk your manager.")
    (change,) = compare(a, BEFORE, after).changes
    assert [(edit.old, edit.new) for edit in change.edits] == [("", "Half days count.")]


def test_what_goes_beyond_the_limits_is_counted(
    a: Company, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "MOST_SECTIONS", 3)
    monkeypatch.setattr(comparison, "MOST_EDITS", 4)
    before = "# T\n\n" + "".join(f"## S{n}\n\nText {n}.\n\nMore {n}.\n\n" for n in range(5))
    result = compare(a, before, before.replace("Text", "Words").replace("More", "Less"))
    assert (result.total, len(result.changes)) == (5, 3)
    assert [(len(change.edits), change.left_out) for change in result.changes] == [
        (2, 0), (2, 0), (0, 2),
    ]  # fmt: skip


def test_texts_that_are_too_long_together_are_counted(
    a: Company, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "MOST_CHARACTERS", 100)
    (change,) = compare(a, "# T\n\n" + "old " * 200, "# T\n\n" + "new " * 200).changes
    assert (change.edits, change.left_out) == ((), 1)


@pytest.mark.parametrize("sections", [3, 30])
def test_the_queries_do_not_grow_with_the_changes(sections: int, a: Company, db: None) -> None:
    before = "# T\n\n" + "".join(f"## S{n}\n\nText {n}.\n\n" for n in range(sections))
    ingested(a.tenant, a.base, "handbook.md", before)
    document = ingested(a.tenant, a.base, "handbook.md", before.replace("Text", "Words"))
    with tenant_transaction(a.tenant):
        old, new = DocumentVersion.objects.filter(document=document).order_by("number")
        with CaptureQueriesContext(connection) as queries:
            assert versions_compare(old, new).total == sections
    # digests and sections of each version, leaves, texts
    assert len(queries) == 6


@pytest.mark.parametrize(
    ("old", "new", "pieces"),
    [
        ("one two three", "one 2 three", "one [-two -][+2 +]three"),
        ("年假为三十天。", "年假为二十天。", "年假为[-三-][+二+]十天。"),
        ("a\nb  c", "a b c", "a b c"),
        ("", "new", "[+new+]"),
        ("old", "", "[-old-]"),
        (
            "It is 2,000.50 euros.",
            "It is 2,500.50 euros.",
            "It is [-2,000.50 -][+2,500.50 +]euros.",
        ),
        (
            "on 2026-01-31, 9:30",
            "on 2026-02-28, 9:45",
            "on [-2026-01-31-][+2026-02-28+], [-9:30-][+9:45+]",
        ),
        ("down to -5 °C", "down to 5 °C", "down to [--5 -][+5 +]°C"),
        ("from 10 000 to A4", "from 12 000 to A5", "from [-10 000 -][+12 000 +]to [-A4-][+A5+]"),
        ("๒๕ บาท", "๒๖ บาท", "[-๒๕ -][+๒๖ +]บาท"),
        ("I don't know.", "I can't know.", "I [-don't -][+can't +]know."),
        ("Leave¹ is 25.", "Leave² is 25.", "Leave[-¹ -][+² +]is 25."),
        ("<b>x</b>", "<i>x</i>", "<[-b-][+i+]>x</[-b-][+i+]>"),
    ],
)
def test_words_are_compared_and_white_space_is_not(old: str, new: str, pieces: str) -> None:
    assert shown(word_diff(old, new)) == pieces


def test_a_row_of_a_table_is_compared_with_a_row() -> None:
    old, new = "Part · kg\nDesk · 30\nChair · 30", "Part · kg\nDesk · 35\nLamp · 1\nChair · 30"
    expected = "Part · kg\nDesk · [-30\n-][+35\n+][+Lamp · 1\n+]Chair · 30"
    assert shown(row_diff(old, new)) == expected


@pytest.mark.parametrize("compared", [word_diff, row_diff])
@pytest.mark.parametrize("seed", range(20))
def test_the_pieces_put_together_are_both_wordings(seed: int, compared: Compare) -> None:
    chosen = random.Random(seed)  # noqa: S311
    old, new = (
        "".join(
            chosen.choices(
                ["ab ", "c", ". ", "日", "\n", "_", "é", "\u0301", "1", ",", "-", "²"], k=80
            )
        )
        for _ in range(2)
    )
    pieces = compared(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "removed") == new
    kept = "".join(piece.text for piece in pieces if piece.kind != "added")
    assert "".join(kept.split()) == "".join(old.split())


@pytest.mark.parametrize("seed", range(20))
def test_differences_turn_the_one_into_the_other(seed: int) -> None:
    chosen = random.Random(seed)  # noqa: S311
    old, new = ([chosen.randrange(12) for _ in range(chosen.randrange(30))] for _ in range(2))
    rebuilt, at = [], 0
    for part in differences(old, new):
        rebuilt += old[at : part.old_start] + new[part.new_start : part.new_end]
        at = part.old_end
    assert rebuilt + old[at:] == new


def test_equal_sequences_do_not_differ_and_empty_ones_differ_throughout() -> None:
    assert differences("abca", "abca") == []
    assert differences("", "ab") == [Difference(0, 0, 0, 2)]
    assert increasing([3, 1, 2, 5, 4]) in ({1, 2, 3}, {1, 2, 4})
    assert increasing([]) == set()


def test_a_gap_that_is_too_large_for_difflib_is_one_difference() -> None:
    old, new = ["a", *["x", "y"] * 500, "b"], ["a", *["y", "z"] * 500, "b"]
    assert differences(old, new) == [Difference(1, 1001, 1, 1001)]


def test_a_wording_is_compared_up_to_its_limit() -> None:
    pieces = word_diff("x " * LONGEST, "x " * LONGEST + "end")
    assert "".join(piece.text for piece in pieces) == ("x " * LONGEST)[:LONGEST]
