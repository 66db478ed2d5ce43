"""make demo as a person meets it: its last line, and what it leaves behind."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from accounts.models import Tenant, User
from accounts.tenancy import tenant_transaction
from config.demonstration import (
    DOCUMENTS,
    EMAIL,
    demonstration_load,
    demonstration_password,
    demonstration_progress,
)
from knowledge.models import IngestionRun, KnowledgeBase
from tests.config.conftest import ROOT
from tests.factories import uploaded

SAMPLES = len([*DOCUMENTS.iterdir()])


def _hear_hangups() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Demo:
    """A running `manage.py demo` with a database of its own."""

    def __init__(self, data_dir: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.data_dir = data_dir
        self.environment = {
            "PATH": os.environ["PATH"],
            "CAIRN_ENV_FILE": "off",
            "CAIRN_DATA_DIR": str(data_dir),
            "CAIRN_EMBEDDER": "hashing",
            "CAIRN_PORT": str(port),
        }
        self.process = self.manage("demo")

    def manage(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            # The suite itself may run under nohup, which the demo would honour.
            preexec_fn=_hear_hangups,
        )

    def ready_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        self.process.communicate(timeout=60)
        return self.process.returncode


@pytest.fixture
def demo(data_dir: Path) -> Iterator[Callable[[], Demo]]:
    """Return a starter of demos that share one data directory."""
    started: list[Demo] = []

    def start() -> Demo:
        started.append(Demo(data_dir))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.end(signal.SIGTERM)


def test_a_closed_terminal_ends_everything_and_a_changed_password_is_not_printed(
    demo: Callable[[], Demo],
) -> None:
    first = demo()
    line = first.ready_line()
    assert re.fullmatch(rf"Cairn is ready: http://\S+/ user {EMAIL} password \S+\n", line)
    children = first.children()
    assert len(children) > 4  # both, and what they forked
    second, _ = first.manage("demo").communicate(timeout=60)
    assert second == line.replace("is ready", "is running already")
    groups = json.loads((first.data_dir / "log" / "processes.json").read_text())["groups"]
    assert set(groups) <= {child.pid for child in children}
    assert first.end(signal.SIGHUP) == 128 + signal.SIGHUP
    assert not psutil.wait_procs(children, timeout=30)[1]

    change = (
        "from accounts.models import User; u = User.objects.get(); u.set_password('x'); u.save()"
    )
    first.manage("shell", "-c", change).communicate()
    line = demo().ready_line()
    assert "password is not the one made here any more" in line
    assert line.endswith(f"manage.py changepassword {EMAIL}\n")
    assert (first.data_dir / "demo-password").read_text().strip() not in line
    assert re.search(r"Run \d+ is done after", (first.data_dir / "log" / "worker.log").read_text())


def test_a_port_that_is_taken_is_told_before_a_database_is_made(data_dir: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        environment = {
            "PATH": os.environ["PATH"],
            "CAIRN_ENV_FILE": "off",
            "CAIRN_DATA_DIR": str(data_dir),
            "CAIRN_PORT": str(taken.getsockname()[1]),
        }
        ended = subprocess.run(
            [sys.executable, "manage.py", "demo"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert (ended.returncode, ended.stdout) == (1, "")
    (line,) = ended.stderr.splitlines()
    assert "is taken" in line
    assert not (data_dir / "postgres").exists()


def test_children_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from config import processes;"
        "processes.WEB = processes.WORKER = ('-c', 'import time; time.sleep(60)');"
        "p = processes.Processes(Path(sys.argv[1])).__enter__(); print('up', flush=True);"
        "time.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "up\n"
    children = psutil.Process(parent.pid).children()
    assert len(children) == 2
    parent.kill()
    parent.communicate()
    assert not psutil.wait_procs(children, timeout=30)[1]


@pytest.fixture
def loaded(db: None, tmp_path: Path, settings: Any) -> Tenant:
    settings.DATA_DIR = tmp_path
    return demonstration_load()


def test_only_the_sample_is_counted_and_waited_for(loaded: Tenant) -> None:
    with tenant_transaction(loaded):
        base = KnowledgeBase.objects.get()
    uploaded(loaded, base, "mine.md", "# Mine\n")
    uploaded(loaded, base, "employee-handbook.md", "# A newer handbook\n")
    progress = demonstration_progress(loaded)
    assert (progress.over, progress.total) == (0, SAMPLES)
    assert progress.doing == "waiting for the worker"
    with tenant_transaction(loaded):
        IngestionRun.objects.filter(version__filename="price-list-2026.md").update(
            state="running", stage="embed", done=16, total=40
        )
    doing = demonstration_progress(loaded).doing
    assert doing == "price-list-2026.md: indexing its passages, 16 of 40"
    with tenant_transaction(loaded):
        first = IngestionRun.objects.order_by("pk").values_list("pk", flat=True)[:SAMPLES]
        IngestionRun.objects.filter(pk__in=[*first]).update(state="done")
    progress = demonstration_progress(loaded)
    assert (progress.over, progress.total) == (SAMPLES, SAMPLES)


def test_a_password_is_told_only_while_it_signs_in(loaded: Tenant, tmp_path: Path) -> None:
    assert User.objects.get(email=EMAIL).check_password(demonstration_password())
    (tmp_path / "demo-password").unlink()  # a back-up put into another installation
    demonstration_load()
    assert demonstration_password() == ""
