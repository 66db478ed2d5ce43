"""Equations of Word in a line: no number of theirs may read as another one."""

from __future__ import annotations

import pytest

from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits, TrackedChanges
from tests.ingest.docx.making import docx, p, r


def run(text: str, look: str = "") -> str:
    """Return a run of an equation."""
    about = f"<w:rPr>{look}</w:rPr>" if look else ""
    return f"<m:r>{about}<m:t>{text}</m:t></m:r>"


def built(name: str, about: str = "", **parts: str) -> str:
    """Return a structure of an equation with its parts, each a text or runs."""
    inside = "".join(
        f"<m:{part}>{text if text.startswith('<') else run(text)}</m:{part}>"
        for part, text in parts.items()
    )
    return f"<m:{name}><m:{name}Pr>{about}</m:{name}Pr>{inside}</m:{name}>"


HALF = built("f", num="1", den="2")
THOUSANDTH = built("sSup", e="10", sup="-3")
EQUATIONS = {
    "a_fraction_behind_a_number": (run("3") + HALF, "3 1/2"),
    "a_power_behind_a_number": (run("3") + THOUSANDTH, "3 10^(-3)"),
    "a_power_behind_a_fraction": (
        built("f", num="a+b", den="2a") + THOUSANDTH, "(a+b)/(2a) 10^(-3)",
    ),
    "a_number_behind_a_power": (built("sSup", e="x", sup="2") + run("5"), "x^2 5"),
    "brackets_behind_a_fraction": (HALF + built("d", e="a+b"), "1/2 (a+b)"),
    "a_name_in_front_of_a_power": (run("2") + built("sSup", e="x", sup="2"), "2x^2"),
    "a_power_of_several_signs": (built("sSup", e="2x", sup="2n"), "(2x)^(2n)"),
    "a_mark_in_front": (run("5") + built("sPre", sub="6", sup="14", e="C"), "5 _6^14C"),
    "a_root_of_a_degree": (run("2") + built("rad", deg="3", e="8"), "2(8)^(1/3)"),
    "two_runs_of_one_number": (run("1") + run("2", "<w:b/>"), "12"),
    "a_binomial": (
        built("d", e=built("f", '<m:type m:val="noBar"/>', num="6", den="2")), "(6; 2)",
    ),
    "what_only_takes_up_room": (
        run("x") + built("phant", '<m:show m:val="0"/>', e="7") + run("=1"), "x=1",
    ),
    "hidden_signs": (run("x=") + run("5", "<w:vanish/>") + run("7"), "x=7"),
}  # fmt: skip


@pytest.mark.parametrize("name", EQUATIONS)
def test_parts_of_an_equation_do_not_run_together(name: str) -> None:
    inside, text = EQUATIONS[name]
    math = f"<m:oMath>{inside}</m:oMath>"
    document = parse(docx(p("Take ", runs=f"{math}{r(' cups')}")), "a.docx")
    assert document.text == f"Take {text} cups"


DELETED = f'<w:del w:id="1">{run("5")}</w:del>'
INSERTED = f'<w:ins w:id="2">{run("7")}</w:ins>'


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        ("accepted", "x=7"),
        ("original", "x=5"),
        ("marked", "x=[deleted: 5][inserted: 7]"),
    ],
)
def test_a_tracked_change_in_an_equation_is_read_by_policy(
    policy: TrackedChanges, text: str
) -> None:
    math = f"<m:oMath>{run('x=')}{DELETED}{INSERTED}</m:oMath>"
    limits = Limits(tracked_changes=policy)
    assert parse(docx(p(runs=math)), "a.docx", limits=limits).text == text
    block = docx(p("Let") + f"<m:oMathPara>{math}</m:oMathPara>")
    assert parse(block, "a.docx", limits=limits).text == f"Let\n\n{text}"


def test_a_deleted_fraction_leaves_no_sign() -> None:
    gone = '<m:ctrlPr><w:del w:id="1"/></m:ctrlPr>'
    math = f"<m:oMath>{built('f', gone, num=DELETED, den=DELETED)}{INSERTED}</m:oMath>"
    assert parse(docx(p("It is ", runs=math)), "a.docx").text == "It is 7"


def test_what_is_struck_out_in_an_equation_is_left_out_and_that_is_told() -> None:
    math = f"<m:oMath>{run('x=')}{run('5', '<w:strike/>')}{run('7')}</m:oMath>"
    document = parse(docx(p(runs=math)), "a.docx")
    assert (document.text, document.remarks) == ("x=7", ("Struck-out text was left out.",))
    marked = parse(docx(p(runs=math)), "a.docx", limits=Limits(tracked_changes="marked"))
    assert marked.text == "x=[deleted: 5]7"
