"""Questions made from a section without a model, in the language of its document."""

import pytest

from retrieval.agent.section_questions import SectionText, templated


@pytest.mark.parametrize(
    ("language", "heading", "text", "words"),
    [
        ("en", "Travel", "The allowance for journeys abroad is 45 euros a day.", "allowance"),
        ("de", "Reisen", "Das Tagegeld für Auslandsreisen beträgt 45 Euro.", "Auslandsreisen"),
        ("ru", "Поездки", "Суточные за границей составляют 45 евро.", "Суточные"),
        ("zh", "差旅", "出国期间每天的补贴标准为四十五欧元。", "补贴"),
        ("fr", "Voyages", "L'indemnité journalière à l'étranger est de 45 euros.", "journalière"),
    ],
)
def test_a_question_names_the_heading_and_what_the_key_sentence_is_about(
    language: str, heading: str, text: str, words: str
) -> None:
    (question,) = templated(SectionText(("Handbook", heading), language, (text,)), 3)
    assert heading in question.question
    assert words in question.question
    assert question.passage == 0


def test_passages_that_say_too_little_are_not_asked_about() -> None:
    assert templated(SectionText(("Handbook",), "en", ("See above.", "1, 2, 3")), 3) == ()


def test_there_are_at_most_as_many_as_wanted_in_reading_order() -> None:
    texts = tuple(f"Gate {n} closes every evening and opens every morning." for n in range(9))
    questions = templated(SectionText(("Gates",), "en", texts), 2)
    assert len(questions) == 2
    assert questions[0].passage < questions[1].passage
