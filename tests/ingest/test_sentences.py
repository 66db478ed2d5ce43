"""Where sentences end, and in which language."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.ingest.language import detect_language
from knowledge.ingest.sentences import sentence_spans


def sentences(text: str, language: str) -> list[str]:
    return [span.of(text) for span in sentence_spans(text, language)]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["See Fig. 3 and eq. (4) by Smith et al. 2020.", "It holds, i.e. always."]),
        ("en", ["Dr. No read No. 5, p. 7.", "Then he left."]),
        ("en", ["Version 1.2.3 is out.", "Pi is 3.14, e.g. roughly."]),
        ("en", ["The answer is no.", "We left."]),
        ("ru", ["См. рис. 3 и табл. 4.", "Это т. е. так, см. п. 3 ст. 5.", "Всё."]),
        ("ru", ["А. С. Пушкин родился в 1799 г. в Москве.", "Он писал стихи и т.д. много."]),
        ("de", ["Das ist z. B. gut, vgl. Abb. 3.", "Am 3. Mai kam Dr. Müller."]),
        ("en", ["Invoices go to Ms. Hanna Weiss before noon.", "Call Mr. Tran."]),
        ("en", ["Склад находится на ул. Абая в г. Алматы.", "Он открыт."]),
        ("en", ["We take plan B.", "It is cheap."]),
        ("ru", ["Главный инженер – г-жа Е. П. Орлова из отдела.", "Звоните."]),
        ("zh", ["你好。", "今天天气很好！", "是吗？"]),
        ("ar", ["مرحبا.", "كيف حالك؟", "جيد."]),
        ("he", ["שלום.", "מה שלומך?"]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(language: str, expected: list[str]) -> None:
    joint = "" if language == "zh" else " "
    assert sentences(joint.join(expected), language) == expected


def test_enumerators_stay_with_their_sentences() -> None:
    assert sentences("1.1. The first rule. 2. Second.", "en")[0] == "1.1. The first rule."


def test_an_unknown_language_is_cut_like_english() -> None:
    assert len(sentences("One here. Two here.", "und")) == 2
    assert len(sentences("One here. Two here.", "xx")) == 2


@given(
    st.text(alphabet=st.sampled_from(list('aБ中 .!?。\n\t"“(1e😀é\u0301\u200f؟А.')), max_size=200),
    st.sampled_from(["en", "ru", "zh", "de", "ar", "und"]),
)
def test_sentences_are_ordered_trimmed_and_cover_all_but_space(text: str, language: str) -> None:
    position = 0
    for span in sentence_spans(text, language):
        assert text[position : span.start].strip() == ""
        assert span.start < span.end
        assert span.of(text) == span.of(text).strip()
        position = span.end
    assert text[position:].strip() == ""


@pytest.mark.parametrize("unit", ["“", "“a. ", "Dr. ", "word ", "a", "!", "(. "])
def test_a_long_paragraph_stays_fast(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    began = time.perf_counter()
    spans = sentence_spans(text, "en")
    # Measured below 0.6 s; quadratic behaviour would take minutes.
    assert time.perf_counter() - began < 10
    assert spans


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The rules of the house are for all of us and it is good."),
        ("de", "Die Regeln des Hauses sind für alle und das ist nicht schlecht."),
        ("fr", "Les règles de la maison sont pour tous et elles ne sont pas longues."),
        ("es", "Las reglas de la casa son para todos y no son muy largas."),
        ("ru", "Правила дома для всех."),
        ("uk", "Правила дому для всіх і її мешканців."),
        ("zh", "房子的规则适用于所有人。"),
        ("ja", "家の規則はみんなのものです。"),
        ("ko", "집의 규칙은 모두를 위한 것입니다."),
        ("ar", "قواعد البيت للجميع."),
        ("fa", "قوانین خانه برای همه است و گفتگو می‌کنیم."),
        ("he", "כללי הבית הם לכולם."),
        ("hi", "घर के नियम सभी के लिए हैं।"),
        ("und", "x = 12345; foo(bar)"),
        ("und", "12345 67890"),
        ("und", ""),
    ],
)
def test_the_language_is_told_by_script_and_words(language: str, text: str) -> None:
    assert detect_language(text) == language
