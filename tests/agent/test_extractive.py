"""Without a model the answer is quoted, or there is a reason why not."""

import pytest

from knowledge.embedding import embedder_for
from knowledge.lexical import dimension, query_terms
from retrieval.agent.assembly import assemble
from retrieval.agent.checking import check
from retrieval.agent.extractive import ExtractiveReasoner
from retrieval.agent.reasoner import Reasoner, Signals
from tests.agent.evidence_factories import block, context, hit, leaf, section

REASONER: Reasoner = ExtractiveReasoner(embedder_for("hashing"))

RATE = "The mileage allowance is {} euros per kilometre. It covers fuel and wear."
POLICIES = context(
    block(1, [leaf(RATE.format("0.50"))], title="Travel Policy 2026", headings=("Private car",)),
    block(2, [leaf(RATE.format("0.42"))], title="Travel Policy 2025", headings=("Private car",)),
)
HOTELS = leaf(
    "| Tier | Cities | Limit per night (EUR) |\n|---|---|---|\n"
    "| A | Zurich, London | 165 |\n| B | Vienna, Munich | 130 |",
    kind="table",
)


def ask(question, evidence):
    signals = Signals(queries=(question,), entries=50)
    draft = REASONER.answer(question, evidence, signals)
    return draft, check(draft, evidence)


def test_the_answer_is_the_sentence_itself_with_its_marker():
    draft, checked = ask("What is the mileage allowance per kilometre in 2026?", POLICIES)
    assert checked.holds
    assert checked.answer.startswith("The mileage allowance is 0.50 euros per kilometre. [1]")
    assert [quote.block for quote in draft.quotes] == [1] * len(draft.quotes)


@pytest.mark.parametrize(("year", "rate"), [("2025", "0.42"), ("2026", "0.50")])
def test_the_policy_of_the_year_that_is_asked_for_answers(year, rate):
    _, checked = ask(f"What was the mileage allowance per kilometre in {year}?", POLICIES)
    assert rate in checked.answer


def test_another_year_is_no_answer_and_is_named_as_missing():
    draft, checked = ask("What was the mileage allowance per kilometre in 2024?", POLICIES)
    assert not draft.sufficient
    assert draft.missing[0] == "2024"
    assert checked.citations == ()


def test_a_row_is_shown_with_its_headers_and_its_words_are_quoted():
    evidence = context(block(1, [HOTELS], headings=("Price limits",)))
    _, checked = ask("What is the limit per night in Munich?", evidence)
    assert "Cities: Vienna, Munich; Limit per night (EUR): 130 [" in checked.answer
    assert "| B | Vienna, Munich | 130 |" in [one.quote for one in checked.citations]
    assert checked.holds


def ask_the_bundled_model(question, text, language):
    page = section([text])
    hits = (hit(1, page, 0, language=language),)
    signals = Signals(hits, (question,), {}, 50, (language,), background=0.79)
    reasoner = ExtractiveReasoner(embedder_for("bundled"))
    return reasoner.answer(question, assemble(hits, [page]), signals)


PRICES = context(
    block(
        1,
        [
            leaf(
                "| Model | List price | Dealer price | Warranty |\n|---|---|---|---|\n"
                "| Ebba One | 249.00 | 187.00 | 24 months |\n"
                "| Ebba Two with steam | 1,490.00 | 1,117.50 | 36 months |",
                kind="table",
            )
        ],
        title="Catalogue",
        headings=("Kettles",),
    )
)


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What is the list price of the Ebba Two with steam?", "| Ebba Two"),
        ("What is the dealer price of the Ebba One?", "| Ebba One"),
        ("Which model costs 1,490 euros at the list price?", "| Ebba Two"),
        ("Which model costs 1490 euros at the list price?", "| Ebba Two"),
        ("Which model costs 187 euros at the dealer price?", "| Ebba One"),
    ],
)
def test_a_price_without_a_currency_is_found_by_its_column_or_its_amount(question, row):
    _, checked = ask(question, PRICES)
    assert checked.citations[0].quote.startswith(row)


