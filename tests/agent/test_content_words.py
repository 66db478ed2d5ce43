"""What a question is about, and what of it the evidence lacks."""

import pytest

from retrieval.agent.content_words import Rarity, content_words, telling_words
from retrieval.agent.missing import missing_from
from tests.agent.evidence_factories import block, context, leaf

UNCOUNTED = Rarity({}, 0)


@pytest.mark.parametrize(
    ("question", "language", "words"),
    [
        ("May I bring my dog to the office?", "en", ["bring", "dog", "office"]),
        ("Darf ich einen Hund mitbringen?", "de", ["Darf", "Hund", "mitbringen"]),
        ("Какая надбавка положена за смену?", "ru", ["надбавка", "положена", "смену"]),
        ("SD-60 校准要多少钱？", "zh", ["SD-60", "校准"]),
        ("The dog, the dogs and the DOG", "en", ["dog"]),
        ("Which machine costs 1,490 euros?", "en", ["machine", "costs", "1,490", "euros"]),
        ("1 490 or 1.490,50 or 12,90", "en", ["1 490", "1.490,50", "12,90"]),
        ("What is the name of the dog?", "en", ["dog"]),
        ("Как называется собака?", "ru", ["собака"]),
        ("Which name has the dog in the name list?", "en", ["name", "dog", "list"]),
    ],
)
def test_the_words_that_carry_the_subject_are_kept(question, language, words):
    assert [word.written for word in content_words(question, language, UNCOUNTED)] == words


@pytest.mark.parametrize(
    ("question", "language", "words"),
    [
        ("Сколько дней отпуска у сотрудника компании?", "ru", ["отпуска"]),
        ("How many days of leave does an employee have?", "en", ["leave"]),
        ("公司的年假有几天？", "zh", ["年假"]),
        ("How many employees does Brio have?", "en", ["Brio"]),
    ],
)
def test_days_and_the_company_tell_no_answer_from_another(question, language, words):
    assert [word.written for word in telling_words(question, language, UNCOUNTED)] == words
    assert len(content_words(question, language, UNCOUNTED)) > len(words)


def test_a_word_that_no_passage_holds_is_the_rarest():
    rarity = Rarity({}, 100)
    assert content_words("dog", "en", rarity)[0].weight == rarity.of("cat") > 5


def test_what_occurs_nowhere_is_missing_years_and_codes_first():
    evidence = context(block(1, [leaf("The SL-420 is sold in the office.")], title="Prices 2026"))
    question = "Is the SL-440 sold to dogs in 2024?"
    assert missing_from(question, evidence, UNCOUNTED) == ("2024", "SL-440", "dogs")


@pytest.mark.parametrize("asked", ["1,490", "1.490", "1 490", "1490", "1490.00", "1'490"])
@pytest.mark.parametrize("written", ["1,490.00", "1.490,00", "1 490", "1490"])
def test_a_number_is_not_missing_when_its_value_is_there(asked, written):
    evidence = context(block(1, [leaf(f"The machine is sold at {written} euros.")]))
    assert missing_from(f"Which machine is sold at {asked} euros?", evidence, UNCOUNTED) == ()


def test_a_number_of_another_value_is_missing_as_the_question_writes_it():
    evidence = context(block(1, [leaf("The machine is sold at 1,490.00 euros, 490 sold.")]))
    question = "Which machine is sold at 2,490 euros?"
    assert missing_from(question, evidence, UNCOUNTED) == ("2,490",)


def test_neighbouring_characters_are_one_missing_word():
    evidence = context(block(1, [leaf("校准费用为2,100元。")], language="zh"))
    assert missing_from("土壤水分校准多少钱？", evidence, UNCOUNTED)[0] == "土壤水分"


def test_a_word_is_not_missing_when_a_block_in_another_language_holds_it():
    blocks = (
        block(1, [leaf("Собаки живут дома.")], language="ru"),
        block(2, [leaf("Dogs live at home.")]),
    )
    assert "dogs" not in missing_from("Do dogs bark?", context(*blocks), UNCOUNTED)
