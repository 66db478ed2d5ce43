"""Bytes in many encodings, and what is refused."""

from __future__ import annotations

import codecs
from contextlib import suppress

import pytest

from knowledge.ingest.decoding import decode
from knowledge.ingest.preflight import Limits, Refused, Verdict, verdict_on
from tests.ingest.trees import read

LIMITS = Limits()
RUSSIAN = "Общие положения договора. Настоящий договор регулирует отношения."
SAMPLES = [
    ("Café déjà vu, naïve façade. Überraschung größer.", "latin-1"),
    ("Café", "cp1252"),
    ("Größe: 5 µm × 3 ± 2 °C, the area is 12 m².", "cp1252"),
    ("“Smart quotes” – it’s here. The price is 10 € now.", "cp1252"),
    ("The TAs of UMass use McGraw’s eBook – for the fee of 5 €.", "cp1252"),
    ("Señor ¿Qué tal? ¡Hola!", "latin-1"),
    ("Proszę przynieść klucze, które są w szafie. Dziękuję, również za pomoc.", "cp1250"),
    ("Zaměstnanec má nárok na dvacet pět dnů dovolené za rok.", "cp1250"),
    ("Žádost se podává vedoucímu nejpozději čtrnáct dní předem.", "iso8859_2"),
    ("Ďalšie informácie nájdete v príručke. Žiadosť sa podáva vedúcemu.", "cp1250"),
    ("Kérjük, őrizze meg a számlát, őszig. Az összeg öt napon belül jön a vezetőtől.", "cp1250"),
    ("Programul începe la ora opt şi se termină la ora cinci.", "cp1250"),
    ("Naknada za čišćenje iznosi sto eura. Đački popust čeka.", "cp1250"),
    ("Çalışanların yıllık izni yirmi gündür. Başvuru müdüre yapılır.", "cp1254"),
    ("Şirket, İstanbul’daki çalışanlarına öğle yemeği sağlar.", "cp1254"),
    ("Darbuotojas turi teisę į dvidešimt dienų atostogų.", "cp1257"),
    ("Það skal sækja um orlof hjá yfirmanni. Þetta er í lagi.", "cp1252"),
    ("Offices: Genève, Málaga, Bogotá, Köln, Zürich, São Paulo.", "cp1252"),
    ("La sede de Genève está en la región; el teléfono está en la página.", "cp1252"),
    ("Søren Kjær, André Müller, Zoë Núñez, Þórður Jónsson", "cp1252"),
    ("Le congé à Málaga et à Bogotá : très long, près de la société.", "cp1252"),
    ("החופשה היא עשרים ימים בשנה. הבקשה מוגשת למנהל.", "cp1255"),
    ("עובד זכאי ל-18 ימי חופשה. יש להגיש בקשה ב-Outlook.", "cp1255"),
    ("Ο εργαζόμενος δικαιούται άδεια. Η αίτηση υποβάλλεται στον προϊστάμενο.", "cp1253"),
    ("يحق للموظف الحصول على إجازة سنوية مدتها عشرون يوما.", "cp1256"),
    ("Служителят има право на двадесет дни отпуск. Ъгълът е свободен.", "cp1251"),
    ("Працівник має право на відпустку. Її подають щороку, підйом о шостій.", "cp1251"),
    (RUSSIAN, "cp1251"),
    (RUSSIAN, "koi8-r"),
    (RUSSIAN, "cp866"),
    ("ОБЩИЕ ПОЛОЖЕНИЯ ГОСТ Р 34.11 «Криптография»", "cp1251"),
    ("今天天气很好，我们去公园。", "gbk"),
    ("今天天氣很好，我們去公園。", "big5"),
    ("今日は天気がいいですね。公園へ行きましょう。", "shift_jis"),
    ("今日は天気がいいですね。公園へ行きましょう。", "euc_jp"),
    ("第一条　従業員は年次有給休暇を二十日まで取得することができる。", "euc_jp"),
    ("年休は二十日とする。", "euc_jp"),
    ("パスワードの変更はシステム管理者に依頼してください。", "euc_jp"),
    ("用Excel打开，PPT中。x和y的和。", "gbk"),
    ("公司员工每年有十五天年假，须提前两周申请。“の”是日文。", "gbk"),
    ("연차 휴가는 15일입니다. 제10조 ㄱ항을 보십시오.", "euc_kr"),
    ("안녕하세요 반갑습니다", "euc_kr"),
]

