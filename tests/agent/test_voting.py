"""Several answers made one."""

import pytest

from retrieval.agent.values import same_value, value_of
from retrieval.agent.voting import Ballot, is_decided, vote


def ballots(*values):
    return [Ballot(n, value, blank=value == "") for n, value in enumerate(values)]


def test_the_most_frequent_value_wins():
    assert vote(ballots("5", "7", "7.0")).winners == (1, 2)


def test_neighbouring_years_are_two_answers():
    assert vote(ballots("2025", "2026", "2026")).winners == (1, 2)
    assert vote([Ballot(n, "2026" if n else "2025", "year") for n in range(3)]).winners == (1, 2)


def test_of_equal_clusters_the_first_drawn_wins():
    assert vote(ballots("5", "7")).winners == (0,)


def test_blanks_have_no_vote_unless_all_are_blank():
    assert vote(ballots("", "", "7")).winners == (2,)
    assert vote(ballots("", "")).winners == ()


def test_a_vote_is_decided_when_the_rest_cannot_change_it():
    assert is_decided(ballots("5", "5"), 3)
    assert not is_decided(ballots("5", "7"), 3)
    assert not is_decided([], 3)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,500 kg", "1.5 t"),
        ("1 500", "1500"),
        ("3.5 million", "3,500,000"),
        ("12 %", "12 percent"),
        ("5 March 2024", "2024-03-05"),
        ("March 5th, 2024", "05.03.2024"),
        ("5 марта 2024", "2024年3月5日"),
        ("1000", "1000.9"),
        ("Anna Brandt", "anna  brandt."),
        ("2 hours", "120 minutes"),
        ("1500 ms", "1.5 s"),
        ("3 metres", "300 cm"),
        ("$40", "40"),
        ("$40", "40 USD"),
        ("€ 40", "40 euros"),
        ("40 ₽", "40 рублей"),
        ("$5m", "5 million dollars"),
        ("3 years", "36 months"),
        ("1 year", "365 days"),
        ("2 года", "24 месяца"),
        ("3年", "36个月"),
        ("12 kg CO2", "12.0 kg CO2"),
        ("10-20 days", "10-20 Days."),
        ("2025", "2025年"),
        ("2025 kg", "2026 kg"),
        ("2,025", "2025"),
    ],
)
def test_two_ways_of_writing_a_value_are_equal(one, other):
    assert same_value(value_of(one), value_of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1000", "1002"),
        ("2025", "2026"),
        ("2025 год", "2026 год"),
        ("2025年", "2024年"),
        ("5 kg", "5 km"),
        ("5 ms", "5 m"),
        ("$100", "€100"),
        ("$5m", "$5"),
        ("5 m", "5 million"),
        ("1 month", "30 days"),
        ("3 years", "3 months"),
        ("5 gs", "5 g"),
        ("10-20 days", "10-14 days"),
        ("10 000 – 20 000", "10 000"),
        ("3 of 5", "3 of 7"),
        ("5 March 2024", "5 March 2023"),
        ("yes", "no"),
        ("-5", "5"),
        ("5", "five"),
    ],
)
def test_different_values_are_not_equal(one, other):
    assert not same_value(value_of(one), value_of(other))


@pytest.mark.parametrize("digits", [10, 20, 5_000])
@pytest.mark.parametrize("written", ["{}", "5 March {}", "{} March 5", "{0}-{0}-{0}", "{}.5.2024"])
def test_a_number_that_no_calendar_has_is_no_date(written, digits):
    value = value_of(written.format("9" * digits))
    assert value.day is None
    assert same_value(value, value)
