"""Without a model: what is quoted is about what was asked, all of it, with its notes."""

import pytest

from knowledge.embedding import embedder_for
from knowledge.lexical import dimension
from retrieval.agent.checking import check
from retrieval.agent.extractive import ExtractiveReasoner
from retrieval.agent.reasoner import Reasoner, Signals
from tests.agent.evidence_factories import block, context, leaf

REASONER: Reasoner = ExtractiveReasoner(embedder_for("hashing"))


def ask(question, evidence, **signals):
    values = {"entries": 50, **signals}
    draft = REASONER.answer(question, evidence, Signals(queries=(question,), **values))
    return draft, check(draft, evidence)


LEAVE = context(
    block(
        1,
        [
            leaf(
                "| Site | Days of leave |\n|---|---|\n| Almaty | 28 |\n| Utrecht | 26 |",
                kind="table",
            )
        ],
        title="Handbook",
        headings=("Annual leave",),
    ),
    block(2, [leaf("The probation period lasts three months.")], headings=("Office in Utrecht",)),
    block(3, [leaf("Backups are kept for 35 days.")], headings=("Computers",)),
)


@pytest.mark.parametrize(
    "question",
    ["How many days of leave are there in Berlin?", "How long is the probation period in London?"],
)
def test_what_holds_for_one_place_answers_nothing_about_another(question):
    draft, _ = ask(question, LEAVE)
    assert not draft.sufficient


def test_a_name_in_the_heading_or_the_row_is_enough():
    draft, _ = ask("How long is the probation period in Utrecht?", LEAVE)
    assert draft.answer.startswith("The probation period lasts three months.")
    draft, _ = ask("How many days of leave are there in Utrecht?", LEAVE)
    assert [quote.text for quote in draft.quotes] == ["| Utrecht | 26 |"]


def test_a_weekday_is_no_name_that_an_answer_must_repeat():
    evidence = context(block(1, [leaf("The works doctor is in the house on every working day.")]))
    draft, _ = ask("Is the works doctor in the house on a Monday?", evidence)
    assert draft.sufficient


def test_the_company_s_own_name_need_not_stand_in_its_documents():
    evidence = context(block(1, [leaf("At the end of the year 212 people were employed.")]))
    question = "How many people are employed by Brightmoor?"
    draft, _ = ask(question, evidence, own_names=("Brightmoor Tools",))
    assert draft.sufficient


def test_a_word_of_the_trade_in_the_company_s_name_is_still_asked_about():
    evidence = context(
        block(1, [leaf("Die Kantine zahlt bei Reisen 20 Euro.")]),
        block(2, [leaf("Die Versicherung zahlt bei Reisen 500 Euro.")]),
    )
    question = "Wie viel zahlt die Versicherung bei Reisen?"
    draft, _ = ask(question, evidence, own_names=("Aurora Versicherung AG",))
    assert draft.answer.startswith("Die Versicherung zahlt")


def test_a_name_in_one_of_few_passages_still_has_to_be_there():
    evidence = context(block(1, [leaf("In Utrecht there are 26 days of leave.")]))
    question = "How many days of leave are there in Graz?"
    draft, _ = ask(question, evidence, entries=9, document_frequency={dimension("graz"): 1})
    assert not draft.sufficient


def test_of_two_questions_in_one_both_are_answered_with_markers_counted_on():
    question = "How long is the probation period in Utrecht and how many days are backups kept?"
    _, checked = ask(question, LEAVE)
    first, second = checked.answer.split("\n\n")
    assert first == "The probation period lasts three months. [1]"
    assert second == "Backups are kept for 35 days. [2]"
    assert checked.holds


def test_of_two_questions_in_one_that_without_an_answer_is_said_to_have_none():
    _, checked = ask("How many days are backups kept, and what is the CEO's salary?", LEAVE)
    assert checked.answer == (
        "Backups are kept for 35 days. [1]\n\n"
        "The second thing asked is not answered clearly enough to quote it."
    )


def test_a_further_row_of_the_table_needs_the_words_that_the_best_one_has():
    parcels = leaf(
        "| Country | Weight | Price (EUR) |\n|---|---|---|\n| Ireland | 5 kg | 19 |\n"
        "| Ireland | 20 kg | 33 |\n| Ireland | 30 kg | 41 |",
        kind="table",
    )
    draft, _ = ask(
        "What is the price of a parcel of 20 kg to Ireland?",
        context(block(1, [parcels], headings=("Parcels",))),
    )
    assert [quote.text for quote in draft.quotes] == ["| Ireland | 20 kg | 33 |"]


def test_a_supplement_may_be_paid_as_a_share():
    evidence = context(
        block(1, [leaf("Overtime on Sundays is paid with a supplement of 50 percent.")])
    )
    draft, _ = ask("Which supplement is paid for overtime on Sundays?", evidence)
    assert draft.sufficient


def test_a_share_of_something_else_is_no_price():
    evidence = context(block(1, [leaf("The hall is heated to a humidity of 40 %.")]))
    draft, _ = ask("What does the hall cost?", evidence)
    assert not draft.sufficient


def test_the_note_that_a_quoted_sentence_refers_to_is_quoted_with_it():
    evidence = context(
        block(
            1,
            [
                leaf("Cordless drills have a warranty of 36 months.[^1]"),
                leaf("[^1] Of 24 months for commercial use.", start=60, ordinal=1),
                leaf("[^2] Not for saws.", start=110, ordinal=2),
            ],
        )
    )
    _, checked = ask("How long is the warranty of a cordless drill?", evidence)
    assert checked.answer == (
        "Cordless drills have a warranty of 36 months. [1]\n\nOf 24 months for commercial use. [2]"
    )


def test_a_price_is_no_answer_to_how_long():
    evidence = context(block(1, [leaf("The repair of a saw under warranty costs 79 EUR.")]))
    draft, _ = ask("How long is the warranty of a saw?", evidence)
    assert not draft.sufficient


def test_the_note_of_a_column_is_quoted_with_its_row_and_its_mark_is_not_shown():
    table = leaf(
        "| Tool | Warranty in months[^1] |\n|---|---|\n| Drill | 36 |\n| Saw | 24 |", kind="table"
    )
    note = leaf("[^1] Half for commercial use.", start=200, ordinal=1)
    _, checked = ask("How many months of warranty has a drill?", context(block(1, [table, note])))
    assert checked.answer == (
        "Tool: Drill; Warranty in months: 36 [1]\n\nHalf for commercial use. [2]"
    )


def test_the_same_sentence_is_not_quoted_twice_for_two_questions():
    question = (
        "How long is the probation period in Utrecht"
        " and how long does the probation period last in Utrecht?"
    )
    _, checked = ask(question, LEAVE)
    assert checked.answer == "The probation period lasts three months. [1]"


def test_what_is_struck_out_is_not_quoted_and_leaves_no_sign():
    text = "A complaint is answered in five days. ~~The old limit was ten days.~~ It is free."
    draft, _ = ask("What was the old limit of a complaint?", context(block(1, [leaf(text)])))
    assert "ten days" not in draft.answer
    assert "~" not in draft.answer


def test_the_signs_of_emphasis_in_a_cell_are_not_shown():
    table = leaf("| Studio | Equipment |\n|---|---|\n| North | **Mixer** and `XLR` |", kind="table")
    draft, _ = ask("What equipment has the studio North?", context(block(1, [table])))
    assert draft.answer == "Studio: North; Equipment: Mixer and XLR [1]"
