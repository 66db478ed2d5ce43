"""Numbers of charts as their format codes show them."""

from __future__ import annotations

import pytest

from knowledge.ingest.parsers.docx.number_formats import formatted


@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        ("0.25", "0%", "25%"),
        ("0.1234", "0.0%", "12.34%"),
        ("0.30000000000000004", "General", "0.3"),
        ("1234.5", "#,##0.00", "1234.5"),
        ("5", '0" kg"', "5 kg"),
        ("5", '"€"#,##0', "€5"),
        ("5", "#,##0\\ [$€-407]", "5 €"),
        ("-5", '_-"£"* #,##0_-;[Red](#,##0)', "£-5"),
        ("1234567", '#,##0.0,"K"', "1234.567K"),
        ("45047", "m/d/yyyy", "2023-05-01"),
        ("45047", "[$-409]d\\-mmm\\-yy;@", "2023-05-01"),
        ("45047", "mmm yy", "2023-05"),
        ("45047", "yyyy", "2023"),
        ("45047.5", "dd.mm.yyyy hh:mm", "2023-05-01 12:00"),
        ("0.75", "h:mm", "18:00"),
        ("1.25", "[h]:mm", "1.25"),
        ("2.5", "# ?/?", "2.5"),
        ("1500000", "0.00E+00", "1500000"),
        ("12", "@", "12"),
        ("n/a", "0%", "n/a"),
        ("1e999", "0%", "1e999"),
        ("99999999", "m/d/yyyy", "99999999"),
        ("2957002.99", "m/d/yyyy", "9995-12-29"),
        ("2957003", "m/d/yyyy", "2957003"),
        ("0.5", "0" + "%" * 9_000, "0.5"),
        ("0.5", "", "0.5"),
    ],
)
def test_a_number_is_written_as_its_format_shows_it(number: str, code: str, text: str) -> None:
    assert formatted(number, code) == text


def test_dates_of_the_old_macintosh_count_from_1904() -> None:
    assert formatted("43585", "d.m.yyyy", from_1904=True) == "2023-05-01"
