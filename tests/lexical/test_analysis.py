"""Which terms a text has, and that questions meet them."""

import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.lexical import query_terms, terms


@pytest.mark.parametrize(
    ("language", "asked", "written"),
    [
        ("en", "travelling employees", "Employee travels"),
        ("en", "resume", "Résumé"),
        ("en", "the company's rules", "the company’s rules"),
        ("ru", "согласование отпуска", "Отпуском, согласованием"),
        ("ru", "отчет за замок", "отчёт за за́мок"),
        ("de", "strasse häuser", "Straße Häusern"),
        ("fr", "homme", "l’homme"),
        ("es", "nino", "niño"),
        ("ar", "كتاب", "الكِتَابُ"),
        ("he", "שלום", "שָׁלוֹם"),
        ("hi", "किताब", "किताबें"),
        ("tr", "kitaplar", "kitap"),
        ("zh", "年假", "员工的年假需要提前申请。"),
        ("ja", "設計", "データベースの設計を行う"),
        ("ko", "데이터베이스", "데이터베이스를 설계했다"),
        ("th", "ภาษา", "ภาษาไทย"),
        ("xx", "unchanged", "Unchanged"),
        ("", "rules", "rule"),
        ("und", "rules", "rule"),
    ],
)
def test_other_forms_and_spellings_of_a_word_meet(language: str, asked: str, written: str) -> None:
    question, passage = set(query_terms(asked, [language])), set(terms(written, language))
    assert question
    assert question <= passage


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("E-104", "e104"),
        ("E104", "e104"),
        ("ISO-27001", "iso27001"),
        ("ISO-27001", "iso"),
        ("ISO-27001", "27001"),
        ("v2.4.1", "v2.4.1"),
        ("v2.4.1.", "2.4.1"),
        ("1,234", "1234"),
        ("1,234.56", "1234.56"),
        ("1.234,56", "1234.56"),
        ("1\u00a0234", "1234"),
        ("3,5 %", "3.5"),
        ("FY2021", "2021"),
        ("2019-2020", "2020"),
        ("max_tokens", "maxtokens"),
        ("e-mail", "email"),
        ("U.S.", "us"),
        ("R&D", "rd"),
        ("C++", "c++"),
        ("C# and F#", "c#"),
        ("١٢٣", "123"),
        ("Ａ４", "a4"),
    ],
)
def test_numbers_and_codes_are_kept_whole(written: str, expected: str) -> None:
    assert expected in terms(written, "en")


def test_enumerated_numbers_are_not_one_number() -> None:
    assert terms("[1,2,3]", "en") == ["1", "2", "3"]


def test_a_long_code_has_no_parts() -> None:
    assert terms("a1b22c33d44e55", "en") == ["a1b22c33d44e55"]


def test_one_chinese_character_is_a_term_and_more_are_pairs() -> None:
    assert terms("税", "zh") == ["税"]
    assert terms("个人所得", "zh") == ["个人", "人所", "所得"]


def test_compounds_of_words_are_their_words() -> None:
    assert terms("state-of-the-art", "en") == ["state", "of", "the", "art"]


def test_a_foreign_word_is_stemmed_by_the_rules_of_its_script() -> None:
    assert "employe" in terms("Слово employees в тексте", "ru")
    assert "документ" in terms("The word документами", "en")


def test_a_question_has_the_stems_of_each_language_of_the_base() -> None:
    asked = query_terms("Häusern", ["de", "en", "ru"])
    assert set(asked) == set(terms("Häusern", "de")) | set(terms("Häusern", "en"))


def test_a_stem_that_languages_share_counts_once() -> None:
    assert query_terms("hotel", ["de", "en", "es"]) == ["hotel"]


def test_a_language_may_carry_its_region() -> None:
    assert terms("employees", "en-GB") == terms("employees", "en")


def test_repeats_are_kept_because_frequency_counts() -> None:
    assert terms("fare fares fare", "en") == ["fare"] * 3


@given(st.text(max_size=200), st.sampled_from(["en", "ru", "zh", "fr", "ar", ""]))
def test_any_text_has_short_terms_without_spaces(text: str, language: str) -> None:
    for term in terms(text, language):
        assert 0 < len(term) <= 64
        assert not any(char.isspace() for char in term)


@given(st.text(max_size=60), st.sampled_from(["en", "ru", "zh"]))
def test_a_question_that_tells_something_keeps_it(text: str, language: str) -> None:
    asked, written = query_terms(text, [language]), terms(text, language)
    assert bool(asked) == bool(written)
    assert set(asked) <= set(written) | set(text)


@pytest.mark.parametrize(
    ("languages", "question", "same"),
    [
        (["en"], "Which rules does the office have?", "rules the office have"),
        (["ru"], "Сколько дней длится отпуск?", "дней длится отпуск"),
        (["de", "en"], "Wann wurde das Werk eröffnet?", "das Werk eröffnet"),
        (["de", "en"], "Which war?", "war"),
        (["en"], "Какой срок?", "срок"),
        (["zh"], "年假有多少天", "年假有 天"),
        (["ja"], "年休は何日ですか", "年休は 日"),
    ],
)
def test_words_that_only_ask_are_left_out_of_questions(
    languages: list[str], question: str, same: str
) -> None:
    assert query_terms(question, languages) == query_terms(same, languages)


def test_documents_keep_words_that_ask() -> None:
    assert terms("which rules", "en") == ["which", "rule"]


def test_a_question_of_nothing_else_keeps_its_words() -> None:
    assert query_terms("Who is who?", ["en"]) == ["who", "is", "who"]


def test_a_name_in_capitals_is_no_word_that_asks() -> None:
    assert "who" in query_terms("What did the WHO say?", ["en"])
    assert "who" not in query_terms("WHO WROTE THE RULES", ["en"])


def test_threads_may_stem_at_once() -> None:
    words = [f"national{number}ities running{number}ly" for number in range(300)]
    text = " ".join(f"{word} nationalities runnings" for word in words)
    expected, found = terms(text, "en"), []
    threads = [
        threading.Thread(target=lambda: found.append(terms(text, "en") == expected))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 4


def test_neither_django_nor_a_database_is_imported() -> None:
    code = (
        "import sys, knowledge.lexical, knowledge.embedding, retrieval.ranking;"
        "sys.exit(bool({'django', 'psycopg', 'pgvector'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
