"""What the samples do not say: policies, pictures, memory, and documents of other writers."""

from __future__ import annotations

import io
import tracemalloc

import docx as python_docx
import pytest
from docx.shared import Pt
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.ingest.flatten import flatten
from knowledge.ingest.parsers import parse
from knowledge.ingest.parsers.docx import pictures
from knowledge.ingest.preflight import Limits, Refused, TrackedChanges
from tests.ingest.docx.attacks import bomb, nested
from tests.ingest.docx.inlines import changed
from tests.ingest.docx.making import (
    PIXEL,
    bold,
    docx,
    item,
    numbering,
    p,
    picture,
    r,
    tbl,
    tc,
    textbox,
    tr,
)
from tests.ingest.docx.samples import SAMPLES
from tests.ingest.trees import assert_tree_is_sound, outline

MEGABYTE = 1024 * 1024


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        ("accepted", "The fee is $7m a year."),
        ("original", "The fee is $5m a year."),
        ("marked", "The fee is [deleted: $5m][inserted: $7m] a year."),
    ],
)
def test_a_tracked_change_is_read_by_policy(policy: TrackedChanges, text: str) -> None:
    document = parse(changed(), "fee.docx", limits=Limits(tracked_changes=policy))
    assert document.text == text


def test_the_picture_behind_each_figure_can_be_had() -> None:
    data = docx(
        p(runs=r(inside=picture("one"))) + tbl(tr(tc(p(runs=r(inside=picture("two")))), "x"))
        + p(runs=r(inside=picture("elsewhere", "none"))),
        {"word/media/image1.png": PIXEL},
    )  # fmt: skip
    assert outline(parse(data, "a.docx")) == [
        "figure: one",
        "table: | | | --- | | x |",
        "figure: two",
        "figure: elsewhere",
    ]
    assert pictures(data, Limits()) == (PIXEL, PIXEL, None)


def test_a_table_row_is_found_by_its_merged_headers() -> None:
    goes_on = tc(p(), "<w:vMerge/>")
    restart = '<w:vMerge w:val="restart"/>'
    wide = '<w:gridSpan w:val="2"/>'
    table = tbl(
        tr(tc(p("Region"), restart), tc(p("FY2021"), wide)),
        tr(goes_on, "USD m", "%"),
        tr("North", "1,234", "5"),
    )
    leaf = next(parse(docx(table), "t.docx").root.leaves())
    assert [row.text for row in leaf.rows] == ["North | FY2021, USD m: 1,234 | FY2021, %: 5"]


def test_a_label_of_rows_in_the_first_row_of_word_takes_none_into_the_header() -> None:
    restart = '<w:vMerge w:val="restart"/>'
    table = tbl(
        tr(tc(p("Morning"), restart), tc(p("Team"), '<w:gridSpan w:val="2"/>'), "Hours"),
        tr(tc(p(), "<w:vMerge/>"), "Ann", "Cook", "6"),
        tr("Late", "Cid", "Desk", "8"),
    )
    leaf = next(parse(docx(table), "t.docx").root.leaves())
    assert [row.text for row in leaf.rows] == [
        "Morning | Team: Ann | Team: Cook | Hours: 6",
        "Late | Team: Cid | Team: Desk | Hours: 8",
    ]


@pytest.mark.parametrize(("mark", "look"), [("<w:tblHeader/>", ""), ("", "<w:b/>")])
def test_two_header_rows_of_word_are_one_in_the_text(mark: str, look: str) -> None:
    def head(text: str, about: str = "") -> str:
        return tc(p(runs=r(text, look)), about)

    table = tbl(
        tr(head(""), head("Price", '<w:gridSpan w:val="2"/>'), about=mark),
        tr(head("Dish"), head("Staff"), head("Guests"), about=mark),
        tr(tc(p("From Monday on"), '<w:gridSpan w:val="3"/>')),
        tr("Soup", "2", "3"),
        tr("Bread", tc(p("free"), '<w:gridSpan w:val="2"/>')),
    )
    assert parse(docx(table), "t.docx").text.splitlines() == [
        "| Dish | Price, Staff | Price, Guests |",
        "| --- | --- | --- |",
        "| From Monday on |  |  |",
        "| Soup | 2 | 3 |",
        "| Bread | free | free |",
    ]


@pytest.mark.parametrize("strike", ["strike", "dstrike"])
def test_what_is_struck_out_in_word_is_no_part_of_the_text_and_that_is_told(strike: str) -> None:
    look = f"<w:{strike}/>"
    data = docx(
        p("The fee is ", runs=r("5 €", look) + r("7 €."))
        + item("one")
        + item("two").replace("<w:r>", f"<w:r><w:rPr>{look}</w:rPr>")
        + p("On", runs=r(" again", f'<w:{strike} w:val="0"/>'), about="")
        + item("three"),
        {"word/numbering.xml": numbering(("decimal", "%1."))},
    )
    document = parse(data, "a.docx")
    assert document.text == "The fee is 7 €.\n\n1. one\n\nOn again\n\n3. three"
    assert document.remarks == ("Struck-out text was left out.",)
    marked = parse(data, "a.docx", limits=Limits(tracked_changes="marked"))
    assert "The fee is [deleted: 5 €]7 €." in marked.text
    assert marked.remarks == ()


