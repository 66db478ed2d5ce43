"""A number in an answer stands in a quote."""

import pytest

from retrieval.agent.numbers import numbers_supported, unsupported_numbers


@pytest.mark.parametrize(
    ("answer", "quote"),
    [
        ("1500 euros", "above 1,500 euros"),
        ("1,500 euros", "ab 1.500 Euro"),
        ("711,988", "из 711 988 жителей"),
        ("27 euros", "it is 27.00 euros"),
        ("1500 euros", "above 1,\u200b500 euros"),
        ("0,42", "0.42 euros"),
        ("1. Open Spesa\n2. Send it", "Open Spesa. Send it"),
        ("Do:\n1. Open\n   1. Spesa\n   2. Mail\n2. Send\n3. Wait", "Open Spesa. Send it"),
        ("1) Open Spesa\n2) Send it", "Open Spesa. Send it"),
        ("١. افتح\n٢. أرسل", "افتح ثم أرسل"),
        ("3,500", "٣٬٥٠٠ ريال"),
        ("٣٫٥", "3.5 metres"),
        ("12 May 2026", "on 12.05.2026"),
        ("10² bar", "10² bar"),
    ],
)
def test_the_same_value_is_supported_however_it_is_written(answer, quote):
    assert numbers_supported(answer, [quote])


@pytest.mark.parametrize(
    ("answer", "quote"),
    [
        ("500 euros", "above 1,500 euros"),
        ("500 euros", "above 1 500 euros"),
        ("1.5 hours", "above 15 hours"),
        ("0.50", "0.42 euros"),
        ("13.05.2026", "on 12.05.2026"),
        ("2.4.2", "version 2.4.1"),
        ("102 bar", "10² bar"),
        ("10³ bar", "10² bar"),
        ("45 %", "no number"),
        ("30. Juni ist die Frist", "Die Frist ist der 20. Juni"),
        ("1. Juni ist die Frist", "Die Frist ist der 2. Juni"),
        ("Laut Vertrag:\n30. Juni oder\n31. Juli", "20. Juni oder 21. Juli"),
        ("1990. It was founded then", "founded in 1980"),
        ("500", "٣٬٥٠٠ ريال"),
        ("500 euros", "above 1,\u200b500 euros"),
    ],
)
def test_another_value_is_not(answer, quote):
    assert not numbers_supported(answer, [quote])


def test_unsupported_numbers_are_named_once_as_written():
    assert unsupported_numbers("7,5 then 3 then 7,5", ["3 days"]) == ("7,5",)
