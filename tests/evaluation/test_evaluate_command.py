"""manage.py evaluate over a small pack made for this test: presets side by side, and resumed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Tenant
from accounts.operator import BadUsage
from accounts.tenancy import tenant_transaction
from knowledge.models import DocumentVersion
from retrieval.agent.presets import PRESETS
from retrieval.models import ExperienceQuestion, Run, UsageEntry
from retrieval.services.corpora import TENANT
from retrieval.services.evaluating import Evaluation
from tests.factories import make_membership, make_tenant, make_user
from tests.scripted_model import ScriptedModel
from tests.scripted_replies import Fail, say_json

WARRANTY = "The pump P-9 has a warranty of 30 months from the day of delivery."
NOISE = "The compressor K-2 may not be louder than 71 decibels at a distance of one metre."
OFFICE = "The office in Bergen opens at eight and closes at half past four."
FIGURES = {
    "tokens_per_question",
    "prompt_tokens",
    "completion_tokens",
    "calls",
    "rounds",
    "evidence_hit_at_1",
    "evidence_hit_at_5",
    "evidence_hit_at_10",
    "evidence_hit_at_20",
    "evidence_recall",
    "answer_f1",
    "answer_em",
    "abstention_precision",
    "abstention_recall",
    "citation_validity",
    "citation_precision",
    "escalation_rate",
    "false_no_escalation",
    "seconds_p50",
    "seconds_p95",
}
QUESTIONS: tuple[tuple[str, str, str, list[str], str], ...] = (
    ("w", "How long is the warranty of the pump P-9?", "30 months", [WARRANTY], "pumps.md"),
    ("n", "How loud may the compressor K-2 be?", "71 decibels", [NOISE], "noise.md"),
    ("o", "When does the office in Bergen open?", "eight", [OFFICE], "offices.md"),
    ("x", "Who founded the company?", "", [], ""),
)
Evaluate = Callable[..., dict[str, Any]]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    docs = tmp_path / "pack" / "docs"
    docs.mkdir(parents=True)
    filler = "\n\n".join(f"Paragraph {number} tells of hoses and valves." for number in range(30))
    for name, title, text in (
        ("pumps.md", "Pumps", WARRANTY),
        ("noise.md", "Noise", NOISE),
        ("offices.md", "Offices", OFFICE),
    ):
        (docs / name).write_text(f"# {title}\n\n{filler}\n\n## More\n\n{text}\n")
    rows = [
        {
            "id": name,
            "question": question,
            "answer": answer,
            "evidence": evidence,
            "doc": doc,
            "answerable": bool(evidence),
        }
        for name, question, answer, evidence, doc in QUESTIONS
    ]
    lines = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "pack" / "questions.jsonl").write_text(lines + "\n")
    return tmp_path / "pack"


@pytest.fixture
def scripted_model(settings: Any) -> Iterator[ScriptedModel]:
    with ScriptedModel() as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        settings.LLM_TIMEOUT_S = 20
        yield server


@pytest.fixture
def evaluate(pack: Path, db: None) -> Evaluate:
    def run(*options: str) -> dict[str, Any]:
        file = pack / "figures.json"
        call_command("evaluate", pack, "--json", str(file), *options, stdout=StringIO())
        found: dict[str, Any] = json.loads(file.read_text())
        return found

    return run


def kept(pack: Path) -> list[str]:
    return (pack / "figures.questions.jsonl").read_text().splitlines()


def test_all_presets_stand_side_by_side_with_every_figure(evaluate: Evaluate) -> None:
    report = evaluate()
    assert list(report["presets"]) == list(PRESETS)
    assert (report["dataset"], report["reader"], report["questions"]) == ("pack", "simulated", 4)
    for figures in report["presets"].values():
        assert set(figures) > FIGURES
        assert figures["errors"] == 0
        assert figures["citation_validity"] == 1
        assert figures["evidence_recall"] == 1
        assert figures["abstention_recall"] == 1
    assert report["presets"]["naive"]["evidence_hit_at_5"] == 1


def test_differences_are_told_with_their_intervals(evaluate: Evaluate) -> None:
    difference = evaluate("--presets", "deepread,adaptive")["differences"][
        "tokens, adaptive - deepread"
    ]
    assert difference["low"] <= difference["mean"] <= difference["high"] < 0


def test_nothing_of_it_is_stored_as_a_run_or_in_the_ledger(evaluate: Evaluate) -> None:
    evaluate("--presets", "viking", "--limit", "1")
    with tenant_transaction(Tenant.objects.get(slug=TENANT)):
        assert DocumentVersion.objects.count() == 3
        assert not Run.objects.exists()
        assert not UsageEntry.objects.exists()


def test_a_broken_off_evaluation_goes_on_where_it_was(
    evaluate: Evaluate, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = evaluate("--presets", "naive,viking")
    lines = kept(pack)
    assert len(lines) == 8
    torn = "\n".join(lines[:5]) + "\n" + lines[5][:40]
    (pack / "figures.questions.jsonl").write_text(torn)
    asked: list[str] = []
    outcome = Evaluation._outcome

    def counted(self: Evaluation, question: Any, switches: Any) -> Any:
        asked.append(f"{switches.name} {question.id}")
        return outcome(self, question, switches)

    monkeypatch.setattr(Evaluation, "_outcome", counted)
    again = evaluate("--presets", "naive,viking")
    assert asked == ["viking n", "viking o", "viking x"]
    for name in ("naive", "viking"):
        figures = dict(again["presets"][name])
        before = dict(whole["presets"][name])
        for timing in ("seconds_p50", "seconds_p95"):
            del figures[timing], before[timing]
        assert figures == before


def test_the_gold_documents_come_first_where_only_some_are_taken(evaluate: Evaluate) -> None:
    report = evaluate("--presets", "naive", "--documents", "1", "--limit", "3")
    assert report["documents"] == 1
    assert report["presets"]["naive"]["with_gold"] == 1


def test_the_extractive_reader_needs_no_tokens(evaluate: Evaluate) -> None:
    figures = evaluate("--presets", "naive", "--reader", "extractive")["presets"]["naive"]
    assert figures["tokens_per_question"] == 0
    assert figures["citation_validity"] == 1
    assert figures["citation_precision"] > 0.5


def test_a_models_fault_at_one_question_does_not_end_the_others(
    evaluate: Evaluate, pack: Path, scripted_model: ScriptedModel
) -> None:
    blank = {"quotes": [], "sufficient": False, "answer": "", "is_blank": True, "missing": []}

    def respond(body: Any) -> Any:
        if "P-9" in str(body["messages"][-1]["content"]).split("Question")[-1]:
            return Fail(400, "no")
        return say_json(blank)

    scripted_model.respond_with(respond)
    figures = evaluate("--presets", "naive", "--reader", "model")["presets"]["naive"]
    assert (figures["questions"], figures["errors"]) == (4, 1)
    assert len(kept(pack)) == 3  # what broke is asked again the next time


def test_a_page_with_charts_and_a_table_are_written(evaluate: Evaluate, pack: Path) -> None:
    files = ("--html", str(pack / "r.html"), "--markdown", str(pack / "r.md"))
    evaluate("--presets", "naive,adaptive", *files)
    page = (pack / "r.html").read_text()
    assert page.count("<svg") == 4
    assert "http" not in page.replace("http-equiv", "")
    assert "| Evidence hit@10 | 1.000 | 1.000 |" in (pack / "r.md").read_text()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--presets", "clever"), "There is no preset 'clever'"),
        (("--reader", "model"), "No model is configured"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_with_a_sentence(
    evaluate: Evaluate, options: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(BadUsage, match=sentence):
        evaluate(*options)


def test_a_company_that_is_called_evaluation_is_left_alone(evaluate: Evaluate) -> None:
    make_membership(make_tenant(TENANT), make_user())
    with pytest.raises(BadUsage, match="has members"):
        evaluate()


def test_a_folder_that_is_no_pack_is_refused(tmp_path: Path, db: None) -> None:
    with pytest.raises(BadUsage, match="needs a folder docs"):
        call_command("evaluate", tmp_path)


def test_with_a_history_a_question_asked_again_costs_a_fraction(evaluate: Evaluate) -> None:
    report = evaluate("--history", "2")
    assert list(report["presets"]) == ["viking", "viking-e", "viking-e-plus", "adaptive"]
    assert (report["history"], report["learned"], report["edges"]) == (2, 2, 2)
    above, below = report["bands"]["above tau"], report["bands"]["below tau"]
    assert (above["questions"], below["questions"]) == (2, 2)
    assert above["tokens_share"]["viking-e"] < 0.7
    assert above["tokens_share"]["viking-e-plus"] < 0.45
    assert above["presets"]["viking-e-plus"]["escalation_rate"] == 0
    assert (
        below["presets"]["viking-e"]["tokens_per_question"]
        == (below["presets"]["viking"]["tokens_per_question"])
    )
    for band in (above, below):
        for figures in band["presets"].values():
            assert figures["evidence_recall"] in (1, None)


def test_the_history_is_learnt_anew_and_nothing_of_the_questions_after_it(
    evaluate: Evaluate,
) -> None:
    evaluate("--history", "1", "--presets", "viking,viking-e")
    report = evaluate("--history", "2", "--presets", "viking,viking-e")
    assert (report["learned"], report["edges"]) == (2, 2)
    with tenant_transaction(Tenant.objects.get(slug=TENANT)):
        assert ExperienceQuestion.objects.count() == 2


def test_without_a_history_nothing_that_was_learnt_before_is_used(evaluate: Evaluate) -> None:
    fresh = evaluate("--presets", "viking-e", "--limit", "1")
    evaluate("--history", "1", "--presets", "viking,viking-e")
    again = evaluate("--presets", "viking-e,viking", "--limit", "1")
    figures = [report["presets"]["viking-e"]["tokens_per_question"] for report in (fresh, again)]
    assert figures[0] == figures[1] == again["presets"]["viking"]["tokens_per_question"]


def test_a_file_that_a_killed_evaluation_left_half_read_is_read(evaluate: Evaluate) -> None:
    evaluate("--presets", "naive", "--limit", "1")
    tenant = Tenant.objects.get(slug=TENANT)
    with tenant_transaction(tenant):
        version = DocumentVersion.objects.get(document__filename="pumps.md")
        version.runs.update(state="running", heartbeat_at=timezone.now() - timedelta(days=1))
        DocumentVersion.objects.filter(pk=version.pk).update(state="running")
    evaluate("--presets", "naive", "--limit", "1")
    with tenant_transaction(tenant):
        assert not DocumentVersion.objects.exclude(state="ready").exists()
