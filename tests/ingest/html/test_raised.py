"""Raised and lowered text of web pages: no two numbers become one."""

from __future__ import annotations

import pytest

from tests.ingest.trees import read

WRITTEN = {
    "25<sup>1/2</sup> inch": "25¹/² inch",
    "25<sup>1</sup>/<sub>2</sub> inch": "25¹/₂ inch",
    "<sup>1</sup>/<sub>2</sub> inch": "¹/₂ inch",
    "10<sup>6.5</sup>": "10^(6.5)",
    "10<sup>n+1</sup>": "10^(n+1)",
    "10<sup>-x</sup>": "10^(-x)",
    "10<sup>2<sup>3</sup></sup>": "10^(2³)",
    "10<sup><b>6</b>,5</sup>": "10⁶,⁵",
    "10<sup><s>5</s>6</sup>": "10⁶",
    "10<sup>6 litres</sup>": "10⁶ litres",
    "log<sub>2</sub>8": "log₂8",
    "H<sub>2</sub>O": "H₂O",
    "a<sub>i+1</sub>": "a_(i+1)",
    "the 20<sup>th</sup> and x<sub>max</sub>": "the 20th and xmax",
    "30<sup>5 days after the order came in</sup>": "30 5 days after the order came in",
    "in<sup>the year that was the year 20</sup>24": "inthe year that was the year 20 24",
    "May<sup>[note 1]</sup>": "May[note 1]",
    "<code>x<sup>2</sup>a<sub>2</sub></code>": "x2a2",
}


@pytest.mark.parametrize("source", WRITTEN)
def test_raised_and_lowered_text_does_not_melt_into_what_it_stands_behind(source: str) -> None:
    assert read(f"<p>{source}</p>", "a.html").text == WRITTEN[source]
    assert read(f"So {source} it is.", "a.md").text == f"So {WRITTEN[source]} it is."


def test_a_raised_number_in_front_of_a_block_stays_apart_from_the_one_behind_it() -> None:
    assert read("<p><sup>1</sup>500 euros</p>", "a.html").text == "1 500 euros"


@pytest.mark.parametrize("tag", ["span", "font", "b", "a"])
@pytest.mark.parametrize(
    "attribute", ["style='color:red; vertical-align: super !important'", "class='x c5'", "id=up"]
)
def test_text_is_raised_by_a_style_as_by_its_tag(attribute: str, tag: str) -> None:
    sheet = "<!-- @page{margin:0} .c5,#up{font-size:9pt;vertical-align:super} -->"
    page = f"<style>{sheet}</style><p>10<{tag} {attribute}>6</{tag}> units</p>"
    assert read(page, "a.html").text == "10⁶ units"
    lowered = page.replace("super", "sub").replace("10<", "log<").replace(" units", "8")
    assert read(lowered, "a.html").text == "log₆8"


def test_a_mark_that_a_style_raises_leads_to_its_note() -> None:
    page = (
        "<style>span.Ref{vertical-align:super}</style><p>Paid<a href='#n1'><span class=Ref>"
        "<span class=Ref>[1]</span></span></a> in May<span class=Ref>2</span>.</p>"
        "<p><a name=n1></a>[1] By the office.</p><p><span class=Ref>2</span> Or June.</p>"
    )
    text = read(page, "a.html").text
    assert text == "Paid[^1] in May[^2].\n\n[^1] By the office.\n\n[^2] Or June."


FORMULAS = {
    "<msup><mn>10</mn>\n <mn>6</mn></msup>": "10^(6)",
    "<msub><mi>a</mi><mn>1</mn></msub><mn>2</mn>": "a_(1)2",
    "<mn>2</mn><mfrac><mn>1</mn><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></mfrac>": "2 (1)/(n+1)",
    "<mn>3</mn><msup><mn>10</mn><mn>6</mn></msup>": "3 10^(6)",
    "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>": "x_(1)^(2)",
    "<msqrt><mn>2</mn><msup><mi>x</mi><mn>2</mn></msup></msqrt>": "√(2x^(2))",
    "<mroot><mn>8</mn><mn>3</mn></mroot>": "(8)^(1/(3))",
    "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>": "1 2",
}


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_places_of_the_numbers_of_a_formula_are_told(formula: str) -> None:
    text = read(f"<p>It is <math><mrow>{formula}</mrow></math></p>", "a.html").text
    assert text.rstrip() == f"It is {FORMULAS[formula]}"


PREFIXES = {
    "<sup>3</sup>/<sub>4</sub> cup": "³/₄ cup",
    "<sup>3</sup>⁄<sub>4</sub> cup": "³⁄₄ cup",
    "<sup>3</sup>/4 cup": "³/4 cup",
    "<sup>3</sup> / <sub>4</sub> cup": "³ / ₄ cup",
    "<sup>3</sup><span>⁄</span><sub>4</sub> cup": "³⁄₄ cup",
    "1 <sup>3</sup>/<sub>4</sub> cup": "1 ³/₄ cup",
    "<sup>235</sup>U": "²³⁵U",
    "<sup>14</sup><b>C</b>": "¹⁴C",
}


@pytest.mark.parametrize("source", PREFIXES)
def test_raised_numbers_of_what_stands_behind_them_are_no_marks_of_notes(source: str) -> None:
    text = f"Milk; {PREFIXES[source]}."
    notes = "<p><sup>3</sup> A note.<p><sup>14</sup> Another one."
    assert read(f"<p>Milk; {source}.</p>", "a.html").text == text
    assert read(f"<p>Milk; {source}.</p>{notes}", "a.html").text.startswith(text)
    assert read(f"Milk; {source}.", "a.md").text == text


def test_a_mark_behind_a_blank_or_in_front_of_a_slash_is_one() -> None:
    assert read("<p>Milk; <sup>3</sup> and tea.<sup>4</sup>/<sup>5</sup></p>", "a.html").text == (
        "Milk; [^3] and tea.[^4]/⁵"
    )
