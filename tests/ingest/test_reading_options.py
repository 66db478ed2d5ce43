"""The options of reading: which are valid, what they make of a file, and what is told of it."""

from __future__ import annotations

import pytest

from knowledge.ingest.ocr import Tesseract, installed_languages
from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits, Refused, TrackedChanges, Verdict
from knowledge.ingest.reading_options import ReadingOptions
from knowledge.ingest.sandbox import parse as parse_in_sandbox
from tests.ingest.docx.making import docx, p, tbl, tr
from tests.ingest.pdf import builders
from tests.ingest.pdf.drawing import PROSE, Sheet


def scan() -> bytes:
    """Return a page that is the picture of a paragraph."""
    source, sheet = Sheet(), Sheet()
    source.prose(size=12)
    sheet.page.insert_image(sheet.page.rect, pixmap=source.page.get_pixmap(dpi=200))
    return sheet.bytes()


def fee() -> bytes:
    """Return a document in which $5m became $7m and a row came into a table."""
    old = '<w:del w:id="1"><w:r><w:delText>$5m</w:delText></w:r></w:del>'
    new = '<w:ins w:id="2"><w:r><w:t>$7m</w:t></w:r></w:ins>'
    row = tr("new").replace("<w:tr>", '<w:tr><w:trPr><w:ins w:id="3"/></w:trPr>', 1)
    assert "w:trPr" in row
    return docx(p("The fee is ", runs=old + new) + tbl(tr("old"), row))


def test_without_a_choice_files_are_read_as_they_always_were() -> None:
    limits = Limits(timeout_s=7, max_bytes=70)
    assert ReadingOptions().within(limits) == limits


def test_who_reads_thoroughly_gets_the_time_that_it_takes() -> None:
    limits = Limits(timeout_s=120, max_layout_pages=300)
    assert ReadingOptions(parse_mode="thorough").within(limits).timeout_s == 120 + 450


@pytest.mark.parametrize(
    "languages", ["", "e", "../eng", "eng+", "eng deu", "eng+" * 5 + "deu", "a/b"]
)
def test_languages_that_are_no_names_are_refused(languages: str) -> None:
    with pytest.raises(ValueError, match="does not name languages"):
        ReadingOptions(ocr_languages=languages)


@pytest.mark.parametrize("languages", ["eng", "deu+fra", "chi_sim", "chi_sim+eng+deu+fra+ita"])
def test_names_of_tesseract_are_languages(languages: str) -> None:
    assert ReadingOptions(ocr_languages=languages).ocr_languages == languages


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ("accepted", "Tracked changes: 2 insertions kept, 1 deletion left out."),
        (
            "original",
            "Tracked changes: the text before them; 1 deletion undone, 2 insertions left out.",
        ),
        ("marked", "Tracked changes: 2 insertions and 1 deletion are marked in the text."),
    ],
)
def test_what_became_of_tracked_changes_is_told(policy: TrackedChanges, told: str) -> None:
    assert parse(fee(), "fee.docx", limits=Limits(tracked_changes=policy)).remarks == (told,)


def test_the_layout_model_is_mentioned_where_it_was_asked() -> None:
    data = builders.headings_by_size()
    fast, thorough = (
        parse_in_sandbox(data, "a.pdf", limits=ReadingOptions(parse_mode=mode).within(Limits()))
        for mode in ("fast", "thorough")
    )
    assert fast.remarks == ()
    assert "layout model" in " ".join(thorough.remarks)
    assert thorough.warnings == ()


def test_pages_that_the_layout_model_did_not_look_at_are_told_of() -> None:
    data = builders.many_pages_without_headings()
    limits = Limits(ocr="off", parse_mode="thorough", max_layout_pages=2)
    told = " ".join(parse(data, "a.pdf", limits=limits).warnings)
    assert "The layout model looked at the first 2 pages" in told


def test_the_language_of_ocr_is_told_and_one_without_its_file_is_left_out() -> None:
    assert "eng" in installed_languages()
    assert "osd" not in installed_languages()
    document = parse(scan(), "scan.pdf", limits=Limits(ocr_languages="xyz+eng"))
    assert PROSE[1] in document.text
    assert document.remarks == ("Language of OCR: English.",)
    assert Tesseract("/no-such-folder").known(["deu"]) == ["eng"]


def test_a_scan_that_may_not_be_read_says_that_ocr_is_off() -> None:
    with pytest.raises(Refused, match="Switch OCR on in the settings of the base") as refusal:
        parse(scan(), "scan.pdf", limits=Limits(ocr="off"))
    assert refusal.value.verdict is Verdict.SCANNED
    half = parse(builders.first_page_text_second_page_scan(), "a.pdf", limits=Limits(ocr="off"))
    assert half.unread_pages == (2,)
    assert "OCR is off in the settings of the base" in " ".join(half.warnings)
