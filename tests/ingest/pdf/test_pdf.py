"""What the parser promises beside the tree: warnings, boxes, pictures, quotes, memory, OCR."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pymupdf
import pytest

from knowledge.ingest import sandbox
from knowledge.ingest.ocr import OcrWord, find_engine
from knowledge.ingest.parsers import parse
from knowledge.ingest.parsers.pdf import figures, quote_boxes
from knowledge.ingest.parsers.pdf import parse as parse_pdf
from knowledge.ingest.parsers.pdf.letters import is_garbled
from knowledge.ingest.parsers.pdf.rtl import reversed_line
from knowledge.ingest.preflight import Limits, Refused, Verdict, verdict_on
from knowledge.ingest.tree import NodeKind
from tests.ingest.pdf import builders, outline_builders, samples
from tests.ingest.pdf.drawing import LONG_PROSE, PROSE, Sheet, grey_image
from tests.ingest.trees import outline

NO_OCR = Limits(ocr="off")


def test_a_partly_scanned_file_names_its_pages() -> None:
    document = parse(builders.first_page_text_second_page_scan(), "a.pdf", limits=NO_OCR)
    assert verdict_on(document) is Verdict.PARTLY_SCANNED
    assert document.unread_pages == (2,)
    assert any(": 2;" in warning for warning in document.warnings)


def test_a_repaired_file_says_so() -> None:
    document = parse(builders.truncated(), "a.pdf", limits=NO_OCR)
    assert any("repaired" in warning for warning in document.warnings)


def test_pages_that_stand_in_for_sections_are_mentioned() -> None:
    document = parse(builders.many_pages_without_headings(), "a.pdf", limits=NO_OCR)
    assert verdict_on(document) is Verdict.NO_HEADINGS
    assert any("every page" in warning for warning in document.warnings)


def test_a_password_is_asked_for_by_name() -> None:
    with pytest.raises(Refused, match="needs a password"):
        parse(builders.user_password(), "a.pdf")


def test_too_many_pages_are_refused() -> None:
    with pytest.raises(Refused) as refusal:
        parse(builders.many_pages_without_headings(), "a.pdf", limits=Limits(max_pages=20))
    assert refusal.value.verdict is Verdict.TOO_LARGE


def test_too_many_characters_are_refused() -> None:
    with pytest.raises(Refused) as refusal:
        parse(builders.many_pages_without_headings(), "a.pdf", limits=Limits(max_chars=1000))
    assert refusal.value.verdict is Verdict.TOO_LARGE


def test_boxes_are_those_of_the_displayed_page() -> None:
    upright = parse(builders.owner_password(), "a.pdf", limits=NO_OCR)
    rotated = parse(builders.rotated_page(), "a.pdf", limits=NO_OCR)
    _, x0, y0, x1, y1 = next(upright.root.leaves()).boxes[0]
    assert x1 - x0 > y1 - y0
    _, x0, y0, x1, y1 = next(rotated.root.leaves()).boxes[0]
    assert y1 - y0 > x1 - x0
    assert 0 < x0 < x1 < 842
    assert 0 < y0 < y1 < 595


def test_a_sentence_over_two_pages_has_a_box_on_each() -> None:
    document = parse(builders.sentence_over_two_pages(), "a.pdf", limits=NO_OCR)
    assert [box[0] for box in next(document.root.leaves()).boxes] == [1, 2]


def test_rows_of_a_table_carry_their_header() -> None:
    document = parse(builders.table_over_two_pages(), "a.pdf", limits=NO_OCR)
    table = next(leaf for leaf in document.root.leaves() if leaf.kind is NodeKind.TABLE)
    assert [row.text for row in table.rows] == [
        "Tea | 2021: 10 | 2022: 12",
        "Coffee | 2021: 7 | 2022: 9",
        "Cocoa | 2021: 3 | 2022: 4",
        "Mate | 2021: 1 | 2022: 2",
    ]
    assert [row.span.of(document.text) for row in table.rows][3] == "| Mate | 1 | 2 |"
    assert [box[0] for box in table.boxes] == [1, 2]


def test_a_heading_stands_where_its_bookmark_leads_by_name() -> None:
    sheet = Sheet()
    for title in ("Results", "Budget", "Results", "Outlook"):
        sheet.line(title)
        sheet.prose()
    document, catalog = sheet.document, sheet.document.pdf_catalog()
    document.set_toc([[1, "Results", 1], [1, "Outlook", 1]])
    top = sheet.page.search_for("Results")[0].y0
    place = f"[{sheet.page.xref} 0 R /XYZ 72 {842 - top} 0]"
    document.xref_set_key(catalog, "Names", f"<</Dests <</Names [(first) {place}]>>>>")
    item = int(document.xref_get_key(catalog, "Outlines/First")[1].split()[0])
    document.xref_set_key(item, "A", "<</S/GoTo/D(first)>>")
    parsed = parse(sheet.bytes(), "a.pdf", limits=NO_OCR)
    sections = list(parsed.root.sections())
    assert [section.title for section in sections] == ["Results", "Outlook"]
    assert sections[0].span.start < parsed.text.index("Budget")


def test_rows_of_cells_far_apart_keep_their_lines() -> None:
    document = parse(outline_builders.short_page_with_sections(), "a.pdf", limits=NO_OCR)
    assert "E01 The tank is empty\nE05 A unit is blocked" in document.text


def test_a_figure_comes_with_its_picture_and_caption() -> None:
    found = figures(builders.figure_with_caption(), limits=NO_OCR, most_pixels=10_000)
    assert [(figure.page, figure.caption) for figure in found] == [
        (1, "Figure 3: The harvest of five years.")
    ]
    pixmap = pymupdf.Pixmap(found[0].png)
    assert 1_000 < pixmap.width * pixmap.height <= 10_500


def test_a_quote_has_one_box_per_line() -> None:
    boxes = quote_boxes(
        builders.owner_password(), 1, f"{PROSE[0][-20:]} {PROSE[1][:30]}", limits=NO_OCR
    )
    assert len(boxes) == 2
    assert boxes[0][3] <= boxes[1][3]
    assert boxes[0][0] > boxes[1][0]


def test_a_quote_is_found_across_a_hyphen() -> None:
    boxes = quote_boxes(builders.hyphens_at_line_ends(), 1, "The international body", limits=NO_OCR)
    assert len(boxes) == 2


def test_a_quote_that_is_not_there_has_no_box() -> None:
    data = builders.owner_password()
    assert quote_boxes(data, 1, "Something else entirely was said", limits=NO_OCR) == ()
    assert quote_boxes(data, 7, PROSE[0], limits=NO_OCR) == ()


def test_hebrew_that_is_in_order_is_left_alone() -> None:
    assert reversed_line(builders.HEBREW[::-1]) == builders.HEBREW
    assert reversed_line("2020 תנש") == "שנת 2020"
    assert builders.HEBREW in parse(builders.hebrew_in_order(), "a.pdf", limits=NO_OCR).text


@pytest.mark.parametrize(
    "text",
    [
        LONG_PROSE,
        "Комитет собрался холодным утром и обсудил бюджет строка за строкой. " * 20,
        "委员会在一个寒冷的早晨开会，逐项讨论了预算，大家都认为这些数字是对的。" * 20,
        "1,204 33.5 % 2021 -- 17 (4) 99.1 " * 60,
        "def read(self, path: str) -> bytes: return open(path, 'rb').read()  # kind\n" * 20,
        "AB-1204-X QZ-7 WX-88 KJ-91 " * 60,
    ],
)
def test_real_text_and_numbers_and_code_are_not_garbled(text: str) -> None:
    assert not is_garbled(text)


# Written for these tests; each says the same of a lease.
IN_OTHER_LANGUAGES = {
    "Tagalog": "Ang kasulatan ng pag-upa ay tatagal nang limang taon mula sa unang araw ng Enero."
    " Babayaran ng umuupa ang renta bago sumapit ang ikasampu ng bawat buwan. Ang may-ari ng bahay"
    " ang bahala sa pagpapaayos ng bubong at mga bintana. Kailangang ipaalam ang pag-alis tatlong"
    " buwan bago ito mangyari. Hindi maaaring mag-alaga ng aso o pusa nang walang pahintulot. Ang"
    " anumang pagtatalo ay pag-uusapan muna ng magkabilang panig bago dalhin sa hukuman. Lahat ng"
    " pagbabago ay dapat nakasulat at nilagdaan ng dalawa.",
    "Kazakh": "Жалдау шарты бес жылға жасалды және бірінші қаңтардан бастап күшіне енеді. Жалға"
    " алушы ақыны әр айдың оныншы күніне дейін төлеуі керек. Үй иесі шатыр мен терезелерді"
    " жөндеуге жауапты болады. Көшетін адам үш ай бұрын хабарлауы тиіс. Рұқсат алмай ит немесе"
    " мысық ұстауға болмайды. Кез келген дауды тараптар алдымен өзара талқылайды, содан кейін ғана"
    " сотқа жүгінеді. Барлық өзгерістер жазбаша түрде енгізіліп, екі жақтан да қол қойылады.",
    "Mongolian": "Түрээсийн гэрээ таван жил үргэлжилж, нэгдүгээр сарын нэгнээс эхэлнэ. Түрээслэгч"
    " төлбөрөө сар бүрийн арваны өдрөөс өмнө төлөх ёстой. Байшингийн эзэн дээвэр болон цонхыг засаж"
    " өгнө. Нүүж гарах хүн гурван сарын өмнө мэдэгдэх үүрэгтэй. Зөвшөөрөлгүйгээр нохой, муур"
    " тэжээхийг хориглоно. Маргаан гарвал хоёр тал эхлээд хоорондоо ярилцаж, дараа нь шүүхэд"
    " хандана. Бүх өөрчлөлтийг бичгээр хийж, хоёр тал гарын үсэг зурна.",
    "Vietnamese": "Hợp đồng thuê nhà kéo dài năm năm kể từ ngày đầu tháng giêng. Người thuê trả"
    " tiền trước ngày mười mỗi tháng. Chủ nhà lo sửa mái và các cửa sổ. Ai muốn dọn đi thì phải"
    " báo trước ba tháng. Không được nuôi chó hoặc mèo khi chưa có sự đồng ý. Nếu xảy ra tranh"
    " cãi, hai bên sẽ nói chuyện với nhau trước rồi mới đưa ra tòa. Mọi thay đổi đều cần viết"
    " thành văn bản, có chữ ký của cả hai người. Bản này được in làm hai bản, mỗi bên giữ một.",
    "Sorani": "گرێبەستی کرێ بۆ ماوەی پێنج ساڵە و لە یەکەم ڕۆژی مانگی یەکەوە دەست پێدەکات. کرێچی"
    " دەبێت پێش دەیەمی هەموو مانگێک پارەکە بدات. خاوەن ماڵ بەرپرسە لە چاککردنەوەی سەربان و"
    " پەنجەرەکان. ئەوەی دەیەوێت بڕوات سێ مانگ پێشتر ئاگادار دەکاتەوە. بەبێ مۆڵەت نابێت سەگ یان"
    " پشیلە ڕابگیرێت. هەر ناکۆکییەک سەرەتا لە نێوان هەردوو لادا گفتوگۆی لەسەر دەکرێت، پاشان دەچێتە"
    " دادگا. هەموو گۆڕانکارییەک بە نووسین دەبێت و هەردوولا واژووی دەکەن.",
}


@pytest.mark.parametrize("language", IN_OTHER_LANGUAGES)
def test_languages_without_a_table_of_letters_are_text(language: str) -> None:
    assert not is_garbled(IN_OTHER_LANGUAGES[language])


@pytest.mark.parametrize(
    "text", [LONG_PROSE, *(IN_OTHER_LANGUAGES[name] for name in ("Tagalog", "Kazakh"))]
)
def test_letters_that_are_all_one_further_are_no_text(text: str) -> None:
    found = sorted({letter for letter in text.lower() if letter.isalpha()})
    further = str.maketrans(dict(zip(found, [*found[1:], found[0]], strict=True)))
    assert is_garbled(text.lower().translate(further))


@pytest.mark.parametrize("lost", ["\0\0", "\x02", "\u200b"])
def test_a_font_that_loses_a_letter_everywhere_is_garbled_and_one_without_a_ligature_is_not(
    lost: str,
) -> None:
    assert is_garbled(LONG_PROSE.replace("i", lost))
    words = LONG_PROSE.replace("right", "f" + lost + "ne", 2)
    assert not is_garbled(words)


def test_the_layout_model_finds_headings_too() -> None:
    document = parse(
        builders.headings_by_size(), "a.pdf", limits=Limits(ocr="off", parse_mode="thorough")
    )
    assert [section.title for section in document.root.sections()] == ["The soil", "The climate"]


def test_a_file_is_read_in_the_sandbox_with_ocr() -> None:
    source = Sheet()
    source.prose(size=12)
    sheet = Sheet()
    sheet.page.insert_image(sheet.page.rect, pixmap=source.page.get_pixmap(dpi=200))
    document = sandbox.parse(sheet.bytes(), "scan.pdf")
    assert PROSE[1] in document.text


class FakeEngine:
    """Reads the same two lines from every page, and remembers the pictures it saw."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []

    def __call__(self, page_png: bytes, languages: Sequence[str]) -> Sequence[OcrWord]:
        pixmap = pymupdf.Pixmap(page_png)
        self.sizes.append((pixmap.width, pixmap.height))
        return (
            OcrWord("Read", (200, 300, 300, 330)),
            OcrWord("by", (310, 300, 340, 330)),
            OcrWord("machine.", (350, 300, 480, 330)),
        )


