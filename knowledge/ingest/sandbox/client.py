"""The worker's side: readers at hand, and their answers turned into documents or refusals.

Errors: `preflight.Refused` for whatever is wrong with a file, its time and memory included;
`ReaderUnavailable` when no reader can be started or kept, which no file is to blame for.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from knowledge.ingest.pictures import FigureImages, PageImage
from knowledge.ingest.preflight import Limits, Refused, Verdict, check_size
from knowledge.ingest.tree import ParsedDocument

from . import codec, frames

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[3]
GRACE_S = 30.0
"""A reader that is silent for so much longer than it may take is ended itself."""
_SENTENCE_LENGTH = 1_000
_NEAR_THE_LIMIT = 0.7
# Nothing else of the environment goes along: it holds the passwords.
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH")
_DEFAULT = Limits()
V = TypeVar("V")


class ReaderUnavailable(RuntimeError):
    """The process that reads files does not start, or was ended from outside again and again."""


@dataclass(frozen=True, slots=True)
class _Request:
    """As `reader.py` takes it."""

    filename: str
    limits: Limits
    task: str = "parse"
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Answer:
    report: dict[str, Any]
    body: memoryview


class _Reader:
    """A running reader."""

    def __init__(self, parsers: str) -> None:
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        # One thread each: children are forked. Equal hashes: equal bytes give equal trees.
        environment |= {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
        self._process = subprocess.Popen(  # noqa: S603  our own interpreter and module
            [sys.executable, "-m", "knowledge.ingest.sandbox.reader", parsers],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            cwd=ROOT,
            env=environment,
            start_new_session=True,
        )
        assert self._process.stdin is not None  # noqa: S101  it is a pipe
        assert self._process.stdout is not None  # noqa: S101  it is a pipe
        self._requests, self._answers = self._process.stdin, self._process.stdout
        os.set_blocking(self._requests.fileno(), False)

    def ask(self, data: bytes, request: _Request) -> _Answer:
        """Return the answer. Raises EOFError and `frames.Silence`."""
        deadline = time.monotonic() + request.limits.timeout_s + GRACE_S
        head = json.dumps(asdict(request)).encode()
        frames.send(self._requests.fileno(), head, data, deadline=deadline)
        output = self._answers.fileno()
        report = json.loads(frames.receive(output, most=frames.MAX_ANSWER, deadline=deadline))
        deadline = time.monotonic() + GRACE_S
        body = frames.receive(output, most=frames.MAX_ANSWER, deadline=deadline)
        return _Answer(report, memoryview(body))

    def end(self, *, kill: bool = False) -> None:
        if kill:
            self._process.kill()
        self._requests.close()
        self._answers.close()
        try:
            self._process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def forget(self) -> None:
        """Let go of a reader that belongs to the process this one was forked from."""
        self._requests.close()
        self._answers.close()
        self._process.returncode = 0


class Sandbox:
    """Readers, as many as there are threads that parse at once; started when they are needed.

    `parsers` names the module whose `parse` they call.
    """

    def __init__(self, parsers: str = "knowledge.ingest.parsers") -> None:
        self._parsers = parsers
        self._idle: list[_Reader] = []
        self._lock = threading.Lock()
        os.register_at_fork(after_in_child=self._forget)

    def parse(self, data: bytes, filename: str, *, limits: Limits = _DEFAULT) -> ParsedDocument:
        """Return the tree of `data`. Raises `Refused`, ReaderUnavailable."""
        request = _Request(filename, limits)
        return self._read(
            data, request, lambda body: codec.decode(body, max_chars=limits.max_chars)
        )

    def call(
        self, task: str, kind: type[V], data: bytes, filename: str, limits: Limits, **arguments: Any
    ) -> V:
        """Return what another function of the parsers gives, an instance of the dataclass `kind`.

        Its `arguments` are plain values. Raises `Refused`, ReaderUnavailable.
        """
        request = _Request(filename, limits, task, arguments)
        return self._read(data, request, lambda body: codec.decode_value(body, kind))

    def _read(self, data: bytes, request: _Request, decode: Callable[[memoryview], V]) -> V:
        limits = request.limits
        check_size(data, limits)
        was_killed = False
        for _ in range(3):
            reader = self._take()
            try:
                answer = reader.ask(data, request)
            except EOFError:
                reader.end(kill=True)  # it was ended from outside; the file is not to blame
            except frames.Silence:
                reader.end(kill=True)
                _refuse(Verdict.TIMED_OUT, limits)
            except BaseException:
                reader.end(kill=True)  # half an answer may be in its pipe
                raise
            else:
                with self._lock:
                    self._idle.append(reader)
                if _is_killed_early(answer, limits) and not was_killed:
                    was_killed = True  # by whoever; if it is for this file's sake, it comes again
                    continue
                return _decoded(answer, request, decode)
        raise ReaderUnavailable("The process that reads files ends before it has read one.")

    def close(self) -> None:
        """End the idle readers."""
        with self._lock:
            readers, self._idle = self._idle, []
        for reader in readers:
            reader.end()

    def _take(self) -> _Reader:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return _Reader(self._parsers)

    def _forget(self) -> None:
        self._lock = threading.Lock()
        readers, self._idle = self._idle, []
        for reader in readers:
            reader.forget()


def _is_killed_early(answer: _Answer, limits: Limits) -> bool:
    """Whether the child was ended by signal 9 before its time and well below its memory."""
    report = answer.report
    is_near = report["peak_mb"] > _NEAR_THE_LIMIT * limits.memory_mb
    return report["signal"] == signal.SIGKILL and not report["overdue"] and not is_near


def _decoded(answer: _Answer, request: _Request, decode: Callable[[memoryview], V]) -> V:
    limits = request.limits
    report, kind = answer.report, bytes(answer.body[:1])
    near = report["peak_mb"] > _NEAR_THE_LIMIT * limits.memory_mb
    if report["overdue"] or report["signal"] == signal.SIGXCPU:
        _refuse(Verdict.TIMED_OUT, limits)
    # The kernel, short of memory, sends signal 9 to a child that is not overdue.
    if kind == b"M" or report["signal"] == signal.SIGKILL or (near and kind not in (b"D", b"R")):
        _refuse(Verdict.OUT_OF_MEMORY, limits)
    try:
        if kind == b"D" and not report["signal"]:
            return decode(answer.body[1:])
        if kind == b"R" and not report["signal"]:
            _refuse_as_told(answer.body[1:])
        trace = bytes(answer.body[1:4_001]).decode(errors="replace")
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        trace = f"its answer cannot be used: {error}"
    logger.warning("The reader of %r stopped: %s %r", request.filename[:200], report, trace)
    _refuse(Verdict.CRASHED, limits)


def _refuse_as_told(body: memoryview) -> NoReturn:
    """Raise the child's own refusal, which like all from there is only data."""
    told = json.loads(bytes(body[: 64 * 1024]))
    sentence = "".join(c if c.isprintable() else " " for c in str(told["sentence"]))
    raise Refused(Verdict(told["verdict"]), sentence[:_SENTENCE_LENGTH])


