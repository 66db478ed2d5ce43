"""python -m tests.measure_retrieval PACK...: how often a search finds the gold evidence.

A pack is a folder with `docs/` and `questions.jsonl`. Its documents are ingested through the
product's own road into a database that is kept in `.measure-data`, so a second run measures at
once. Printed per pack: evidence hit@1/5/10/20 of the dense leg, the lexical leg and both fused
(what `search` gives).

hit@k: one of the first k entries overlaps a gold passage in its own document by at least half of
the shorter of the two, letters and digits compared. Questions whose evidence is in no file are
left out.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.evaluation.letters import Letters, overlaps

if TYPE_CHECKING:
    from accounts.models import Tenant
    from knowledge.models import KnowledgeBase
    from retrieval.services.scopes import Scope

DATA_DIR = Path(__file__).resolve().parent.parent / ".measure-data"
DEPTHS = (1, 5, 10, 20)
LEGS = ("dense", "lexical", "fused")


@dataclass(frozen=True, slots=True)
class Question:
    """`evidence` are pairs of file name and passage."""

    text: str
    evidence: tuple[tuple[str, str], ...]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.measure_retrieval")
    parser.add_argument("packs", nargs="+", type=Path, metavar="PACK")
    packs = parser.parse_args(arguments).packs
    for pack in packs:
        if not (pack / "questions.jsonl").is_file():
            parser.error(f"{pack} has no questions.jsonl")
    _start_django()
    from accounts.models import Tenant

    tenant, _ = Tenant.objects.get_or_create(slug="evaluation", defaults={"name": "Evaluation"})
    below = 0
    for pack in packs:
        base = _ingest(tenant, pack)
        hits, asked = _measure(tenant, base, _questions(pack))
        below += _print(pack.name, hits, asked)
    print("fused is at or above both legs at hit@10" if not below else f"fused is below: {below}")
    return 0


def _start_django() -> None:
    os.environ |= {
        "CAIRN_ENV_FILE": "off",
        "CAIRN_DATA_DIR": str(DATA_DIR),
        "CAIRN_EMBEDDER": "bundled",
        "DATABASE_URL": "",
    }
    from config import embedded_database, first_run
    from config.env import read_environment, select_settings

    environment = read_environment()
    first_run.prepare(environment)
    embedded_database.ensure_running(environment.data_dir)
    select_settings()
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _ingest(tenant: Tenant, pack: Path) -> KnowledgeBase:
    from accounts.tenancy import tenant_transaction
    from knowledge.models import IngestionRun, KnowledgeBase
    from knowledge.services.bases import base_create
    from knowledge.services.ingestion import run_ingest
    from knowledge.services.uploads import document_upload

    with tenant_transaction(tenant):
        base = KnowledgeBase.objects.filter(name=pack.name).first()
    base = base or base_create(tenant=tenant, name=pack.name, by=None)
    files = sorted(path for path in (pack / "docs").iterdir() if path.is_file())
    for number, path in enumerate(files, start=1):
        upload = document_upload(
            tenant=tenant, base=base, filename=path.name, content=path.read_bytes(), by=None
        )
        with tenant_transaction(tenant):
            run = IngestionRun.objects.unfinished().filter(version=upload.version).first()
        if run is not None:
            run_ingest(tenant_id=tenant.pk, run_id=run.pk)
        if number % 50 == 0:
            print(f"{pack.name}: {number} of {len(files)} files", file=sys.stderr)
    return base


def _questions(pack: Path) -> list[Question]:
    questions = []
    for line in (pack / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        evidence = row.get("evidence") or []
        files = row.get("evidence_docs") or [row.get("doc")] * len(evidence)
        pairs = tuple((file, text) for file, text in zip(files, evidence, strict=True) if text)
        if pairs and row.get("answerable", True):
            questions.append(Question(row.get("question_kb") or row["question"], pairs))
    return questions


def _measure(
    tenant: Tenant, base: KnowledgeBase, questions: Iterable[Question]
) -> tuple[dict[str, list[int]], int]:
    """Return for each leg how many questions have a hit at each depth, and how many were asked."""
    from accounts.tenancy import tenant_transaction
    from retrieval.services.scopes import Reader, base_scope

    with tenant_transaction(tenant):
        scope = base_scope(Reader(tenant.pk), base.slug)
    texts = _texts(tenant, base)
    hits = {leg: [0] * len(DEPTHS) for leg in LEGS}
    asked = 0
    for question in questions:
        gold = [
            (file, span)
            for file, passage in question.evidence
            if file in texts and (span := texts[file].find(passage))
        ]
        if not gold:
            continue
        asked += 1
        for leg, ranking in _rankings(scope, question.text).items():
            first = _first_hit(ranking, gold, texts)
            for at, depth in enumerate(DEPTHS):
                hits[leg][at] += first < depth
    return hits, asked


def _texts(tenant: Tenant, base: KnowledgeBase) -> dict[str, Letters]:
    from accounts.tenancy import tenant_transaction
    from knowledge.models import VersionText

    with tenant_transaction(tenant):
        rows = VersionText.objects.filter(
            version__document__base=base, version__document__current_version__isnull=False
        ).values_list("version__document__filename", "content")
        return {filename: Letters.of(content) for filename, content in rows}


def _rankings(scope: Scope, question: str) -> dict[str, list[tuple[str, int, int]]]:
    """Return each leg's first twenty entries: file name, start and end in its text."""
    from accounts.tenancy import tenant_transaction
    from knowledge.models import IndexEntry
    from retrieval.services.search import query_vector, query_weights_of, search, search_legs

    vector = query_vector(scope.base, question)
    found = search(scope=scope, query=question, k=DEPTHS[-1])
    with tenant_transaction(scope.reader.tenant_id):
        _, weights = query_weights_of(scope.base, question, list(found.languages))
        legs = search_legs(scope, vector, weights)
        ids = {
            "dense": [hit.id for hit in legs.dense[: DEPTHS[-1]]],
            "lexical": [hit.id for hit in legs.lexical[: DEPTHS[-1]]],
            "fused": [hit.entry_id for hit in found.hits],
        }
        wanted = {pk for leg in ids.values() for pk in leg}
        rows = IndexEntry.objects.filter(pk__in=wanted).values_list(
            "pk", "document__filename", "char_start", "char_end"
        )
        places = {pk: (filename, start, end) for pk, filename, start, end in rows}
    return {leg: [places[pk] for pk in leg_ids] for leg, leg_ids in ids.items()}


def _first_hit(
    ranking: list[tuple[str, int, int]],
    gold: list[tuple[str, tuple[int, int]]],
    texts: dict[str, Letters],
) -> int:
    """Return the index of the first entry that holds evidence; the ranking's length if none."""
    for at, (file, start, end) in enumerate(ranking):
        here = texts[file].span(start, end)
        if any(file == gold_file and overlaps(here, span) for gold_file, span in gold):
            return at
    return max(len(ranking), DEPTHS[-1])


def _print(name: str, hits: dict[str, list[int]], asked: int) -> bool:
    """Print a pack's rows; return whether fused is below a leg at hit@10."""
    print(f"\n{name}: {asked} questions")
    print("         " + "  ".join(f"hit@{depth:<3}" for depth in DEPTHS))
    for leg in LEGS:
        print(f"{leg:8} " + "  ".join(f"{count / max(1, asked):.3f}  " for count in hits[leg]))
    ten = DEPTHS.index(10)
    return hits["fused"][ten] < max(hits["dense"][ten], hits["lexical"][ten])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
