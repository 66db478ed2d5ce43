"""What a question holds fast is read off its words, in four languages."""

from __future__ import annotations

import pytest

from retrieval.experience import slots_of


def read(question: str, language: str):
    return slots_of(question, language=language, document_frequency=lambda _: 0.0)


@pytest.mark.parametrize(
    ("language", "question", "numbers"),
    [
        ("en", "For twenty-five people, or two hundred and five?", {"25", "205"}),
        ("en", "What is the 3rd rule?", {"3"}),
        ("en", "Is one of them enough?", set()),
        ("de", "Gilt es für zweihundertfünfundzwanzig oder 1.500 Personen?", {"225", "1500"}),
        ("ru", "Что с двадцатью пятью заявками второй очереди?", {"25", "2"}),
        ("zh", "二百五十个客户和两千家供应商怎么办？", {"250", "2000"}),
        ("zh", "统一的标准一般是什么？", set()),
    ],
)
def test_numbers_are_read_in_digits_and_in_words(language, question, numbers):
    assert set(read(question, language).numbers) == numbers


@pytest.mark.parametrize(
    ("language", "question", "quantities"),
    [
        ("en", "Is 5 ms enough?", {"time 0.005"}),
        ("en", "Is 5 m enough?", {"length 5"}),
        ("en", "Do 3 people share 2 in 5 a day?", set()),
        ("de", "Reichen 1,5 Stunden?", {"time 5400"}),
        ("ru", "Хватит ли 500 тыс. тенге и 2000 кг?", {"kzt 500000", "mass 2000"}),
        ("ru", "Сколько людей в 3 цехах?", set()),
        ("zh", "十分钟够吗？", {"time 600"}),
        ("zh", "保修期是3年吗？", {"months 36"}),
    ],
)
def test_quantities_are_in_the_base_unit_of_their_dimension(language, question, quantities):
    assert set(read(question, language).quantities) == quantities


@pytest.mark.parametrize(
    ("language", "question", "dates"),
    [
        ("en", "What happened on 3 May 2025?", {"2025", "day 5-3"}),
        ("en", "May I leave on Friday?", {"weekday 5"}),
        (
            "de",
            "Was galt am 24.12.2024 und im letzten Jahr?",
            {"2024", "day 12-24", "previous year"},
        ),
        ("ru", "Что было первого марта 2024 года?", {"2024", "day 3-1"}),
        ("zh", "2024年5月3日和明年怎么样？", {"2024", "day 5-3", "next year"}),
    ],
)
def test_dates_are_read_in_any_order(language, question, dates):
    assert set(read(question, language).dates) == dates


@pytest.mark.parametrize(
    ("language", "question", "kind"),
    [
        ("en", "Who is told when it breaks?", "who"),
        ("en", "Can you tell me where it is?", "where"),
        ("en", "Is it allowed when I am ill?", "yes or no"),
        ("en", "What does it cost?", "price"),
        ("de", "Was kostet es?", "price"),
        ("de", "Bis wann gilt es?", "when"),
        ("de", "Ist es erlaubt?", "yes or no"),
        ("ru", "Как долго это длится?", "how long"),
        ("ru", "Можно ли войти?", "yes or no"),
        ("zh", "为什么要关？", "why"),
        ("zh", "能不能进去？", "yes or no"),
        ("zh", "谁负责？", "who"),
    ],
)
def test_the_kind_of_answer_is_told(language, question, kind):
    assert read(question, language).answers == (kind,)


@pytest.mark.parametrize(
    ("language", "question", "negated"),
    [
        ("en", "Is it not more than three?", False),
        ("en", "What if there is no badge?", True),
        ("de", "Sind es nicht weniger als drei?", False),
        ("de", "Was gilt ohne Ausweis?", True),
        ("ru", "Не подскажете, где это?", False),
        ("ru", "Что нельзя вносить?", True),
        ("zh", "可不可以进去？", False),
        ("zh", "没有工卡怎么办？", True),
    ],
)
def test_bounds_courtesy_and_choice_are_no_negation(language, question, negated):
    assert read(question, language).negated is negated


@pytest.mark.parametrize(
    ("language", "question", "name"),
    [
        ("en", "Does the Lisbon branch have one?", "lisbon"),
        ("de", "Wann kommt Frau Hofer?", "hof"),
        ("de", "Wer leitet das Büro in Linz?", "linz"),
        ("ru", "Кто работает в Самаре?", "самар"),
        ("zh", "北京办公室在几楼？", "北京"),
        ("zh", "王经理在哪里？", "王"),
    ],
)
def test_names_are_told_by_capitals_places_and_titles(language, question, name):
    assert name in read(question, language).names


def test_the_letters_decide_before_the_language_that_was_given():
    assert read("Кто отвечает за это?", "en") == read("Кто отвечает за это?", "ru")
    assert read("谁负责？", "fr") == read("谁负责？", "zh")
