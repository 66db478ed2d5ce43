"""The process that reads files, one forked child a file.

    python -m knowledge.ingest.sandbox.reader MODULE

It takes a request (JSON: file name and limits) and the file's bytes on its standard input, answers
with a report (JSON) and what the child wrote on its standard output, and ends when its input does,
also in the middle of a file: so nothing outlives a worker that was killed. It reads no file itself
and looks at no answer. MODULE has `parse` and `preload`, as `knowledge.ingest.parsers` does.

The child's answer is a letter and what belongs to it: D a document (`codec.encode`) or what another
task of MODULE gives (`codec.encode_value`), R a refusal (JSON), M nothing (out of memory), E the
traceback of an error.
"""

from __future__ import annotations

import gc
import json
import math
import mmap
import os
import select
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

from knowledge.ingest.preflight import Limits, Refused
from knowledge.ingest.tree import ParsedDocument

from . import codec, frames
from .confinement import adopt_orphans, confine, end_descendants, leave_network
from .workspace import Workspace

MAX_REQUEST = 64 * 1024
SEND_TIMEOUT_S = 60.0
_TRACEBACK_LENGTH = 4_000
_ANSWER_FD = 3
# Read once before the first fork: what readers of text load when they are first needed takes
# 5 ms, which every child would spend again.
_WARM_UP = "# One\n\nA sentence. And another.\n\n- an item\n"


@dataclass(frozen=True, slots=True)
class _Request:
    """`task` is the function of MODULE that is called; `arguments` are those beside the file."""

    filename: str
    limits: Limits
    task: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Ending:
    """How a child ended: by itself or by `signal`; `overdue` when it was ended for its time."""

    signal: int
    overdue: bool
    peak_mb: int


@dataclass(frozen=True, slots=True)
class _Reader:
    """The pipes of the reader, where its children work, and what they read with."""

    requests: int
    answers: int
    workspace: Workspace
    parsers: ModuleType

    def serve(self) -> None:
        """Answer every request until there are no more."""
        with suppress(EOFError):
            while True:
                head = frames.receive(self.requests, most=MAX_REQUEST, deadline=math.inf)
                data = frames.receive(self.requests, most=2**32, deadline=math.inf)
                values = json.loads(head)
                values["limits"] = Limits(**values["limits"])
                self._answer(_Request(**values), data)

    def _answer(self, request: _Request, data: bytearray) -> None:
        with suppress(Exception):  # what is missing here is missing in the child, which tells it
            self.parsers.preload(request.filename)
        with tempfile.TemporaryFile(dir=self.workspace.path) as answer:
            with self.workspace.for_one_file() as folder:
                gc.freeze()  # a collection in the child would copy every page shared with it
                reader = os.getpid()
                pid = os.fork()
                if pid == 0:
                    _child(self.parsers, request, data, answer.fileno(), folder, reader)
                data.clear()
                ending = _await_end(pid, request.limits.timeout_s, self.requests)
            self._send(json.dumps(asdict(ending)).encode(), answer.fileno())

    def _send(self, report: bytes, answer: int) -> None:
        """Send the report and what the child wrote, nothing of it where that is too much."""
        deadline = time.monotonic() + SEND_TIMEOUT_S
        if not 0 < os.fstat(answer).st_size <= frames.MAX_ANSWER:
            frames.send(self.answers, report, b"", deadline=deadline)
            return
        with mmap.mmap(answer, 0, access=mmap.ACCESS_READ) as body, memoryview(body) as view:
            frames.send(self.answers, report, view, deadline=deadline)


def _await_end(pid: int, timeout_s: float, requests: int) -> _Ending:
    """Wait for the child, no longer than allowed; nothing of it is left when this returns.

    Raises EOFError when whoever asked is gone.
    """
    process = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(process, select.POLLIN)
    poll.register(requests, 0)  # hang-up is always told
    try:
        events = dict(poll.poll(1000 * timeout_s))
    finally:
        os.close(process)
        for end in (os.killpg, os.kill):
            with suppress(ProcessLookupError):
                end(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
        end_descendants()
    if requests in events:
        raise EOFError("whoever asked is gone")
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    return _Ending(number, process not in events, usage.ru_maxrss // 1024)


def _child(
    parsers: ModuleType,
    request: _Request,
    data: bytearray,
    answer: int,
    folder: str,
    reader: int,
) -> NoReturn:
    """Read the file, write the answer, end. Never returns."""
    try:
        os.setsid()
        _keep_only(answer)
        os.chdir(folder)
        os.environ["TMPDIR"] = os.environ["HOME"] = tempfile.tempdir = folder
        confine(timeout_s=request.limits.timeout_s, memory_mb=request.limits.memory_mb)
        if os.getppid() == reader:
            _write(_read(parsers, request, bytes(data)))
    finally:
        os._exit(0)


def _read(parsers: ModuleType, request: _Request, data: bytes) -> bytes:
    try:
        task = getattr(parsers, request.task)
        value = task(data, request.filename, limits=request.limits, **request.arguments)
        document = isinstance(value, ParsedDocument)
        return b"D" + (codec.encode(value) if document else codec.encode_value(value))
    except Refused as refused:
        answer = {"verdict": str(refused.verdict), "sentence": refused.sentence}
        return b"R" + json.dumps(answer).encode()
    except MemoryError:
        return b"M"
    except BaseException:
        return b"E" + traceback.format_exc()[-_TRACEBACK_LENGTH:].encode(errors="replace")


def _keep_only(answer: int) -> None:
    """Close every file but the answer's: the pipes are those of other files too."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(answer, _ANSWER_FD)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.closerange(_ANSWER_FD + 1, 1_048_576)


def _write(answer: bytes) -> None:
    left = memoryview(answer)
    while left:
        left = left[os.write(_ANSWER_FD, left) :]


def _pipes() -> tuple[int, int]:
    """Return the request and the answer pipe, moved to where no print gets in between."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.set_blocking(answers, False)
    return requests, answers


def main(module: str) -> None:
    requests, answers = _pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Workspace() as workspace:
        # Some libraries leave a file in the temporary folder when they are imported.
        os.environ["TMPDIR"] = tempfile.tempdir = str(workspace.path)
        parsers = import_module(module)
        for name in ("warm-up.md", "warm-up.txt"):
            parsers.parse(_WARM_UP.encode(), name)
        adopt_orphans()
        leave_network()
        _Reader(requests, answers, workspace, parsers).serve()


if __name__ == "__main__":
    main(sys.argv[1])