def test_what_a_style_or_a_note_strikes_out_is_left_out() -> None:
    styles = '<w:style w:type="character" w:styleId="Off"><w:rPr><w:strike/></w:rPr></w:style>'
    old = r("old ", '<w:rStyle w:val="Off"/>')
    note = p(runs=r("gone ", "<w:strike/>") + r("kept"))
    data = docx(
        p("A ", runs=old + r("new claim", inside='<w:footnoteReference w:id="2"/>')),
        {"word/footnotes.xml": f'<w:footnote w:id="2">{note}</w:footnote>'},
        styles=styles,
    )
    assert parse(data, "a.docx").text == "A new claim[^1]\n\n[^1] kept"


def test_a_cell_merged_over_rows_is_in_the_line_of_each() -> None:
    restart, goes_on = '<w:vMerge w:val="restart"/>', tc(p(), "<w:vMerge/>")
    table = tbl(
        tr("Site", "Unit", "Cost", about="<w:tblHeader/>"),
        tr(tc(p("Berlin"), restart), "A", "5"),
        tr(goes_on, "B", "7"),
    )
    document = parse(docx(table), "t.docx")
    leaf = next(document.root.leaves())
    assert [row.text for row in leaf.rows] == [
        "Berlin | Unit: A | Cost: 5",
        "Berlin | Unit: B | Cost: 7",
    ]
    assert document.text.endswith("| Berlin | A | 5 |\n| Berlin | B | 7 |")


@pytest.mark.parametrize(
    ("form", "labels"),
    [
        ("lowerRoman", ["i", "ii", "iii", "iv"]),
        ("upperLetter", ["A", "B", "C", "D"]),
        ("decimalZero", ["01", "02", "03", "04"]),
        ("ordinal", ["1st", "2nd", "3rd", "4th"]),
        ("russianLower", ["а", "б", "в", "г"]),
        ("chineseCounting", ["一", "二", "三", "四"]),
    ],
)
def test_items_count_in_the_form_their_list_says(form: str, labels: list[str]) -> None:
    data = docx(item("x") * 4, {"word/numbering.xml": numbering((form, "%1)"))})
    text = parse(data, "a.docx").text
    assert text.splitlines() == [f"{label}) x" for label in labels]


def test_a_list_is_not_cut_by_the_footnote_of_an_item() -> None:
    note = item("one").replace("</w:p>", r(inside='<w:footnoteReference w:id="2"/>') + "</w:p>")
    data = docx(
        note + item("two"),
        {
            "word/numbering.xml": numbering(("decimal", "%1.")),
            "word/footnotes.xml": f'<w:footnote w:id="2">{p("why")}</w:footnote>',
        },
    )
    assert outline(parse(data, "a.docx")) == ["list: 1. one[^1] 2. two", "paragraph: [^1] why"]


def test_a_chapters_number_belongs_to_its_heading_but_not_to_its_title() -> None:
    document = parse(SAMPLES["publisher_template"][0](), "a.docx")
    assert document.title == "Errors"
    assert document.root.heading is not None
    assert document.root.heading.of(document.text) == "9\nErrors"


def test_a_damaged_part_besides_the_text_costs_a_warning_only() -> None:
    data = docx(p("text"), {"word/charts/x.xml": b""}, styles="<broken>")
    document = parse(data, "a.docx")
    assert document.text == "text"
    assert "styles.xml" in document.warnings[0]


def test_a_bomb_of_a_gigabyte_is_refused_long_before_it_is_in_memory() -> None:
    data = bomb()
    tracemalloc.start()
    with pytest.raises(Refused):
        parse(data, "bomb.docx")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 160 * MEGABYTE


def test_tables_nested_as_deep_as_markup_may_be_lose_no_word() -> None:
    assert "core" in parse(docx(nested(70)), "deep.docx").text


def test_a_document_with_macros_is_read_without_them() -> None:
    data = docx(p("text"), {"word/vbaProject.bin": b"evil"})
    assert parse(data, "a.docm").text == "text"


