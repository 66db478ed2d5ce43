"""Scores of an answer, and of a run over questions."""

import json

import pytest

from retrieval.evaluation.dataset import BadDataset, Gold, documents_of, read_questions
from retrieval.evaluation.letters import Letters, overlaps
from retrieval.evaluation.scores import exact_match, hit_at, precision_recall, token_f1
from retrieval.evaluation.statistics import mean, paired_difference, quantile


@pytest.mark.parametrize(
    ("answer", "gold"),
    [("The 36 months.", "36 months"), ("1,500", "1500"), ("1000", "1000.5"), ("北京", "北京。")],
)
def test_the_same_words_or_values_are_an_exact_match(answer, gold):
    assert exact_match(answer, gold)


@pytest.mark.parametrize(("answer", "gold"), [("37 months", "36 months"), ("no", "yes")])
def test_other_words_and_values_are_none(answer, gold):
    assert not exact_match(answer, gold)


def test_f1_counts_shared_words():
    assert token_f1("warranty of 36 months", "36 months") == pytest.approx(2 * 0.5 * 1 / 1.5)
    assert token_f1("", "x") == 0
    assert token_f1("三十六个月", "三十六个月") == 1


def test_a_hit_counts_from_its_rank_on():
    assert [hit_at(5, depth) for depth in (1, 5, 10)] == [False, True, True]
    assert not hit_at(None, 20)


def test_precision_and_recall_of_abstaining():
    assert precision_recall([True, True, False], [True, False, False]) == (0.5, 1.0)
    assert precision_recall([False], [False]) == (1.0, 1.0)


def test_a_passage_is_found_whatever_stands_between_its_letters():
    text = Letters.of("It is\n36—months  long.")
    assert text.find("36 months") == (4, 12)
    assert text.find("37 months") is None
    assert text.span(6, 15) == (4, 12)
    assert overlaps((0, 10), (5, 15))
    assert not overlaps((0, 10), (8, 18))


def test_a_paired_difference_has_an_interval_around_its_mean():
    found = paired_difference([1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.5])
    assert found.mean == pytest.approx(0.875)
    assert found.low <= found.mean <= found.high
    assert paired_difference([], []).mean == 0
    assert mean([]) == quantile([], 0.5) == 0
    with pytest.raises(ValueError, match="questions"):
        paired_difference([1.0], [])


def pack(folder, *rows):
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text("# A\n\nText.\n", encoding="utf-8")
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_a_pack_gives_its_files_and_questions(tmp_path):
    folder = pack(
        tmp_path,
        {"id": 1, "question": "Q?", "answer": "A", "doc": "a.md", "evidence": ["Text.", ""]},
        {"id": 2, "question": "Q?", "question_kb": "In a: Q?", "answerable": False},
        {"id": 3, "question": "Q?", "docs": ["a.md", "b.md"], "evidence": ["Text."]},
    )
    first, second, third = read_questions(folder)
    assert [path.name for path in documents_of(folder)] == ["a.md"]
    assert first.evidence == (Gold("a.md", "Text."),)
    assert (second.text, second.answerable) == ("In a: Q?", False)
    assert third.evidence == (Gold("", "Text."),)


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 1}', '{"id": ' + "9" * 5_000 + "}"])
def test_a_line_that_is_no_question_is_named(tmp_path, line):
    with pytest.raises(BadDataset, match="line 2"):
        read_questions(pack(tmp_path, {"id": 1, "question": "Q?"}, line))


def test_a_folder_without_questions_is_no_pack(tmp_path):
    with pytest.raises(BadDataset, match=r"questions\.jsonl"):
        read_questions(tmp_path)