# Lines that one or two letters tell, for no word of Western Europe is spelt so.
SHORT = [
    ("hűtő ára", "cp1250"),
    ("A nevem Őrsi Győző, húsz éves vagyok.", "cp1250"),
    ("Idő: 5 nap", "iso8859_2"),
    ("KÖZGYŰLÉS", "cp1250"),
    ("Egyszerű", "iso8859_2"),
    ("Zaměstnanec má nárok na dovolenou.", "cp1250"),
    ("Příští týden", "iso8859_2"),
    ("Židle", "iso8859_2"),
    ("Kľúč je na stole.", "cp1250"),
    ("Mąka i masło", "cp1250"),
    ("Klucz leży na stole.", "iso8859_2"),
    ("Strona główna", "cp1250"),
    ("Odluka uprave važi odmah.", "iso8859_2"),
    ("Otroški vrtec", "iso8859_2"),
    ("Către conducere", "cp1250"),
    ("Değişiklik yok.", "cp1254"),
    ("Fiyatı 5 lira, ışık.", "cp1254"),
    ("Kapı kapalı", "iso8859_9"),
    ("SATIŞ", "cp1254"),
    ("Smēķēt aizliegts.", "cp1257"),
    ("Nuoširdžiai dėkoju", "cp1257"),
]
# And lines of Western Europe with the same letters.
SHORT_WESTERN = [
    "Lições e questões", "Milhões", "Irmã do João Simões", "Propõe-se alteração",
    "Sûr, mûr, flûte, août", "Il a dû partir.", "Il eût fallu que le délai fût prolongé.",
    "Õpetaja", "Kõik on korras.", "Nõukogu otsus", "Rõõm", "JÕUSTUMINE",
    "Íþróttir", "Þú og ég", "Þ", "Ný bók", "Atvinnuþátttaka", "VIÐ ERUM ÞAR", "Ský yfir Esju",
    "Rødgrød med fløde", "Kørsel", "Piqûre", "Città", "Perché no?", "Això és tot.",
    "Geïnteresseerd?", "Vóór acht uur", "Është mirë.", "Mr Nový joined in May.",
    "Guðrún and Tõnu met João in Mûrs.", "12 m² at 20 °C, ½ cup", "¹see below, café",
]  # fmt: skip


@pytest.mark.parametrize(("text", "encoding"), SHORT)
def test_a_few_letters_that_no_western_language_spells_so_tell_the_code_page(
    text: str, encoding: str
) -> None:
    assert decode(text.encode(encoding), LIMITS).text == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Umowa zostaje zawarta na czas nieokreślony.", "iso8859_2"),
        ("Łódź, dnia 5 maja Święta są dniami wolnymi. Książka leży na półce.", "iso8859_2"),
        (
            "Umowa zostaje zawarta na czas nieokreślony. Proszę zamknąć drzwi. Łódź, dnia 5 maja",
            "iso8859_2",
        ),
        ("Kull impjegat jingħata karta. L-uffiċċju jiftaħ fid-disgħa.", "iso8859_3"),
    ],
)
def test_letters_of_rare_code_pages_are_not_put_into_the_words_of_others(
    text: str, encoding: str
) -> None:
    assert decode(text.encode(encoding), LIMITS).text == text


@pytest.mark.parametrize("text", SHORT_WESTERN)
def test_short_western_text_stays_what_it_is(text: str) -> None:
    assert decode(text.encode("cp1252"), LIMITS).text == text


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "cp866"])
@pytest.mark.parametrize("times", [1, 2, 4, 8])
def test_russian_is_read_among_more_english(times: int, encoding: str) -> None:
    english = "Please save your data before you restart the server. " * times
    text = f"{english}Внимание: перед перезапуском сохраните данные. {english}"
    assert decode(text.encode(encoding), LIMITS).text == text


