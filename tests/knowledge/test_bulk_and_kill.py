"""300 files through a real task queue that is killed five times: nothing lost, nothing doubled."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterator

import pytest
from django.conf import settings as django_settings

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.ingest.chunking import chunk
from knowledge.ingest.flatten import flatten
from knowledge.ingest.parsers import parse
from knowledge.models import Document, DocumentVersion, IndexEntry, IngestionRun, KnowledgeBase
from knowledge.services.bases import base_create
from knowledge.services.sweeping import runs_sweep
from knowledge.services.uploads import document_upload
from tests.factories import make_tenant
from tests.knowledge.conftest import assert_statistics_are_exact
from tests.knowledge.worker_group import WorkerGroup, own_database

FILES = 300
FILE_BYTES = 10_000
KILLS = 5
SILENCE_S = 2
PATIENCE_S = 240

_WORDS = tuple(
    word
    for line in (
        "office travel budget leave contract review customer product release security meeting",
        "report training supplier invoice password manual warranty delivery schedule manager",
        "approval insurance holiday payment quarter region service support upgrade visitor",
    )
    for word in line.split()
)


def markdown_file(number: int) -> bytes:
    """Return some 10 KB of sections with sentences: the same for a number, different for each."""
    choice = random.Random(number)  # noqa: S311  repeatable text, no secret
    parts = [f"# Document {number}\n"]
    size = 0
    while size < FILE_BYTES:
        words = [choice.choice(_WORDS) for _ in range(120)]
        sentences = [" ".join(words[at : at + 12]).capitalize() + "." for at in range(0, 120, 12)]
        parts.append(f"\n## Part {len(parts)} of {number}\n\n{' '.join(sentences)}\n")
        size = sum(map(len, parts))
    return "".join(parts).encode()


def passages_of(content: bytes) -> int:
    """Return how many passages the pure code makes of a file."""
    parsed = parse(content, "x.md")
    return len(
        chunk(
            parsed,
            flatten(parsed),
            max_tokens=django_settings.CHUNK_MAX_TOKENS,
            target_tokens=django_settings.CHUNK_TARGET_TOKENS,
        )
    )


@pytest.fixture
def workers(transactional_db: None, settings) -> Iterator[WorkerGroup]:
    settings.TASK_SILENCE_S = SILENCE_S
    with own_database() as data_dir:
        group = WorkerGroup(data_dir, SILENCE_S)
        try:
            yield group
        finally:
            group.kill()
            print(group.log.read_text()[-5000:])  # noqa: T201  shown with a failure


def states(tenant: Tenant) -> Counter[str]:
    with tenant_transaction(tenant):
        return Counter(IngestionRun.objects.values_list("state", flat=True))


def wait_for(tenant: Tenant, done: int, deadline: float, sweep: bool = False) -> int:
    """Return once so many runs are done, how many were requeued; fail when one has failed."""
    requeued = 0
    while (now := states(tenant))["done"] < done:
        assert now["failed"] == 0, now
        assert time.monotonic() < deadline, f"after {PATIENCE_S} s: {now}"
        time.sleep(0.2)
        requeued += runs_sweep(tenant=tenant) if sweep else 0
    return requeued


def test_three_hundred_files_survive_five_kills_of_the_whole_worker(
    workers: WorkerGroup, record_property
) -> None:
    moments = random.Random(20260101)  # noqa: S311  the same moments in every run
    tenant = make_tenant("bulk")
    base = base_create(tenant=tenant, name="Bulk", by=None)
    files = {f"file-{number}.md": markdown_file(number) for number in range(FILES)}
    for name, content in files.items():
        document_upload(tenant=tenant, base=base, filename=name, content=content, by=None)

    began = time.monotonic()
    deadline = began + PATIENCE_S
    requeued = 0
    workers.start()
    for number in range(KILLS):
        wait_for(tenant, states(tenant)["done"] + 10 + moments.randrange(30), deadline)
        time.sleep(moments.random() / 2)
        workers.kill()
        assert states(tenant)["done"] < FILES, "killed too late to prove anything"
        workers.start()
        time.sleep(SILENCE_S)
        if number == 0:
            requeued += json.loads(workers.command("sweep", "--json"))["runs"]
        else:
            requeued += runs_sweep(tenant=tenant)
    requeued += wait_for(tenant, FILES, deadline, sweep=True)
    seconds = time.monotonic() - began

    entries = assert_nothing_lost_or_doubled(tenant, base, files)
    record_property(
        "figures",
        f"bulk ingestion: {len(files)} files of {FILE_BYTES // 1000} KB, {KILLS} kills of the whole"
        f" worker, {requeued} runs requeued, {entries} entries, {seconds:.1f} s",
    )


def assert_nothing_lost_or_doubled(
    tenant: Tenant, base: KnowledgeBase, files: dict[str, bytes]
) -> int:
    """Compare every row with what each file should have given; return the number of entries."""
    expected = {name: passages_of(content) for name, content in files.items()}
    with tenant_transaction(tenant):
        versions = list(DocumentVersion.objects.select_related("document"))
        assert {version.filename: version.chunks for version in versions} == expected
        assert len(versions) == len(files) == Document.objects.count()
        assert {version.state for version in versions} == {"ready"}
        assert all(version.document.current_version_id == version.pk for version in versions)
        runs = list(IngestionRun.objects.all())
        assert Counter(run.version_id for run in runs) == {version.pk: 1 for version in versions}
        assert {run.state for run in runs} == {"done"}
        places = Counter(IndexEntry.objects.values_list("version__filename", "ordinal"))
        assert set(places.values()) == {1}
        assert places.keys() == {
            (name, ordinal) for name, count in expected.items() for ordinal in range(count)
        }
    assert_statistics_are_exact(tenant, base)
    return len(places)