def test_only_pages_that_need_it_are_read_by_ocr() -> None:
    engine = FakeEngine()
    data = builders.first_page_text_second_page_scan()
    document = parse_pdf(data, "a.pdf", Limits(), ocr=engine)
    assert len(engine.sizes) == 1
    assert outline(document) == [samples.PARAGRAPH, "paragraph: Read by machine."]
    leaf = list(document.root.leaves())[1]
    assert leaf.page == 2
    assert leaf.boxes == ((2.0, 72.0, 108.0, 172.8, 118.8),)
    assert verdict_on(document) is Verdict.OK
    assert any("OCR" in warning for warning in document.warnings)


def test_no_more_pages_are_read_than_allowed() -> None:
    engine = FakeEngine()
    data = builders.four_hundred_image_pages()
    document = parse_pdf(data, "a.pdf", Limits(max_ocr_pages=3), ocr=engine)
    assert len(engine.sizes) == 3
    assert len(document.unread_pages) == 397


def test_a_large_page_is_drawn_small_for_ocr() -> None:
    sheet = Sheet(width=14_400, height=14_400)
    sheet.page.insert_image(sheet.page.rect, stream=grey_image())
    engine = FakeEngine()
    parse_pdf(sheet.bytes(), "a.pdf", Limits(), ocr=engine)
    assert [width * height <= 8_100_000 for width, height in engine.sizes] == [True]


