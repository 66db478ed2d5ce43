"""Quotes are found as they stand or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.agent.citations import verify
from retrieval.agent.folding import folded, is_numeric

TEXT = "Business class may be booked when a flight takes more than nine hours."


def test_a_quote_that_stands_there_is_exact():
    match = verify("may be booked", TEXT)
    assert match is not None
    assert (TEXT[match.start : match.end], match.kind) == ("may be booked", "exact")


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ('the "rate" of the day', "as the “rate” of\n  the day"),
        ("5-10 days", "within 5–10 days"),
        ("don't", "we don’t pay"),
        ("a fine office", "a ﬁne oﬃce"),
        ("café", "the cafe\u0301 closes"),
        ("cafe\u0301", "the café closes"),
        ("\ud55c\uad6d", "\u1112\u1161\u11ab\u1100\u116e\u11a8 사무소"),
        ("500 000 тенге", "сумма 500\u00a0000\u202fтенге"),
        ("cooperate", "they co\u00adoperate"),
        ("שלום עולם", "שלום\u200f עולם"),
        ("המחיר 45 שקלים", "המחיר \u202a45\u202c שקלים"),
        ("«Premier»", "по договору “Premier”"),
        ("价格，税", "价格,税"),
    ],
)
def test_a_quote_may_differ_in_spaces_dashes_quotation_marks_and_compatibility_forms(quote, text):
    match = verify(quote, text)
    assert match is not None
    assert match.kind == "folded"
    assert folded(text[match.start : match.end]).text == folded(quote).text


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("102 bar", "10² bar"),
        ("10² bar", "102 bar"),
        ("1⁄2 litre", "½ litre"),
        ("12 euros", "１２ euros"),
        ("step 1", "step ①"),
        ("chapter VIII", "chapter Ⅷ"),
        ("100 m2", "100 ㎡"),
        ("nine  hourz", TEXT),
        ("Nine hours", TEXT),
    ],
)
def test_a_changed_digit_or_letter_is_never_folded_away(quote, text):
    assert verify(quote, text) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("50 euros", "It costs 150 euros."),
        ("It costs 15", "It costs 150 euros."),
        ("500 euros", "It costs 1,500 euros."),
        ("500 euros", "It costs 1 500 euros."),
        ("500 euros", "It costs 1\u00a0500 euros."),
        ("500 francs", "It costs 1’500 francs."),
        ("It costs 1", "It costs 1.5 euros."),
        ("It costs 711", "It costs 711 988 euros."),
        ("It costs 0.", "It costs 0.50 euros."),
        ("It costs 15", "It costs 15\u200b0 euros."),
        ("500 euros", "It costs 1\u2060 500 euros."),
        ("5 °C", "It stands −\u20605 °C."),
        ("5 °C", "It stands -5 °C."),
        ("5 °C", "It stands −5 °C."),
        ("5 m", "It is .5 m long."),
        ("5 °C", "It stands − 5 °C."),
        ("€5 million", "A result of −€5 million."),
        ("$ 5", "A result of -$ 5."),
        (".5 % of the price", "A fee of 1.5 % of the price."),
        (",000 euros", "It costs 5,000 euros."),
        ("30 in the evening", "It opens at 11:30 in the evening."),
        ("It opens at 11", "It opens at 11:30."),
        ("6", "6½ bags"),
        ("十天", "五十天"),
        ("able to pay", "He is unable to pay."),
        ("suffic", "It is insufficient."),
        ("e", "é"),
    ],
)
def test_part_of_a_number_or_word_is_no_quote(quote, text):
    assert verify(quote, text) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("12", "第12条"),
        ("退款期限", "本公司的退款期限为十天。"),
        ("420 Pro", "The SL-420 Pro"),
        ("10 days", "within 5-10 days"),
        ("50 euros", "Of 150 euros, 50 euros are paid."),
        ("costs 12", "It costs 12, and in May 13."),
        ("100 euros", "Under 2025, 100 euros"),
    ],
)
def test_a_whole_number_or_word_is_found_where_it_stands_alone(quote, text):
    match = verify(quote, text)
    assert match is not None
    assert text[match.start : match.end] == quote


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("refundable within 30 days", "The deposit is not refundable within 30 days."),
        ("refundable within 30 days", "The deposit isn’t refundable within 30 days."),
        ("refundable within 30 days", "The deposit is not\nrefundable within 30 days."),
        ("refundable within 30 days", "The deposit is **not** refundable within 30 days."),
        ("be returned", "It cannot be returned."),
        ("5 euros", "It costs not 5 euros."),
        ("fee for a return", "There is no fee for a return."),
        ("The warranty is", "The warranty is not extended."),
        ("erlaubt", "Rauchen ist nicht erlaubt."),
        ("Der Vertrag gilt", "Der Vertrag gilt nicht für Beamte."),
        ("Haftung für Schäden", "Wir übernehmen keine Haftung für Schäden."),
        ("разрешено курить", "Здесь не разрешено курить."),
        ("可退款", "押金不可退款。"),
    ],
)
def test_a_quote_that_leaves_out_the_negation_beside_it_is_none(quote, text):
    assert verify(quote, text) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("not refundable", "The deposit is not refundable."),
        ("12 Baker Street", "The office is at No 12 Baker Street."),
        ("The deposit is kept.", "Is it paid back? No. The deposit is kept."),
        ("Fees apply.", "## Yes or no\n\nFees apply."),
        ("знает каждый", "Меня знает каждый."),
        ("- 5 bags", "- 5 bags"),
        ("5 bags", "- 5 bags"),
        ("costs €5", "It costs €5, not €6."),
        ("5 days", "Paid within 10 – 5 days"),
    ],
)
def test_what_stands_beside_no_negation_and_no_sign_is_a_quote(quote, text):
    assert verify(quote, text) is not None


@pytest.mark.parametrize("quote", ["", "  ", "...", "–"])
def test_a_quote_without_a_letter_or_digit_is_not_found(quote):
    assert verify(quote, "a ... – b") is None


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("All are net.", "All are net[^2]."),
        ("from 2026 on", "from 2026[^1] on"),
        ("from 2026[^1] on", "from 2026[^1] on"),
        ("costs 125", None),
    ],
)
def test_a_quote_may_leave_out_the_marks_of_footnotes(quote, found):
    text = "Valid from 2026[^1] on. All are net[^2]. It costs 12[^3]5 euros."
    match = verify(quote, text)
    assert found == (match and text[match.start : match.end])


@given(st.text(), st.text())
def test_what_is_found_equals_the_quote_under_folding_with_the_same_numbers(quote, text):
    match = verify(quote, text)
    if match is not None:
        found = text[match.start : match.end]
        assert folded(found).text == folded(quote.strip()).text
        assert [c for c in found if is_numeric(c)] == [c for c in quote if is_numeric(c)]


@given(st.lists(st.text(st.characters(categories=["L", "N", "P", "Zs"])), min_size=3, max_size=6))
def test_every_run_of_whole_words_is_found_in_its_text(words):
    text = "  ".join(words)
    quote = "  ".join(words[1:-1])
    match = verify(quote, text)
    spoiled = not any(char.isalnum() for char in quote) or _number_at_an_end(quote.strip())
    assert match is not None or spoiled


def _number_at_an_end(quote: str) -> bool:
    return is_numeric(quote[0]) or is_numeric(quote[-1])


@given(st.text())
def test_folding_leads_back_to_the_source(text):
    result = folded(text)
    assert len(result.text) == len(result.starts) == len(result.ends)
    assert all(a < b for a, b in zip(result.starts, result.ends, strict=True))
    assert list(result.starts) == sorted(result.starts)
