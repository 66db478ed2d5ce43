"""Charts of Word say their figures as their readers see them."""

from __future__ import annotations

from knowledge.ingest.parsers import parse
from tests.ingest.docx.making import docx, named, p, r


def cached(kind: str, *values: str, code: str = "") -> str:
    """Return the cache of a series: `kind` is 'num' or 'str'."""
    about = f"<c:formatCode>{code}</c:formatCode>" if code else ""
    points = "".join(f'<c:pt idx="{n}"><c:v>{text}</c:v></c:pt>' for n, text in enumerate(values))
    return f"<c:{kind}Ref><c:{kind}Cache>{about}{points}</c:{kind}Cache></c:{kind}Ref>"


def read(names: str, values: str, *, grouping: str = "clustered", axes: str = "") -> str:
    """Return the text of a chart of one series."""
    chart = (
        f"{named('c:chartSpace')}<c:chart><c:plotArea><c:barChart><c:grouping val='{grouping}'/>"
        f"<c:ser><c:cat>{names}</c:cat><c:val>{values}</c:val></c:ser><c:axId val='1'/>"
        f"<c:axId val='2'/></c:barChart>{axes}</c:plotArea></c:chart></c:chartSpace>"
    )
    drawing = (
        "<w:drawing><wp:inline><wp:docPr id='1' name='x'/><a:graphic><a:graphicData>"
        "<c:chart r:id='chart1'/></a:graphicData></a:graphic></wp:inline></w:drawing>"
    )
    return parse(docx(p(runs=r(inside=drawing)), {"word/charts/chart1.xml": chart}), "a.docx").text


def axis(kind: str, number: int, code: str, linked: int = 0) -> str:
    """Return an axis with a number format."""
    form = f"<c:numFmt formatCode='{code}' sourceLinked='{linked}'/>"
    return f"<c:{kind}><c:axId val='{number}'/>{form}</c:{kind}>"


def test_per_cents_and_dates_of_a_chart_are_no_bare_numbers() -> None:
    names = cached("num", "45047", "45078", code="m/d/yyyy")
    values = cached("num", "0.25", "0.5", code="0%")
    assert read(names, values) == "2023-05-01 = 25%; 2023-06-01 = 50%"


def test_numbers_without_a_format_have_that_of_their_axis() -> None:
    names = cached("num", "45047", code="General")
    axes = axis("dateAx", 1, "mmm yy") + axis("valAx", 2, "0%")
    assert read(names, cached("num", "0.25", code="General"), axes=axes) == "2023-05 = 25%"
    linked = axis("valAx", 2, "0%", 1)
    assert read(cached("str", "Q1"), cached("num", "0.25"), axes=linked) == "Q1 = 0.25"


def test_the_shares_of_a_chart_stacked_to_a_hundred_are_not_its_values() -> None:
    text = read(
        cached("str", "Q1"), cached("num", "3"), grouping="percentStacked",
        axes=axis("catAx", 1, "General") + axis("valAx", 2, "0%"),
    )  # fmt: skip
    assert text == "Q1 = 3"


def test_names_of_two_levels_are_said_together() -> None:
    inner = "".join(f'<c:pt idx="{n}"><c:v>Q{n % 2 + 1}</c:v></c:pt>' for n in range(4))
    outer = '<c:pt idx="0"><c:v>2022</c:v></c:pt><c:pt idx="2"><c:v>2023</c:v></c:pt>'
    names = (
        f"<c:multiLvlStrRef><c:multiLvlStrCache><c:lvl>{inner}</c:lvl><c:lvl>{outer}</c:lvl>"
        "</c:multiLvlStrCache></c:multiLvlStrRef>"
    )
    text = read(names, cached("num", "5", "6", "7", "8"))
    assert text == "2022 Q1 = 5; 2022 Q2 = 6; 2023 Q1 = 7; 2023 Q2 = 8"