def test_tesseract_reads_a_scanned_page() -> None:
    source = Sheet()
    source.prose(size=12)
    pixmap = source.page.get_pixmap(dpi=200)
    sheet = Sheet()
    sheet.page.insert_image(sheet.page.rect, pixmap=pixmap)
    assert find_engine() is not None
    document = parse(sheet.bytes(), "scan.pdf")
    assert PROSE[1] in document.text
    assert document.unread_pages == ()


MEMORY = """
import resource, sys
from pathlib import Path
from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits, Refused
resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20))
try:
    parse(sys.stdin.buffer.read(), "a.pdf", limits=Limits(ocr="off"))
except Refused as refusal:
    print(refusal.verdict)
# Not ru_maxrss: that counts the memory of whoever started this process, too.
status = Path("/proc/self/status").read_text()
print(status.partition("VmHWM:")[2].split()[0], file=sys.stderr)
"""


@pytest.mark.parametrize("name", ["four_hundred_image_pages", "huge_page_box"])
def test_pictures_are_not_drawn_to_be_judged(name: str) -> None:
    build, expected = samples.SAMPLES[name]
    ran = subprocess.run(
        [sys.executable, "-c", MEMORY], input=build(), capture_output=True, check=True, timeout=120
    )
    assert ran.stdout.decode().strip() == (expected if isinstance(expected, str) else "")
    assert int(ran.stderr.split()[-1]) < 700 * 1024


def test_a_lettered_annex_stands_beside_the_numbered_sections() -> None:
    sheet = Sheet()
    for title in ("1 Scope", "2 Terms", "A. Annex"):
        sheet.heading(title)
        sheet.prose()
    found = outline(parse(sheet.bytes(), "a.pdf", limits=NO_OCR))
    assert [line for line in found if "#" in line] == ["# 1 Scope", "# 2 Terms", "# A. Annex"]
