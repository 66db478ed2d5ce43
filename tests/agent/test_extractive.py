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