@pytest.mark.parametrize("times", [1, 8])
@pytest.mark.parametrize(
    "western", ["Letters such as äöüß and ÄÖÜ are allowed.", "ÄÄÄÄ GmbH", "Été à l’île, déjà créé."]
)
def test_accented_letters_side_by_side_among_english_stay_western(western: str, times: int) -> None:
    text = f"{western} " + "Please save your data before you restart the server. " * times
    assert decode(text.encode("cp1252"), LIMITS).text == text


@pytest.mark.parametrize(
    "data",
    [
        b"Name,Amount\0",
        b"hello\0",
        b"Report\0Travel,Cost\rx",
        "Отпуск\0а".encode(),
        "年假\0".encode(),
    ],
)
def test_a_stray_nul_makes_no_chinese_of_a_short_text(data: bytes) -> None:
    with suppress(Refused):
        assert decode(data, LIMITS).text == data.decode().replace("\0", "").replace("\r", "\n")


@pytest.mark.parametrize(("text", "encoding"), SAMPLES)
def test_text_in_an_older_encoding_is_read_and_the_guess_is_told(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding), LIMITS)
    assert decoded.text == text
    assert any("not UTF-8" in warning for warning in decoded.warnings)


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (b"", "utf-8"),
        (b"", "utf-16-le"),
        (b"", "utf-16-be"),
    ],
)
def test_unicode_is_read_with_and_without_a_mark_and_without_a_warning(
    mark: bytes, encoding: str
) -> None:
    decoded = decode(mark + "Plain words, é and 世界.".encode(encoding), LIMITS)
    assert decoded.text == "Plain words, é and 世界."
    assert decoded.warnings == ()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text",
    [
        RUSSIAN,
        "Отпуск\n\nКаждый работник имеет право на отпуск в 28 дней.",
        "一、总则\n\n员工每年有15天年假。一切费用由公司承担。\n",
        "今日は天気がいいですね。\n公園へ行きましょう。",
        "안녕하세요 반갑습니다",
        "שלום לכולם. החופשה היא 20 ימים.",
        "إجازة الموظف 21 يوما في السنة.",
        "Άδεια: 20 ημέρες τον χρόνο.",
        "GmbH & Co. Большой договор № 17, SL-420",
    ],
)
def test_utf16_without_a_mark_is_read_in_any_script(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding), LIMITS)
    assert (decoded.text, decoded.encoding) == (text, encoding)
    assert decoded.warnings == ()


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Course of the year:\n•\nWriting Center\n•\nLearning Center\n", "mac_roman"),
        ("Dates: 9 January – 12 June\nIt’s the teacher’s choice… “Really.”\n", "mac_roman"),
        ("Prüfung am Freitag\nÜbung: größer als 5 Äpfel\n", "mac_roman"),
        ("Общие положения\nСрок службы — десять лет\n", "mac_cyrillic"),
        ("Café déjà vu\n" + RUSSIAN, "utf-8"),
    ],
)
def test_text_of_an_old_macintosh_is_read(text: str, encoding: str) -> None:
    """Their programs ended lines in CR alone."""
    decoded = decode(text.replace("\n", "\r").encode(encoding), LIMITS)
    assert decoded.text == text


def test_newlines_are_folded_and_controls_removed() -> None:
    decoded = decode(b"a\r\nb\rc\fd\tx" + b"text " * 100 + b"e\x07", LIMITS)
    assert decoded.text.startswith("a\nb\nc\nd\tx")
    assert decoded.text.endswith("e")
    assert "1 invisible control" in decoded.warnings[0]


def test_a_few_damaged_bytes_in_utf8_are_shown_and_told() -> None:
    decoded = decode(("Общие положения " * 10).encode() + b"\xd0 \xff end", LIMITS)
    assert decoded.text.endswith("\ufffd \ufffd end")
    assert "2 damaged characters" in decoded.warnings[0]