def test_what_costs_another_amount_is_no_answer():
    draft, _ = ask("Which model costs 1,590 euros at the list price?", PRICES)
    assert not draft.sufficient
    assert "1,590" in draft.missing


@pytest.mark.parametrize(
    ("language", "text", "question"),
    [
        ("zh", "公司实行每周五天工作制，每天工作八小时。", "公司地址在哪里？"),
        ("zh", "公司实行每周五天工作制，每天工作八小时。", "公司有多少员工？"),
        ("zh", "上班时间为上午九点至下午六点，午休一小时。", "食堂几点开门？"),
        ("zh", "员工工作满一年后享有带薪年假十天。", "员工的生日礼物是什么？"),
        (
            "ru",
            "Поездка оформляется приказом руководителя не позднее чем за пять рабочих дней до неё.",
            "Сколько дней отпуска у сотрудника?",
        ),
    ],
)
def test_a_sentence_that_shares_only_the_company_or_the_days_is_no_answer(language, text, question):
    draft = ask_the_bundled_model(question, text, language)
    assert not draft.sufficient


@pytest.mark.parametrize(
    ("language", "text", "question"),
    [
        ("zh", "公司现有员工240人。", "公司有多少员工？"),
        ("zh", "员工工作满一年后享有带薪年假十天。", "年假有几天？"),
        ("ru", "Ежегодный отпуск сотрудника — 28 дней.", "Сколько дней отпуска у сотрудника?"),
        ("ru", "В компании работает 240 сотрудников.", "Сколько сотрудников в компании?"),
    ],
)
def test_a_sentence_that_tells_what_is_asked_of_the_company_is_quoted(language, text, question):
    draft = ask_the_bundled_model(question, text, language)
    assert [quote.text for quote in draft.quotes] == [text]


def test_numbers_in_the_headers_of_a_quoted_row_are_supported():
    table = leaf("| Item | FY2021 |\n|---|---|\n| Revenue | 99 |", kind="table")
    _, checked = ask("What was the revenue in FY2021?", context(block(1, [table])))
    assert "FY2021: 99" in checked.answer
    assert checked.holds


def test_a_product_that_is_not_there_is_not_answered_with_another_one():
    prices = leaf("The SL-420 costs 2,480 euros. The SL-430 costs 90 euros.")
    draft, _ = ask("What does the SL-440 cost?", context(block(1, [prices], headings=("Prices",))))
    assert not draft.sufficient
    assert draft.missing == ("SL-440",)
    assert "SL-440" in draft.reason


def test_a_question_about_money_is_not_answered_without_an_amount():
    text = "A parking place in the garage is given by lot. A parking place costs 30 euros."
    _, checked = ask(
        "How much does a parking place in the garage cost?", context(block(1, [leaf(text)]))
    )
    assert checked.answer == "A parking place costs 30 euros. [1]"


def test_code_is_shown_as_code():
    code = leaf("slctl set interval 15m", kind="code")
    _, checked = ask("How do I set the interval with slctl?", context(block(1, [code])))
    assert checked.answer == "`slctl set interval 15m` [1]"


def test_several_lines_of_code_keep_their_lines():
    text = "# set the interval\nslctl set interval 15m"
    lines = leaf(text, kind="code")
    lines = lines.__class__(
        **{name: getattr(lines, name) for name in lines.__slots__}
        | {"sentences": ((0, 18), (19, len(text)))}
    )
    _, checked = ask("How do I set the interval with slctl?", context(block(1, [lines])))
    assert checked.answer == f"~~~~\n{text}\n~~~~\n[1]"


def test_the_brackets_of_a_quoted_paper_are_no_markers():
    paper = leaf("The parser of Klein [5] reads forty words a second.")
    _, checked = ask(
        "How many words a second does the parser of Klein read?", context(block(1, [paper]))
    )
    assert checked.answer == "The parser of Klein \\[5\\] reads forty words a second. [1]"