def test_the_old_format_is_refused_with_what_to_do() -> None:
    with pytest.raises(Refused) as refusal:
        parse(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.doc")
    assert "save it as .docx" in refusal.value.sentence


def test_a_document_of_another_writer_is_read() -> None:
    written = python_docx.Document()
    written.add_heading("Report", 0)
    written.add_heading("Findings", 1)
    written.add_paragraph("All is well.")
    written.add_paragraph("first", style="List Number")
    written.add_paragraph("second", style="List Number")
    written.add_heading("Money", 2)
    table = written.add_table(rows=2, cols=3)
    for number, word in enumerate(["Year", "Income", "Cost", "2020", "5", "7"]):
        table.cell(number // 3, number % 3).text = word
    buffer = io.BytesIO()
    written.save(buffer)
    document = parse(buffer.getvalue(), "file.docx")
    assert document.title == "Report"
    assert outline(document) == [
        "# Findings",
        "  paragraph: All is well.",
        "  list: 1. first 2. second",
        "  # Money",
        "    table: | Year | Income | Cost | | --- | --- | --- | | 2020 | 5 | 7 |",
    ]


def test_large_lines_are_headings_when_no_style_is_set() -> None:
    written = python_docx.Document()
    for title in ("Goals", "Means"):
        run = written.add_paragraph().add_run(title)
        run.font.size = Pt(18)
        written.add_paragraph("Words of prose that go on for a while, and then they end.")
    buffer = io.BytesIO()
    written.save(buffer)
    lines = outline(parse(buffer.getvalue(), "file.docx"))
    assert [line for line in lines if line.startswith("#")] == ["# Goals", "# Means"]


class Words:
    """Words that are all different, so that each can be looked for."""

    def __init__(self) -> None:
        self.used: list[str] = []
        self.merged: list[str] = []

    def next(self) -> str:
        """Return a new word."""
        self.used.append(f"w{len(self.used)}x")
        return self.used[-1]


SHAPES = st.recursive(
    st.sampled_from(["p", "h1", "h2", "item", "bold", "ins", "link", "note", "title", "code"]),
    lambda inner: st.tuples(
        st.sampled_from(["tbl", "merged", "box", "sdt", "frame"]), st.lists(inner, max_size=4)
    ),
    max_leaves=25,
)


def written(shape: object, words: Words, notes: list[str]) -> str:
    """Return the blocks of a shape, with new words."""
    if isinstance(shape, tuple):
        return _holding(shape[0], [written(part, words, notes) for part in shape[1]], words)
    if shape == "note":
        notes.append(p(words.next()))
        reference = f'<w:footnoteReference w:id="{len(notes) + 1}"/>'
        return p(words.next(), runs=r(inside=reference))
    word = words.next()
    return {
        "h1": p(word, "Heading1"),
        "h2": p(word, "Heading2"),
        "title": p(word, "Title"),
        "code": p(word, "Code"),
        "item": item(word),
        "bold": bold(word),
        "ins": p(runs=f'<w:ins w:id="1" w:author="A">{r(word)}</w:ins>'),
        "link": p(runs=f"<w:hyperlink>{r(word)}</w:hyperlink>"),
    }.get(str(shape), p(word))


def _holding(kind: str, inside: list[str], words: Words) -> str:
    blocks = "".join(inside)
    if kind == "box":
        return p(words.next(), runs=r(inside=textbox(blocks or p())))
    if kind == "sdt":
        return f"<w:sdt><w:sdtContent>{blocks}</w:sdtContent></w:sdt>"
    if kind == "frame":
        return tbl(tr(tc(blocks + p())))
    cells = [tc(block + p()) for block in inside]
    if kind == "tbl":
        return tbl(tr(*cells, words.next()), tr(words.next()))
    words.merged.append(words.next())
    wide = tc(p(words.merged[-1]), '<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/>')
    goes_on = tc(p(), '<w:gridSpan w:val="2"/><w:vMerge/>')
    return tbl(tr(wide, *cells), tr(goes_on, words.next(), words.next()))


@given(shapes=st.lists(SHAPES, min_size=1, max_size=12))
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_every_visible_word_is_in_a_leaf_or_a_heading_once(shapes: list[object]) -> None:
    words, notes = Words(), list[str]()
    body = "".join(written(shape, words, notes) for shape in shapes)
    found = "".join(
        f'<w:footnote w:id="{number}">{note}</w:footnote>' for number, note in enumerate(notes, 2)
    )
    parts = {"word/footnotes.xml": found, "word/numbering.xml": numbering(("decimal", "%1."))}
    data = docx(body, parts)
    if not words.used:
        with pytest.raises(Refused):
            parse(data, "a.docx")
        return
    document = parse(data, "a.docx")
    assert_tree_is_sound(document, flatten(document))
    spans = [leaf.span for leaf in document.root.leaves()]
    sections = [document.root, *document.root.sections()]
    spans += [section.heading for section in sections if section.heading]
    covered = " ".join(span.of(document.text) for span in spans)
    for word in words.used:
        # Of the four places of a merged cell.
        assert 1 <= covered.count(word) <= (4 if word in words.merged else 1)
