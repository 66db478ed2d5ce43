"""What a question asks for is read off its words."""

import pytest

from retrieval.agent.constraints import (
    AnswerType,
    codes_in,
    constraints_of,
    holds_answer_type,
    years_in,
)


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("the rate in 2025", {"2025"}),
        ("from 29 December 2025 to 3 January 2026", {"2025", "2026"}),
        ("(2024).", {"2024"}),
        ("в 1901 году", {"1901"}),
        ("2025年的标准", {"2025"}),
        ("above 2,000 euros", set()),
        ("above 2000 euros", set()),
        ("SL-2024", set()),
        ("order 120255", set()),
        ("2025.5", set()),
    ],
)
def test_years_are_told_from_amounts_and_codes(text, years):
    assert years_in(text) == years


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("My SL-420 says E11", {"sl420", "e11"}),
        ("Console 5.1, not 5.1.2?", {"5.1", "5.1.2"}),
        ("the SL420", {"sl420"}),
        ("SD-60 土壤水分探头", {"sd60"}),
        ("the 15th, in 30m, in the 1990s", set()),
        ("self-service in 2025", set()),
        ("Welche Maschine 1.490 Euro kostet, oder 1.490.000", set()),
        ("Der Preis 12.50 Euro", set()),
    ],
)
def test_codes_are_letters_with_digits_or_digits_with_dots(text, codes):
    assert codes_in(text) == codes


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What does it cost on a Sunday?", AnswerType.MONEY),
        ("Сколько стоит проверка?", AnswerType.MONEY),
        ("工厂校准要多少钱？", AnswerType.MONEY),
        ("How much of the mark comes from the exam?", AnswerType.SHARE),
        ("When is it released?", AnswerType.TIME),
        ("Wie lange gilt die Garantie?", AnswerType.TIME),
        ("За какое время надо сообщить?", AnswerType.TIME),
        ("主机可以保修多久？", AnswerType.TIME),
        ("How many days of holiday do I get?", AnswerType.NUMBER),
        ("May I bring my dog?", AnswerType.ANY),
        ("Which machine costs 1,490 euros?", AnswerType.ANY),
        ("Welches Gerät kostet 79 Euro?", AnswerType.ANY),
        ("Какая машина стоит 1 490 евро?", AnswerType.ANY),
        ("What does the delivery of an order of 300 euros cost?", AnswerType.MONEY),
    ],
)
def test_the_question_word_tells_the_kind_of_answer(question, kind):
    assert constraints_of(question).answer_type is kind


@pytest.mark.parametrize(
    ("text", "kind", "holds"),
    [
        ("Service: labour; Price (EUR): 112", AnswerType.MONEY, True),
        ("Model: Brio Mini; List price: 249.00", AnswerType.MONEY, True),
        ("Modell: Brio Mini; Listenpreis: 249,00", AnswerType.MONEY, True),
        ("Модель: Мини; Цена для дилера: 187", AnswerType.MONEY, True),
        ("型号：迷你; 经销商价格: 187", AnswerType.MONEY, True),
        ("Model: Brio Mini; Warranty: 24", AnswerType.MONEY, False),
        ("Model: Brio Mini; List price: on request; Cups: 12", AnswerType.MONEY, False),
        ("It takes 112 hours.", AnswerType.MONEY, False),
        ("Drink: Tea; Price (EUR): free", AnswerType.MONEY, True),
        ("Доставка: бесплатно", AnswerType.MONEY, True),
        ("Lieferung: kostenlos", AnswerType.MONEY, True),
        ("Feel free to ask the manager.", AnswerType.MONEY, False),
        ("保修期内免费维修。", AnswerType.MONEY, False),
        ("Weight: 40 %", AnswerType.SHARE, True),
        ("Weight: 40", AnswerType.SHARE, False),
        ("on the first Thursday", AnswerType.TIME, True),
        ("twice a year", AnswerType.NUMBER, True),
        ("не менее чем вдвоём", AnswerType.NUMBER, True),
        ("в течение трёх дней", AnswerType.NUMBER, True),
        ("двести сорок человек", AnswerType.NUMBER, True),
        ("Класс сотрудника требует двери", AnswerType.NUMBER, False),
        ("Ask the manager.", AnswerType.NUMBER, False),
        ("Ask the manager.", AnswerType.ANY, True),
    ],
)
def test_a_sentence_holds_the_kind_of_answer_or_not(text, kind, holds):
    assert holds_answer_type(text, kind) is holds


def test_a_number_that_the_question_gives_is_no_answer_however_it_is_written():
    question = "What does the machine for 1,490 euros cost with delivery?"
    assert not holds_answer_type("It costs 1.490,00 euros.", AnswerType.MONEY, question)
    assert holds_answer_type("It costs 1.502,90 euros.", AnswerType.MONEY, question)


def test_quoted_words_and_negation_are_noticed():
    constraints = constraints_of("Why is “flat rate” not paid?")
    assert constraints.quoted == ("flat rate",)
    assert constraints.negated
    assert not constraints_of("Why is it paid?").negated