def test_the_same_words_in_two_documents_are_quoted_once():
    text = "Claims are handed in within 21 days of the end of the trip."
    evidence = context(block(1, [leaf(text)]), block(2, [leaf(text)], title="Copy"))
    draft, _ = ask("Within how many days of the end of the trip are claims handed in?", evidence)
    assert [quote.text for quote in draft.quotes] == [text]


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("May I bring my dog to the office?", "No passage answers this question"),
        ("Darf ich meinen Hund mitbringen, und wie ist das geregelt?", "Keine Textstelle"),
        ("Можно ли привести собаку в офис?", "Ни один фрагмент"),
        ("可以带宠物去办公室吗？", "没有哪个段落"),
        ("¿Puedo llevar a mi perro?", "No passage answers this question"),
    ],
)
def test_abstaining_is_explained_in_the_language_of_the_question(question, part):
    draft, _ = ask(question, POLICIES)
    assert not draft.sufficient
    assert draft.answer == ""
    assert draft.quotes == ()
    assert part in draft.reason


def test_abstaining_names_what_is_missing_and_what_came_nearest():
    draft, _ = ask("May I bring my dog to the office?", POLICIES)
    assert "dog" in draft.missing
    assert "Travel Policy 2026 > Private car" in draft.reason


def test_without_evidence_the_search_is_said_to_have_found_nothing():
    draft, _ = ask("May I bring my dog?", context())
    assert draft.reason == "The search found no passage about this question."


def test_every_answer_survives_its_own_check():
    evidence = context(
        block(1, [leaf("**Payment** within 30 days – “net”; 2 % off."), HOTELS]),
        block(2, [leaf("见第12条[3]。退款期限为十天。")], language="zh"),
    )
    for question in ("When is payment due, net?", "What is the limit in London?", "退款期限多久？"):
        draft, checked = ask(question, evidence)
        assert checked.rejected == ()
        assert checked.unsupported == ()
        assert len(checked.citations) == len(draft.quotes)


def test_a_better_hit_wins_between_equal_sentences():
    text = "Receipts are kept for {} years."
    one, other = section([text.format("six")]), section([text.format("ten")], version_id=2)
    hits = (hit(1, other, 0), hit(2, one, 0))
    question = "For how many years are receipts kept?"
    frequency = {dimension(term): 2 for term in query_terms(question, ("en",))}
    signals = Signals(hits, (question,), frequency, 50, ("en",))
    draft = REASONER.answer(question, assemble(hits, [one, other]), signals)
    assert draft.quotes[0].text == "Receipts are kept for ten years."


SHEET = leaf(
    "| Property | SL-420 |\n|---|---|\n| Battery life | 60 h |\n| Charging time | 4 h |\n"
    "| Memory | 50,000 records |",
    kind="table",
)


def test_rows_that_share_only_the_code_do_not_answer_about_something_else():
    warranty = leaf("The meter carries a warranty of 24 months and the sensors of 12.")
    evidence = context(
        block(1, [SHEET], title="SL-420", headings=("SL-420",)),
        block(2, [warranty], title="Manual", headings=("SL-420",)),
    )
    question = "SL-420 warranty, what is it for the SL-420?"
    draft, _ = ask(question, evidence)
    assert [quote.text for quote in draft.quotes] == [warranty.text]


def test_the_best_sentence_comes_first_wherever_it_stands():
    text = (
        "The summer party of the company takes place in June. "
        "The summer party of the company takes place in the garden in June."
    )
    question = "Where in the garden in June does the next summer party of the company take place?"
    draft, _ = ask(question, context(block(1, [leaf(text)])))
    assert draft.quotes[0].text.endswith("in the garden in June.")
    assert len(draft.quotes) == 2


@pytest.mark.parametrize(
    "question",
    [
        "What is the name of the starter of our bread?",
        "What is the starter of our bread called?",
        "Which is the name of the starter?",
    ],
)
def test_a_name_is_found_where_the_text_does_not_say_name(question):
    starter = leaf("The starter of our sourdough bread is called Bertha.")
    evidence = context(block(1, [starter], title="bread"))
    draft = REASONER.answer(question, evidence, Signals(queries=(question,), entries=1))
    assert [quote.text for quote in draft.quotes] == [starter.text]


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
    signals = Signals(queries=("q",), entries=50, own_names=("Brightmoor Tools",))
    draft = REASONER.answer("How many people are employed by Brightmoor?", evidence, signals)
    assert draft.sufficient


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
