"""manage.py evaluate DIR --presets a,b --reader simulated|extractive|model [--json FILE]"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.operator import BadUsage, OperatorCommand, whole_number
from retrieval.agent.presets import PRESETS, Switches
from retrieval.agent.prompting import prompts_hash
from retrieval.agent.reading import PROMPTS
from retrieval.evaluation.dataset import BadDataset, Question, documents_of, read_questions
from retrieval.evaluation.outcomes import QuestionOutcome
from retrieval.evaluation.report import banded, report_of
from retrieval.evaluation.tables import html, markdown
from retrieval.model_resolver import models_for
from retrieval.services.corpora import TenantInUse, corpus_ingest, evaluation_tenant
from retrieval.services.evaluating import Evaluation, corpus_of
from retrieval.services.experience.history import band_of, history_forget, history_learn, stream_of

WITH_HISTORY = ("viking", "viking-e", "viking-e-plus", "adaptive")
HALF = 0
READERS = ("simulated", "extractive", "model")


class Command(OperatorCommand):
    help = "Compare presets over a folder of documents and questions with gold evidence."

    def add_arguments(self, parser: CommandParser) -> None:
        number = whole_number(1, 1_000_000)
        parser.add_argument("folder", type=Path, metavar="DIR", help="docs/ and questions.jsonl")
        parser.add_argument("--presets", help="names with commas; else all that apply")
        parser.add_argument(
            "--history",
            type=number,
            nargs="?",
            const=HALF,
            metavar="N",
            help="learn from the first N questions, half of them by default; then ask these in "
            "other words, and the others, with what was learnt",
        )
        parser.add_argument("--reader", choices=READERS, default="simulated")
        parser.add_argument("--limit", type=number, metavar="N", help="only the first N questions")
        parser.add_argument(
            "--documents", type=number, metavar="N", help="at most N files, the gold ones first"
        )
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
        parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table there")
        parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with charts")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"].resolve()
        with_history = options["history"] is not None
        presets = self._presets(
            options["presets"] or ",".join(WITH_HISTORY if with_history else PRESETS)
        )
        try:
            models = models_for(evaluation_tenant())
        except TenantInUse as error:
            raise BadUsage(str(error)) from error
        if options["reader"] == "model" and "answer" not in models:
            raise BadUsage("No model is configured: set CAIRN_LLM_BASE_URL and CAIRN_LLM_MODEL.")
        try:
            questions = read_questions(folder)[: options["limit"]]
        except BadDataset as error:
            raise BadUsage(str(error)) from error
        files = _chosen(documents_of(folder), questions, options["documents"])
        name = folder.name + (f" {len(files)}" if options["documents"] else "")
        base, refused = corpus_ingest(
            name=name, files=files, folder=folder / "docs", told=self.note
        )
        for sentence in refused:
            self.note(sentence)
        corpus = corpus_of(base.tenant_id, base)
        evaluation = Evaluation(corpus, options["reader"], models)
        kept = _Kept(options["json"])
        if with_history:
            report = self._with_history(evaluation, presets, questions, kept, options, name)
        else:
            history_forget(base)
            outcomes = {
                one.name: self._outcomes(evaluation, one, questions, kept, name) for one in presets
            }
            report = report_of(folder.name, options["reader"], outcomes)
        report["documents"] = len(files)
        report["unreadable"] = len(refused)
        self._write(report, options)

    def _with_history(
        self,
        evaluation: Evaluation,
        presets: Sequence[Switches],
        questions: Sequence[Question],
        kept: "_Kept",
        options: dict[str, Any],
        corpus: str,
    ) -> dict[str, Any]:
        """Return the report of the stream after its history, by likeness to that history."""
        count = options["history"] if options["history"] != HALF else (len(questions) + 1) // 2
        history, stream = stream_of(questions, count)
        known, edges = history_learn(evaluation, history)
        evaluation.history = min(evaluation.history, known)
        self.note(f"learnt {known} of {len(history)} questions, with {edges} edges")
        base = evaluation.corpus.base
        band = band_of(base, [one.text for one in history], [one.text for one in stream])
        corpus = f"{corpus} after {len(history)}, {edges} edges"
        outcomes = {
            one.name: self._outcomes(evaluation, one, stream, kept, corpus) for one in presets
        }
        report = banded(options["folder"].name, evaluation.kind, outcomes, band.above)
        return report | {"history": len(history), "learned": known, "edges": edges, "tau": band.tau}

    def _presets(self, names: str) -> list[Switches]:
        unknown = [name for name in names.split(",") if name not in PRESETS]
        if unknown:
            raise BadUsage(f"There is no preset {unknown[0]!r}; there are {', '.join(PRESETS)}.")
        return [PRESETS[name] for name in names.split(",")]

    def _outcomes(
        self,
        evaluation: Evaluation,
        switches: Switches,
        questions: Sequence[Question],
        kept: "_Kept",
        corpus: str,
    ) -> list[QuestionOutcome]:
        """Return every question's outcome; those that an earlier run kept are not asked again."""
        run = f"{corpus}/{evaluation.kind}/{asdict(switches)}/{prompts_hash(PROMPTS)}"
        done = []
        for number, question in enumerate(questions, 1):
            outcome = kept.get(run, question.id)
            if outcome is None:
                outcome = next(evaluation.outcomes([question], switches))
                kept.put(run, outcome)
            done.append(outcome)
            if number % 20 == 0:
                self.note(f"{switches.name}: {number} of {len(questions)} questions")
        return done

    def _write(self, report: dict[str, Any], options: dict[str, Any]) -> None:
        self.stdout.write(markdown(report))
        for key, text in (
            ("json", json.dumps(report, ensure_ascii=False, indent=2)),
            ("markdown", markdown(report)),
            ("html", html(report)),
        ):
            if options[key]:
                options[key].write_text(text, encoding="utf-8")


class _Kept:
    """Outcomes beside the figures' file, a line each, so that a broken-off evaluation goes on.

    They are only used for the same switches, prompts, reader and corpus.
    """

    def __init__(self, file: Path | None) -> None:
        self._path = file.with_suffix(".questions.jsonl") if file else None
        self._rows: dict[tuple[str, str], QuestionOutcome] = {}
        if self._path and self._path.is_file():
            for line in self._path.read_text(encoding="utf-8").splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    continue  # the last line of a run that was killed
                self._rows[row["run"], row["outcome"]["id"]] = QuestionOutcome(**row["outcome"])

    def get(self, run: str, question_id: str) -> QuestionOutcome | None:
        return self._rows.get((run, question_id))

    def put(self, run: str, outcome: QuestionOutcome) -> None:
        if self._path and not outcome.error:
            with self._path.open("a", encoding="utf-8") as file:
                row = {"run": run, "outcome": asdict(outcome)}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _chosen(
    files: Sequence[Path], questions: Sequence[Question], limit: int | None
) -> tuple[Path, ...]:
    """Return at most ``limit`` files, those with gold evidence first."""
    if limit is None:
        return tuple(files)
    gold = {passage.file for question in questions for passage in question.evidence}
    ordered = sorted(files, key=lambda path: (path.name not in gold, path.name))
    return tuple(sorted(ordered[:limit]))
