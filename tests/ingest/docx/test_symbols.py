"""Signs of the fonts of symbols, which mean something in a document."""

from __future__ import annotations

import pytest

from knowledge.ingest.parsers import parse
from tests.ingest.docx.making import docx, p, r

SIGNS = [
    ("Wingdings 2", "504F5253", "✓✗☑☒"),
    ("Wingdings", "FCFBFEFD", "✓✗☑☒"),
    ("Wingdings", "818CE0DF", "①❶→←"),
    ("Wingdings 2", "6A76", "①❷"),
    ("Wingdings 3", "2270", "→▲"),
    ("Webdings", "6172", "✓✗"),
    ("Symbol", "A2B2DBD7C6245EA0", "′″⇔⋅∅∃⊥€"),
    ("Symbol", "A3B1CECF2D6D", "≤±∈∉−μ"),
]


@pytest.mark.parametrize(("font", "codes", "signs"), SIGNS)
def test_a_sign_is_the_one_its_font_shows(font: str, codes: str, signs: str) -> None:
    written = [codes[place : place + 2] for place in range(0, len(codes), 2)]
    symbols = "".join(f'<w:sym w:font="{font}" w:char="F0{code}"/>' for code in written)
    private = "".join(chr(0xF000 + int(code, 16)) for code in written)
    look = f'<w:rFonts w:ascii="{font}" w:hAnsi="{font}"/>'
    data = docx(p("x", runs=r(inside=symbols)) + p("x", runs=r(private, look)))
    assert parse(data, "a.docx").text == f"x{signs}\n\nx{signs}"


def test_plain_letters_in_a_font_of_symbols_are_its_signs() -> None:
    def look(font: str) -> str:
        return f'<w:rFonts w:ascii="{font}" w:hAnsi="{font}"/>'

    data = docx(
        p("5 ", runs=r("m", look("Symbol")) + r("g ") + r("ü", look("Wingdings")) + r(" 3 m"))
    )
    assert parse(data, "a.docx").text == "5 μg ✓ 3 m"


def test_a_font_of_text_that_is_called_like_one_of_symbols_keeps_its_letters() -> None:
    look = '<w:rFonts w:ascii="Symbola" w:hAnsi="Symbola"/>'
    assert parse(docx(p("Said in ", runs=r("plain text", look))), "a.docx").text == (
        "Said in plain text"
    )
