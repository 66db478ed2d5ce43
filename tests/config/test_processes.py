"""What a killed demo leaves running."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import processes
from config.processes import Processes

SLEEP = ("-c", "import time; time.sleep(60)")


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Iterator["subprocess.Popen[bytes]"]:
    monkeypatch.setattr(processes, "WORKER", SLEEP)
    child = subprocess.Popen([sys.executable, *SLEEP], start_new_session=True)
    yield child
    child.kill()
    child.wait()


def _record(folder: Path, parent: int, group: int) -> Path:
    path = folder / "processes.json"
    path.write_text(json.dumps({"parent": parent, "groups": [group]}))
    return path


def test_children_of_a_living_demo_are_spared_and_stay_on_record(tmp_path, child):
    record = _record(tmp_path, os.getpid(), child.pid)
    Processes(tmp_path).end_leftovers()
    assert child.poll() is None
    assert record.exists()


def test_children_of_a_killed_demo_are_gone_when_the_next_goes_on(tmp_path, child):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    record = _record(tmp_path, dead.pid, child.pid)
    Processes(tmp_path).end_leftovers()
    assert child.poll() == -signal.SIGKILL
    assert not record.exists()
