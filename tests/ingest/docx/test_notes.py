"""Footnotes of Word say what the same words would say in the body."""

from __future__ import annotations

import pytest

from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits
from tests.ingest.docx.making import docx, item, numbering, p, picture, r, tbl, textbox, tr

REFERENCE = '<w:footnoteReference w:id="2"/>'


def document(note: str, **parts: str) -> bytes:
    """Return a document of one sentence with a footnote of the blocks ``note``."""
    files: dict[str, str | bytes] = {
        "word/footnotes.xml": f'<w:footnote w:id="2">{note}</w:footnote>',
        "word/numbering.xml": numbering(("decimal", "%1.")),
    }
    return docx(p("The limit", runs=r(inside=REFERENCE)), files | parts)


BOX = (
    "<mc:AlternateContent><mc:Choice Requires='wps'>" + textbox(p("Boxed"))
    + "</mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>" + p("Boxed")
    + "</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent>"
)  # fmt: skip
TICK = (
    '<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData>'
    '</w:fldChar><w:fldChar w:fldCharType="end"/>'
)
NOTES = {
    "a_symbol": (p(runs=r(inside='<w:sym w:font="Symbol" w:char="F0A3"/>') + r("5 mg")), "≤5 mg"),
    "letters_of_a_font_of_symbols": (
        p(runs=r("\uf0b1", '<w:rFonts w:ascii="Symbol"/>') + r("5")), "±5",
    ),
    "hidden_and_tiny_text": (
        p(runs=r("secret ", "<w:vanish/>") + r("tiny ", '<w:sz w:val="2"/>') + r("seen")), "seen",
    ),
    "a_text_box": (p("See ", runs=r(inside=BOX)), "See Boxed"),
    "a_ticked_box": (p(runs=r(inside=TICK) + r(" agreed")), "☒ agreed"),
    "an_equation": (
        p("About ", runs="<m:oMath><m:r><m:t>3</m:t></m:r><m:f><m:num><m:r><m:t>1</m:t></m:r>"
          "</m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>"), "About 3 1/2",
    ),
    "an_instruction": (
        p(runs=r(inside='<w:fldChar w:fldCharType="begin"/><w:instrText>REF x</w:instrText>'
                 '<w:fldChar w:fldCharType="separate"/><w:t>page 4</w:t>'
                 '<w:fldChar w:fldCharType="end"/>')), "page 4",
    ),
    "a_table": (p("Rates:") + tbl(tr("May", "5"), tr("June", "7")), "Rates: May, 5 June, 7"),
    "a_list": (item("one") + item("two"), "1. one 2. two"),
    "a_picture_with_words": (p("See ", runs=r(inside=picture("A pump"))), "See A pump"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTES)
def test_a_note_is_read_as_the_body_is(name: str) -> None:
    note, text = NOTES[name]
    assert parse(document(note), "a.docx").text == f"The limit[^1]\n\n[^1] {text}"


def test_a_note_in_the_result_of_a_field_is_read() -> None:
    inside = (
        '<w:fldChar w:fldCharType="begin"/><w:instrText>REF x</w:instrText>'
        f'<w:fldChar w:fldCharType="separate"/><w:t>it</w:t>{REFERENCE}'
        '<w:fldChar w:fldCharType="end"/>'
    )
    data = docx(
        p("See ", runs=r(inside=inside) + r(".")),
        {"word/footnotes.xml": f'<w:footnote w:id="2">{p("why")}</w:footnote>'},
    )
    assert parse(data, "a.docx").text == "See it[^1].\n\n[^1] why"


def test_changes_inside_a_note_are_read_by_policy() -> None:
    change = '<w:del w:id="1"><w:r><w:delText>5</w:delText></w:r></w:del>'
    data = document(p(runs=change + f'<w:ins w:id="2">{r("7")}</w:ins>{r(" EUR")}'))
    assert parse(data, "a.docx").text.endswith("[^1] 7 EUR")
    marked = parse(data, "a.docx", limits=Limits(tracked_changes="marked"))
    assert marked.text.endswith("[^1] [deleted: 5][inserted: 7] EUR")