@pytest.mark.parametrize(
    "text", ["Müller und Weiß", "Größe: 5 µm × 3", "Привет", "保修期", "Zażółć gęślą jaźń"]
)
@pytest.mark.parametrize("bad", [b"\xff", b"\xe9 x", b"\xc3"])
def test_a_short_utf8_text_with_one_bad_byte_stays_utf8(text: str, bad: bytes) -> None:
    decoded = decode(text.encode() + b" " + bad, LIMITS)
    assert decoded.text.startswith(f"{text} \ufffd")
    assert decoded.warnings == ("1 damaged character is shown as \ufffd.",)


@pytest.mark.parametrize(
    "characters",
    ["\u200b", "\ufeff", "\u2060", "\u00ad", "\u202a\u202c", "\u2066", "\u0301", "\u3164"],
)
def test_text_without_a_visible_character_is_empty(characters: str) -> None:
    for data in (characters.encode(), f"{characters}\n \n{characters}".encode()):
        with pytest.raises(Refused) as refused:
            read(data, "file.txt")
        assert refused.value.verdict == Verdict.EMPTY


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        (b"", Verdict.EMPTY),
        (b" \n\t\r\n ", Verdict.EMPTY),
        ("\ufeff\n".encode(), Verdict.EMPTY),
        (b"---\ntitle: x\n---\n", Verdict.EMPTY),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), Verdict.BINARY),
        (b"PK\x03\x04" + b"\0" * 40, Verdict.BINARY),
        (b"abc\0\0\0\0\1\2\3def", Verdict.BINARY),
        (bytes(range(256)) * 20, Verdict.BINARY),
        (bytes((n * n * 31 + n * 7) % 128 + 128 for n in range(400)), Verdict.BINARY),
    ],
)
def test_what_is_no_text_is_refused_with_a_sentence(data: bytes, verdict: Verdict) -> None:
    with pytest.raises(Refused) as refused:
        read(data, "file.md")
    assert refused.value.verdict == verdict
    assert refused.value.sentence.endswith(".")
    assert str(refused.value) == refused.value.sentence


@pytest.mark.parametrize("name", ["file.xyz", "file", "archive.tar.gz"])
def test_a_suffix_nobody_reads_is_refused_and_the_known_ones_named(name: str) -> None:
    with pytest.raises(Refused) as refused:
        read(b"text", name)
    assert refused.value.verdict == Verdict.UNSUPPORTED
    assert ".md" in refused.value.sentence


@pytest.mark.parametrize("limits", [Limits(max_bytes=50), Limits(max_chars=50)])
def test_a_file_beyond_the_limits_is_refused(limits: Limits) -> None:
    with pytest.raises(Refused) as refused:
        decode(b"word " * 20, limits)
    assert refused.value.verdict == Verdict.TOO_LARGE


def test_thirty_megabytes_of_one_line_are_refused_before_they_are_parsed() -> None:
    with pytest.raises(Refused) as refused:
        read(b"x" * 30_000_000)
    assert refused.value.verdict == Verdict.TOO_LARGE
    assert "12,000,000" in refused.value.sentence


def test_markdown_of_too_many_lines_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        read(b"a\n" * 300_001)
    assert refused.value.verdict == Verdict.TOO_LARGE


def test_a_long_document_without_headings_is_said_to_have_none() -> None:
    assert verdict_on(read("Words and more words. " * 1_000)) == Verdict.NO_HEADINGS
    assert verdict_on(read("# T\n\n" + "Words and more words. " * 1_000)) == Verdict.OK
    assert verdict_on(read("Short.")) == Verdict.OK


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        ("契約書は次のとおりです。\nHello", "iso2022_jp"),
        ("계약서는 다음과 같습니다.", "iso2022_kr"),
    ],
)
def test_text_in_the_escapes_of_mail_is_read(words: str, encoding: str) -> None:
    assert decode(words.encode(encoding), Limits()).text == words


def test_the_colours_of_a_terminal_are_no_escapes_of_an_encoding() -> None:
    log = b"\x1b[31mfailed\x1b[0m " + b"It costs 5 $B in all, says the log. " * 40
    assert decode(log, Limits()).encoding == "utf-8"
