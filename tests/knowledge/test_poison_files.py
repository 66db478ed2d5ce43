"""A file that kills whatever reads it, before a healthy one."""

import pytest

from knowledge.ingest.sandbox import Sandbox
from tests.factories import Company, ingest_queued, uploaded
from tests.knowledge.conftest import HANDBOOK, version_of


@pytest.mark.parametrize(
    ("name", "verdict", "sentence"),
    [
        ("segfault.md", "crashed", "the reader stopped unexpectedly"),
        ("loop.md", "timed_out", "reading it took more than 1 second"),
        ("eat.md", "out_of_memory", "it needed more than 256 MB of memory"),
    ],
)
def test_a_file_that_kills_its_parser_ends_failed_at_once_and_the_next_is_read(
    a: Company,
    monkeypatch: pytest.MonkeyPatch,
    settings,
    name: str,
    verdict: str,
    sentence: str,
) -> None:
    settings.PARSE_TIMEOUT_S, settings.PARSE_MEMORY_MB = 1, 256
    sandbox = Sandbox("tests.ingest.sandbox.poison")
    monkeypatch.setattr("knowledge.services.trees.parse", sandbox.parse)
    poison = uploaded(a.tenant, a.base, name, HANDBOOK)
    healthy = uploaded(a.tenant, a.base, "healthy.md", HANDBOOK)
    ingest_queued(a.tenant)
    sandbox.close()
    version = version_of(a.tenant, poison)
    assert (version.state, version.verdict) == ("failed", verdict)
    assert version.message.startswith(f"The file could not be read: {sentence}")
    assert version_of(a.tenant, healthy).state == "ready"
