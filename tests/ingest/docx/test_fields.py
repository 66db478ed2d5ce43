"""Fields that keep no result, since what Word shows is in their instruction."""

from __future__ import annotations

import pytest

from knowledge.ingest.parsers import parse
from tests.ingest.docx.making import docx, field, p, r

FIELDS = {
    r"EQ \f(1,2)": "1/2",
    r"EQ 3\f(1,2)": "3 1/2",
    r"eq \f(1,5;2)": "(1,5)/2",
    r"EQ \r(3,x)": "(x)^(1/3)",
    r"EQ \r(\f(a+b,2))": "√((a+b)/2)",
    r"EQ x\s\up6(2)": "x^2",
    r"EQ H\s\do4(2)O": "H_2 O",
    r"EQ \b\bc\[(\f(1,2))": "[1/2]",
    r"EQ \a\al\co2(1,2,3,4)": "1; 2; 3; 4",
    r"EQ \i\su(1,5,n)": "∫_1^5 n",
    r"EQ f(x)\,y": "f(x),y",
    r'EQ \* jc2 \* "Font:MS Mincho" \* hps10 \o\ad(\s\up 9(とう),東)': "東(とう)",
    r"EQ \* jc0 \* hps12 \o(\s\up 11(kan),K)": "K(kan)",
    r"EQ \f(1,2) \* MERGEFORMAT": "1/2",
    r"EQ x\s\up 6(2)": "x^2",
    r"EQ 2\*3": "2*3",
    r"EQ \f(1,2": "1/2",
    r'SYMBOL 163 \f "Symbol" \s 12': "≤",
    r"SYMBOL 0xFC \f Wingdings": "✓",
}


@pytest.mark.parametrize("instruction", FIELDS)
def test_what_an_instruction_shows_is_read_where_no_result_is_kept(instruction: str) -> None:
    bare = field(instruction, "").replace('<w:fldChar w:fldCharType="separate"/>', "")
    simple = f"<w:fldSimple w:instr='{instruction}'/>"
    text = f"Take {FIELDS[instruction]} cup"
    for runs in (bare, field(instruction, ""), simple):
        data = docx(p("Take ", runs=runs + r(" cup")))
        assert parse(data, "a.docx").text == text
    kept = docx(p("Take ", runs=field(instruction, "half") + r(" cup")))
    assert parse(kept, "a.docx").text == "Take half cup"


def test_an_instruction_nested_as_deep_as_a_file_likes_loses_no_word() -> None:
    deep = "EQ " + r"\f(" * 900 + "core" + ",2)" * 900
    assert "core" in parse(docx(p("Take ", runs=field(deep, ""))), "a.docx").text


def test_other_fields_without_a_result_show_nothing() -> None:
    data = docx(p("a", runs=field("PAGEREF EQ_1", "") + r("b")))
    assert parse(data, "a.docx").text == "ab"
