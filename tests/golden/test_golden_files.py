"""The sample company and the golden questions must fit together, or no measure on them counts."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "sample_company"
DOCUMENTS = sorted(path for path in FOLDER.iterdir() if path.is_file())
QUESTIONS = [
    json.loads(line)
    for line in (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    if line.strip()
]
ANSWERABLE = [question for question in QUESTIONS if question["answerable"]]
UNANSWERABLE = [question for question in QUESTIONS if not question["answerable"]]
FIELDS = {"id", "question", "answer", "doc", "evidence", "type", "lang", "answerable"}
TYPES = {"fact", "number", "date", "table", "procedure", "list", "comparison", "yes/no"}
CJK = re.compile(r"[\u3400-\u9fff]")


def body(path: Path) -> str:
    """The text of a document without its front matter."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"\A---\n.*?\n---\n", "", text, count=1, flags=re.DOTALL)


def title(path: Path) -> str | None:
    """The heading on the first line that is not empty, or None where that line is ordinary text."""
    lines = [line for line in body(path).splitlines() if line.strip()]
    first, second = lines[0], lines[1]
    if first.startswith("# "):
        return first[2:].strip()
    if re.fullmatch(r"=+", second.strip()):
        return first.strip()
    if path.suffix == ".txt" and first == first.upper():
        return first.strip()
    return None


def test_the_folder_holds_at_least_twelve_documents_and_only_documents():
    assert len(DOCUMENTS) >= 12
    assert {path.suffix for path in DOCUMENTS} == {".md", ".txt"}
    assert sum(path.suffix == ".txt" for path in DOCUMENTS) >= 3
    assert all(path.is_file() for path in FOLDER.iterdir())


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_each_document_has_a_title_and_enough_text(path):
    text = body(path)
    assert title(path), f"{path.name} does not begin with a title"
    characters = len(CJK.findall(text))
    if characters > len(text) / 4:
        assert characters >= 1_800
    else:
        assert len(text.split()) >= 900


def test_titles_of_documents_are_unique():
    assert [name for name, times in Counter(map(title, DOCUMENTS)).items() if times > 1] == []


def test_ids_and_questions_are_unique():
    for field in ("id", "question"):
        assert [
            value for value, times in Counter(q[field] for q in QUESTIONS).items() if times > 1
        ] == []


def test_thirty_questions_can_be_answered_and_ten_cannot():
    assert (len(ANSWERABLE), len(UNANSWERABLE)) == (30, 10)


def test_every_question_has_exactly_the_agreed_fields():
    for question in QUESTIONS:
        assert set(question) == FIELDS, question["id"]
        assert question["type"] in TYPES, question["id"]
        assert question["lang"] in {"en", "ru", "zh"}, question["id"]


@pytest.mark.parametrize("question", ANSWERABLE, ids=lambda question: question["id"])
def test_every_evidence_is_a_verbatim_part_of_one_line_that_stands_once_in_its_document(question):
    text = (FOLDER / question["doc"]).read_text(encoding="utf-8")
    assert question["answer"]
    assert question["evidence"]
    for passage in question["evidence"]:
        assert "\n" not in passage
        assert text.count(passage) == 1, (
            f"{passage!r} stands {text.count(passage)} times in {question['doc']}"
        )


def test_questions_without_an_answer_name_no_document_and_no_evidence():
    for question in UNANSWERABLE:
        assert (question["answer"], question["doc"], question["evidence"]) == (None, None, []), (
            question["id"]
        )


def test_one_document_repeats_a_section_title_under_several_parents():
    handbook = (FOLDER / "employee-handbook.md").read_text(encoding="utf-8")
    assert handbook.count("\n#### Exceptions\n") >= 4


def test_languages_tables_and_several_passages_are_represented():
    languages = Counter(question["lang"] for question in ANSWERABLE)
    assert languages["ru"] >= 3
    assert languages["zh"] >= 3
    assert {"ru", "zh"} <= {question["lang"] for question in UNANSWERABLE}
    assert sum(any(passage.startswith("|") for passage in q["evidence"]) for q in ANSWERABLE) >= 4
    assert sum(len(question["evidence"]) > 1 for question in ANSWERABLE) >= 2


def test_every_document_is_asked_about():
    assert {question["doc"] for question in ANSWERABLE} == {path.name for path in DOCUMENTS}


def test_year_traps_lead_to_a_passage_that_is_absent_from_the_other_year():
    traps = [
        question
        for question in ANSWERABLE
        if question["doc"].startswith("travel-and-expenses-policy-")
    ]
    assert len(traps) >= 4
    for question in traps:
        other = question["doc"].translate(str.maketrans({"5": "6", "6": "5"}))
        text = (FOLDER / other).read_text(encoding="utf-8")
        assert question["evidence"][0] not in text, question["id"]


def test_the_subject_of_an_unanswerable_question_does_not_appear_in_any_document():
    """Where one of these words turns up, somebody has probably written the answer in."""
    subjects = [
        "SL-440",
        "health insurance",
        "dog",
        "pets",
        "insurance company",
        "insurer",
        "ночную смену",
        "надбавк",
        "SD-60 工厂校准",
    ]
    everything = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS).casefold()
    for subject in subjects:
        start = r"\b" if subject.isascii() else ""
        assert re.search(start + re.escape(subject.casefold()), everything) is None, subject