def _refuse(verdict: Verdict, limits: Limits) -> NoReturn:
    why = {
        Verdict.TIMED_OUT: f"reading it took more than {_duration(limits.timeout_s)}",
        Verdict.OUT_OF_MEMORY: f"it needed more than {_size(limits.memory_mb)} of memory",
        Verdict.CRASHED: "the reader stopped unexpectedly. The file may be damaged; saving it "
        "anew with the program that made it may help",
    }
    raise Refused(verdict, f"The file could not be read: {why[verdict]}.")


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:g} second{'' if seconds == 1 else 's'}"
    return f"{seconds / 60:g} minutes" if seconds % 60 == 0 else f"{seconds:g} seconds"


def _size(megabytes: int) -> str:
    return f"{megabytes / 1024:g} GB" if megabytes % 512 == 0 else f"{megabytes} MB"


_SANDBOX = Sandbox()
atexit.register(_SANDBOX.close)


def parse(data: bytes, filename: str, *, limits: Limits = _DEFAULT) -> ParsedDocument:
    """Return the tree of `data`, read in a process of its own by this process's readers.

    Raises `Refused` and `ReaderUnavailable`.
    """
    return _SANDBOX.parse(data, filename, limits=limits)


def page_image(
    data: bytes,
    filename: str,
    *,
    limits: Limits = _DEFAULT,
    page: int,
    quote: str = "",
    boxes: Sequence[Sequence[float]] = (),
) -> PageImage:
    """Return a page as a picture, as `parsers.page_image` draws it, and raise what `parse` does."""
    return _SANDBOX.call(
        "page_image", PageImage, data, filename, limits, page=page, quote=quote, boxes=boxes
    )


def figures(
    data: bytes,
    filename: str,
    *,
    limits: Limits = _DEFAULT,
    places: Sequence[Sequence[float]],
) -> FigureImages:
    """Return the pictures that `parsers.figures` takes from a file, and raise what `parse` does."""
    return _SANDBOX.call("figures", FigureImages, data, filename, limits, places=places)
