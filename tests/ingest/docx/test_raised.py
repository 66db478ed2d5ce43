"""Numbers that Word raises or lowers by points keep their digits apart from their line."""

from __future__ import annotations

import pytest

from knowledge.ingest.parsers import parse
from tests.ingest.docx.making import STYLES, docx, p, r


def shifted(text: str, position: int, size: int = 14) -> str:
    """Return a run of `size` half-points that stands `position` half-points off its line."""
    return r(text, f'<w:position w:val="{position}"/><w:sz w:val="{size}"/>')


RAISED = {
    "small_and_raised": (r("Area 10") + shifted("6", 6) + r(" m."), "Area 10⁶ m."),
    "small_and_lowered": (r("H") + shifted("2", -4) + r("O"), "H₂O"),
    "raised_by_much": (r("It is 10") + shifted("6", 6, 22) + r(" m"), "It is 10⁶ m"),
    "a_fraction": (shifted("1", 6) + r("/") + shifted("2", -4) + r(" cup"), "¹/₂ cup"),
    "set_in_place": (r("Room 10") + shifted("6", 2, 22) + r(" is free"), "Room 106 is free"),
    "a_whole_line": (shifted("10", 6) + shifted("6", 6), "106"),
    "back_on_the_line": (r("Room 10") + shifted("6", 0) + r(" is free"), "Room 106 is free"),
}


@pytest.mark.parametrize("name", RAISED)
def test_a_number_off_its_line_is_raised_or_lowered(name: str) -> None:
    runs, text = RAISED[name]
    assert parse(docx(p(runs=runs)), "a.docx").text == text


def test_a_style_that_raises_by_points_raises() -> None:
    style = (
        '<w:style w:type="character" w:styleId="Up"><w:name w:val="Up"/><w:rPr>'
        '<w:position w:val="6"/><w:sz w:val="14"/></w:rPr></w:style>'
    )
    data = docx(p("Area 10", runs=r("6", '<w:rStyle w:val="Up"/>')), styles=STYLES + style)
    assert parse(data, "a.docx").text == "Area 10⁶"
