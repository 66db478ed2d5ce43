"""Documents that a question calls by name come first, ordered by the rest of the question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ranking import (
    Fused,
    NamedDocuments,
    Scored,
    named_documents,
    score_fusion,
    with_named_documents,
)

NAMES = [
    (1, "Travel Policy"),
    (2, "Travel Policy 2024"),
    (3, "1910.12574"),
    (4, "Oxygen"),
    (5, "年假规定"),
    (6, "Правила внутреннего распорядка"),
    (7, "FY2021"),
    (8, ""),
]


@pytest.mark.parametrize(
    ("question", "documents", "rest"),
    [
        ("What does the travel policy say about hotels?", {1}, "What does the say about hotels?"),
        ("In the “Travel policy 2024”: who pays?", {2}, "In the : who pays?"),
        ("In the paper 1910.12574: which data?", {3}, "In the paper : which data?"),
        ("How is oxygen made?", set(), "How is oxygen made?"),
        ("年假规定里有多少天？", {5}, "里有多少天？"),
        ("Что в «Правила  внутреннего распорядка» об отпуске?", {6}, "Что в об отпуске?"),
        ("Revenue in FY2021?", {7}, "Revenue in ?"),
        ("The travel policy and 1910.12574?", {1, 3}, "The and ?"),
        ("The policy on travel", set(), "The policy on travel"),
        ("Travel Policy?", {1}, "Travel Policy?"),
        ("", set(), ""),
    ],
)
def test_a_name_is_found_and_taken_out(question: str, documents: set[int], rest: str) -> None:
    named = frozenset(documents)
    assert named_documents(question, NAMES) == NamedDocuments(named, rest, named)


def test_documents_of_the_same_name_are_all_named_and_none_is_singled_out() -> None:
    names = [("v1", "Staff handbook"), ("v2", "staff-handbook"), ("other", "Handbook")]
    found = named_documents("the Staff Handbook", names)
    assert found.documents == {"v1", "v2"}
    assert not found.singled_out


CONTRACTS = [
    ("kerber", "Non-Disclosure Agreement"),
    ("kerber", "Kerber_NDA_signed"),
    ("one", "Non-Disclosure Agreement"),
    ("one", "SupplementOne-NDA"),
    ("tabun", "TabunKitchenInvestments"),
    ("dhs", "dhs-nda"),
    ("what", "What is confidential"),
    ("2019", "Offer 2019"),
]


@pytest.mark.parametrize(
    ("question", "singled_out", "rest"),
    [
        ("Consider Kerber's NDA: who may copy?", {"kerber"}, "Consider 's NDA: who may copy?"),
        ("SupplementOne and DHS: who may copy?", {"one", "dhs"}, "and : who may copy?"),
        ("What may Tabun Kitchen copy?", {"tabun"}, "What may copy?"),
        ("Is what DHS signed confidential?", {"dhs"}, "Is what signed confidential?"),
        ("May Kerber Non-Disclosure copy?", {"kerber"}, "May Non-Disclosure copy?"),
        ("May Boxing Gas Kerber copy?", set(), "May Boxing Gas Kerber copy?"),
        ("May Boxing Gas, Kerber copy?", {"kerber"}, "May Boxing Gas, copy?"),
        ("WHAT DID DHS SIGN?", set(), "WHAT DID DHS SIGN?"),
        ("He asked: “What is secret?”", set(), "He asked: “What is secret?”"),
        ("2) What is secret?", set(), "2) What is secret?"),
        ("DHS 的 secret", {"dhs"}, "的 secret"),
        ("Is the kerber signed?", set(), "Is the kerber signed?"),
        ("Who may copy? What is secret?", set(), "Who may copy? What is secret?"),
        ("Who signed in 2019?", set(), "Who signed in 2019?"),
    ],
)
def test_a_capitalised_word_of_one_document_s_names_singles_it_out(
    question: str, singled_out: set[str], rest: str
) -> None:
    named = frozenset(singled_out)
    assert named_documents(question, CONTRACTS) == NamedDocuments(named, rest, named)


def test_a_name_that_documents_share_does_not_hide_the_one_that_is_singled_out() -> None:
    found = named_documents("DHS's Non-Disclosure Agreement: who may copy?", CONTRACTS)
    assert found.documents == {"kerber", "one", "dhs"}
    assert found.singled_out == {"dhs"}


@given(st.text(max_size=80), st.lists(st.tuples(st.integers(), st.text(max_size=12)), max_size=5))
def test_the_rest_is_never_empty_unless_the_question_is(
    question: str, names: list[tuple[int, str]]
) -> None:
    found = named_documents(question, names)
    assert found.rest.strip() or not question.strip() or not found.documents
    assert found.documents <= {document for document, _ in names}


HITS = score_fusion(
    [[Scored("a/1", 9.0), Scored("a/2", 8.0), Scored("b/1", 7.5), Scored("a/3", 7.0)]]
)


def document_of(id: str) -> str:
    return id.split("/")[0]


def order(hits: list[Fused[str]]) -> list[str]:
    return [hit.id for hit in hits]


def test_a_named_document_is_ordered_by_the_rest_of_the_question() -> None:
    inside = score_fusion([[Scored("a/3", 5.0), Scored("a/2", 3.0), Scored("a/9", 1.0)]])
    ranked = with_named_documents(HITS, inside, document_of)
    assert order(ranked) == ["a/3", "a/2", "a/9", "a/1", "b/1"]
    assert ranked[0].score == pytest.approx(HITS[0].score + 0.3)
    assert ranked[-1] == HITS[2]


def test_a_document_that_is_singled_out_comes_before_those_that_share_a_name() -> None:
    inside = score_fusion([[Scored("b/1", 5.0), Scored("c/1", 5.0)]])
    ranked = with_named_documents(HITS, inside, document_of, {"c"})
    scores = {hit.id: hit.score for hit in ranked}
    assert scores["c/1"] == pytest.approx(0.5)
    assert scores["b/1"] == pytest.approx(HITS[2].score + 0.3)


def test_so_many_passages_of_documents_singled_out_are_first_as_are_asked_for() -> None:
    inside = score_fusion([[Scored("c/1", 9.0), Scored("c/2", 8.0), Scored("c/3", 1.0)]])
    ranked = order(with_named_documents(HITS, inside, document_of, {"c"}, first=2))
    assert (ranked[:3], "c/3" in ranked) == (["c/1", "c/2", "a/1"], True)


def test_a_name_in_passing_does_not_bury_a_better_document() -> None:
    inside = score_fusion([[Scored("b/1", 5.0)]])
    assert order(with_named_documents(HITS, inside, document_of))[:2] == ["a/1", "b/1"]


def test_a_named_document_without_hits_still_appears() -> None:
    inside = score_fusion([[Scored("c/1", 5.0)]])
    ranked = {hit.id: hit.score for hit in with_named_documents(HITS, inside, document_of)}
    assert ranked["c/1"] == pytest.approx(0.3)


def test_without_a_named_document_nothing_changes() -> None:
    assert with_named_documents(HITS, [], document_of) == HITS


@given(
    st.lists(st.sampled_from([f"{d}/{n}" for d in "abc" for n in range(4)]), unique=True),
    st.lists(st.sampled_from([f"{d}/{n}" for d in "ab" for n in range(4)]), unique=True),
)
def test_every_hit_is_there_once(hits: list[str], inside: list[str]) -> None:
    def fused(ids: list[str]) -> list[Fused[str]]:
        return score_fusion([[Scored(id, float(-at)) for at, id in enumerate(ids)]])

    ranked = order(with_named_documents(fused(hits), fused(inside), document_of))
    assert sorted(ranked) == sorted({*hits, *inside})
