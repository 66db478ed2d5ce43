"""Whatever a file does to its reader ends in a sentence, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from knowledge.ingest import parsers
from knowledge.ingest.preflight import Limits, Refused, Verdict
from knowledge.ingest.sandbox import Sandbox

TEXT = b"# Hours\n\nThe office opens at nine. The kitchen closes at ten.\n\n- one\n- two\n"
LIMITS = Limits(timeout_s=20, memory_mb=256)
SHORT = Limits(timeout_s=1, memory_mb=256)
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def temporary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readers")


@pytest.fixture(scope="module")
def sandbox(temporary: Path) -> Iterator[Sandbox]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(temporary))
        box = Sandbox("tests.ingest.sandbox.poison")
        yield box
        box.close()
    assert list(temporary.iterdir()) == []


def refusal(
    sandbox: Sandbox, name: str, data: bytes = TEXT, limits: Limits = LIMITS
) -> tuple[Verdict, str]:
    """Return what became of a file that cannot be read; a healthy one is read after it."""
    with pytest.raises(Refused) as caught:
        sandbox.parse(data, name, limits=limits)
    assert sandbox.parse(TEXT, "healthy.md", limits=LIMITS) == parsers.parse(TEXT, "file.md")
    assert descendants(sandbox) == []
    return caught.value.verdict, caught.value.sentence


def told(sandbox: Sandbox, name: str, data: bytes = TEXT) -> object:
    """Return the fact that a file of tests/ingest/sandbox/poison.py brings out."""
    return json.loads(refusal(sandbox, name, data)[1])


def readers(parent: int | None = None) -> list[psutil.Process]:
    found = []
    for process in psutil.Process(parent).children():
        if "knowledge.ingest.sandbox.reader" in process.cmdline():
            found.append(process)
    return found


def descendants(sandbox: Sandbox) -> list[psutil.Process]:
    return [child for reader in readers() for child in reader.children(recursive=True)]


def wait_until(condition, timeout_s: float = 20) -> None:
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.02)


@pytest.mark.parametrize(
    "name", ["segfault.md", "abort.md", "exit.md", "hard-exit.md", "error.md", "lie.md"]
)
def test_a_reader_that_stops_ends_in_a_sentence(sandbox: Sandbox, name: str) -> None:
    verdict, sentence = refusal(sandbox, name)
    assert verdict is Verdict.CRASHED
    assert sentence.startswith("The file could not be read: the reader stopped unexpectedly.")


@pytest.mark.parametrize("name", ["eat.md", "eat-abort.md", "kill.md"])
def test_a_reader_that_takes_too_much_memory_ends_in_a_sentence(
    sandbox: Sandbox, name: str
) -> None:
    verdict, sentence = refusal(sandbox, name)
    assert verdict is Verdict.OUT_OF_MEMORY
    assert sentence == "The file could not be read: it needed more than 256 MB of memory."


@pytest.mark.parametrize("name", ["loop.md", "deaf.md"])
def test_a_reader_that_does_not_end_is_ended_with_a_sentence(sandbox: Sandbox, name: str) -> None:
    verdict, sentence = refusal(sandbox, name, limits=SHORT)
    assert verdict is Verdict.TIMED_OUT
    assert sentence == "The file could not be read: reading it took more than 1 second."


def test_a_reader_that_somebody_kills_reads_the_file_once_more(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    mark = tmp_path / "killed"
    document = sandbox.parse(str(mark).encode(), "kill-once.md", limits=LIMITS)
    assert mark.exists()
    assert document.text == str(mark)


def test_output_of_a_parser_goes_nowhere(sandbox: Sandbox, capfd) -> None:
    assert sandbox.parse(TEXT, "shout.md", limits=LIMITS) == parsers.parse(TEXT, "file.md")
    assert capfd.readouterr() == ("", "")


def test_processes_that_a_parser_leaves_are_ended(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.parse(str(tmp_path).encode(), "breed.md", limits=LIMITS)
    pids = [int(path.read_text()) for path in tmp_path.iterdir()]
    assert len(pids) == 3
    assert not any(psutil.pid_exists(pid) for pid in pids)


def test_files_that_a_parser_leaves_are_removed(sandbox: Sandbox, temporary: Path) -> None:
    assert sandbox.parse(TEXT, "litter.md", limits=LIMITS).title == "Hours"
    assert list(temporary.glob("*/*")) == []


def test_a_file_that_kills_the_reader_itself_is_given_up_and_the_next_is_read(
    sandbox: Sandbox,
) -> None:
    with pytest.raises(RuntimeError, match="ends before it has read one"):
        sandbox.parse(TEXT, "kill-reader.md", limits=LIMITS)
    assert sandbox.parse(TEXT, "healthy.md", limits=LIMITS).title == "Hours"
    assert descendants(sandbox) == []


def test_a_forged_answer_runs_no_code(sandbox: Sandbox, tmp_path: Path) -> None:
    made = tmp_path / "made"
    assert refusal(sandbox, "pickle.md", str(made).encode())[0] is Verdict.CRASHED
    assert not made.exists()


@pytest.mark.parametrize(
    "answer",
    [
        b"D",
        b"D" + b"\xff" * 8 + b"text",
        b"D" + bytes(8) + b"[" * 100_000,
        b"D" + bytes(8) + b"[[]]",
        b"R" + b"{}",
        b"R" + b'{"verdict": "ok", "sentence": "' + b"x" * 100_000,
        b"R" + b'{"verdict": "unheard-of", "sentence": "x"}',
        b"R" + b"[" * 60_000,
        b"?",
        b"\x80\x04",
    ],
)
def test_an_answer_that_is_none_is_a_reader_that_stopped(sandbox: Sandbox, answer: bytes) -> None:
    assert refusal(sandbox, "forge.md", answer)[0] is Verdict.CRASHED


def test_a_reader_knows_no_secret_and_no_connection_and_imports_no_django(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://cairn:secret@host/name")
    box = Sandbox("tests.ingest.sandbox.poison")
    names = told(box, "environment.md")
    assert isinstance(names, list)
    assert not [name for name in names if name.startswith(("CAIRN", "DATABASE"))]
    assert told(box, "modules.md") == ["knowledge"]
    # 3 is the answer; the last one lists the folder.
    assert told(box, "files.md") == ["0", "1", "2", "3", "4"]
    box.close()


def test_a_file_on_disk_has_a_limit(sandbox: Sandbox) -> None:
    size = told(sandbox, "disk.md")
    assert isinstance(size, int)
    assert 0 < size <= 512 * 1024 * 1024


def test_a_reader_reaches_no_network_where_the_system_allows_to_leave_it(
    sandbox: Sandbox,
) -> None:
    leave = "from knowledge.ingest.sandbox.confinement import leave_network as l; print(l())"
    done = subprocess.run([sys.executable, "-c", leave], capture_output=True, cwd=ROOT, check=True)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1]).encode()
        expected = "unreachable" if done.stdout == b"True\n" else "reached"
        assert told(sandbox, "reach.md", port) == expected


def test_threads_that_parse_at_once_do_not_wait_for_each_other(sandbox: Sandbox) -> None:
    ended: list[str] = []

    def parse(name: str, limits: Limits) -> None:
        with suppress(Refused):
            sandbox.parse(TEXT, name, limits=limits)
        ended.append(name)

    slow = threading.Thread(target=parse, args=("loop.md", Limits(timeout_s=3, memory_mb=256)))
    slow.start()
    wait_until(lambda: descendants(sandbox))
    parse("healthy.md", LIMITS)
    slow.join()
    assert ended == ["healthy.md", "loop.md"]


def test_nothing_outlives_a_worker_that_was_killed(tmp_path: Path) -> None:
    script = (
        "from knowledge.ingest.sandbox import Sandbox\n"
        "Sandbox('tests.ingest.sandbox.poison').parse(b'x', 'loop.md')\n"
    )
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    worker = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, env=environment)
    wait_until(lambda: any(reader.children() for reader in readers(worker.pid)))
    left = psutil.Process(worker.pid).children(recursive=True)
    assert len(left) == 2
    assert list(tmp_path.glob("cairn-reader-*"))
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    psutil.wait_procs(left, timeout=20)
    assert not any(process.is_running() for process in left)
    assert list(tmp_path.iterdir()) == []


def test_folders_of_readers_that_were_killed_are_swept(tmp_path: Path) -> None:
    left = tmp_path / "cairn-reader-left"
    (left / "file").mkdir(parents=True)
    script = "from knowledge.ingest.sandbox import parse\nprint(parse(b'# Title', 'a.md').title)\n"
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    assert done.stdout == b"Title\n"
    assert done.stderr == b""
    assert list(tmp_path.iterdir()) == []


def test_a_forked_process_has_readers_of_its_own() -> None:
    script = (
        "import os, psutil\n"
        "from knowledge.ingest.sandbox import parse\n"
        "parse(b'# Title', 'a.md')\n"
        "if os.fork() == 0:\n"
        "    parse(b'# Title', 'a.md')\n"
        "    print(len(psutil.Process().children()), flush=True)\n"
        "    os._exit(0)\n"
        "os.wait()\n"
        "parse(b'# Title', 'a.md')\n"
        "print(len(psutil.Process().children()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", script], cwd=ROOT, capture_output=True, check=True
    )
    assert (done.stdout, done.stderr) == (b"1\n1\n", b"")
