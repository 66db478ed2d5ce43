"""A pack: a folder with `docs/` and `questions.jsonl`.

Errors: BadDataset, with the line and a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


class BadDataset(ValueError):
    """The folder is no pack; the message names the file and line."""


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold passage in a file; ``file`` is '' where the pack does not say which."""

    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """``scope`` is the file the question is asked of, '' for the whole base."""

    id: str
    text: str
    answer: str
    evidence: tuple[Gold, ...]
    answerable: bool
    type: str = ""
    scope: str = ""


def read_questions(folder: Path) -> tuple[Question, ...]:
    """Return the questions of a pack, in order. Raises BadDataset.

    Where there is a ``question_kb`` it is asked, since the plain question assumes one open file.
    """
    path = folder / "questions.jsonl"
    if not path.is_file() or not (folder / "docs").is_dir():
        raise BadDataset(f"{folder} needs a folder docs and a file questions.jsonl.")
    questions = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            questions.append(_question(json.loads(line)))
        except KeyError as missing:
            raise BadDataset(
                f"{path.name}, line {number}: the field {missing} is missing."
            ) from missing
        except (ValueError, RecursionError, TypeError, AttributeError) as error:
            raise BadDataset(f"{path.name}, line {number}: {error}") from error
    return tuple(questions)


def documents_of(folder: Path) -> tuple[Path, ...]:
    """Return the files of a pack, sorted by their path."""
    return tuple(sorted(path for path in (folder / "docs").rglob("*") if path.is_file()))


def _question(row: Mapping[str, object]) -> Question:
    evidence = [str(one) for one in _list(row.get("evidence"))]
    files = _list(row.get("evidence_docs")) or _files(row, len(evidence))
    gold = zip(files, evidence, strict=False)
    return Question(
        id=str(row["id"]),
        text=str(row.get("question_kb") or row["question"]),
        answer=str(row.get("answer") or ""),
        evidence=tuple(Gold(str(file or ""), text) for file, text in gold if text),
        answerable=row.get("answerable") is not False,
        type=str(row.get("type") or ""),
    )


def _files(row: Mapping[str, object], count: int) -> list[object]:
    """Return one file for each passage; '' where several files could hold it."""
    docs = _list(row.get("docs"))
    one = row.get("doc") if len(docs) < 2 else ""
    return [one or ""] * count


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []
