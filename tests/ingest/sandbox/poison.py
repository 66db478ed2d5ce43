"""Parsers that do what a hostile file could make a parser do; the file's name says which.

Run by a reader of the sandbox only: `Sandbox("tests.ingest.sandbox.poison")`.
"""

from __future__ import annotations

import ctypes
import json
import os
import pickle
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from knowledge.ingest import parsers
from knowledge.ingest.preflight import Limits, Refused, Verdict
from knowledge.ingest.tree import ParsedDocument, Span

preload = parsers.preload


def parse(data: bytes, filename: str, *, limits: Limits | None = None) -> ParsedDocument:
    act = ACTS.get(filename.partition(".")[0])
    if act is not None:
        act(data)
    document = parsers.parse(data, "file.md", limits=limits or Limits())
    if filename == "lie.md":
        return replace(document, root=replace(document.root, span=Span(0, 10**9)))
    return document


def tell(fact: object) -> NoReturn:
    """Bring a fact out of the sandbox, as the sentence of a refusal."""
    raise Refused(Verdict.DAMAGED, json.dumps(fact))


def segfault(data: bytes) -> None:
    ctypes.string_at(0)


def kill_once(data: bytes) -> None:
    mark = Path(data.decode())
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def eat(data: bytes) -> None:
    kept = []
    while True:
        kept.append(bytearray(8 * 1024 * 1024))


def eat_and_abort(data: bytes) -> None:
    """As C++ does when `new` fails."""
    try:
        eat(data)
    except MemoryError:
        os.abort()


def loop(data: bytes) -> None:
    while True:
        pass


def deaf_loop(data: bytes) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1)


def breed(data: bytes) -> None:
    """Leave three processes in sessions of their own; their ids go to the folder in `data`."""
    folder = Path(data.decode())
    for number in range(3):
        if os.fork():
            continue
        os.setsid()
        if os.fork():
            os._exit(0)
        (folder / str(number)).write_text(str(os.getpid()))
        time.sleep(600)
    while len(list(folder.iterdir())) < 3:
        time.sleep(0.01)


def shout(data: bytes) -> None:
    for _ in range(200):
        sys.stdout.write("x" * 100_000)
        os.write(2, b"y" * 100_000)


def litter(data: bytes) -> None:
    folder = Path(tempfile.mkdtemp())
    (folder / "file").write_bytes(b"x" * 1_000_000)
    Path("here").write_text("x")
    folder.chmod(0o000)


def forge_pickle(data: bytes) -> None:
    """Answer with what would make a folder at the path in `data` if it were unpickled."""

    class Bomb:
        def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
            return os.mkdir, (data.decode(),)

    forge(pickle.dumps(Bomb()))


def forge(answer: bytes) -> None:
    os.pwrite(3, answer, 0)
    os._exit(0)


def fill_disk(data: bytes) -> None:
    with suppress(OSError), Path("large").open("wb") as file:
        for _ in range(2_000):
            file.truncate(file.tell() + 1_000_000)
            file.seek(0, 2)
    tell(Path("large").stat().st_size)


def reach(data: bytes) -> None:
    """Tell whether the port in `data` of this machine can be reached."""
    try:
        socket.create_connection(("127.0.0.1", int(data)), timeout=2).close()
    except OSError:
        tell("unreachable")
    tell("reached")


ACTS: dict[str, Callable[[bytes], None]] = {
    "segfault": segfault,
    "abort": lambda data: os.abort(),
    "kill": lambda data: os.kill(os.getpid(), signal.SIGKILL),
    "kill-once": kill_once,
    "kill-reader": lambda data: os.kill(os.getppid(), signal.SIGKILL),
    "eat": eat,
    "eat-abort": eat_and_abort,
    "loop": loop,
    "deaf": deaf_loop,
    "breed": breed,
    "shout": shout,
    "exit": lambda data: sys.exit(0),
    "hard-exit": lambda data: os._exit(0),
    "error": lambda data: tell(1 // 0),
    "litter": litter,
    "pickle": forge_pickle,
    "forge": lambda data: forge(data),
    "disk": fill_disk,
    "reach": reach,
    "environment": lambda data: tell(sorted(os.environ)),
    "modules": lambda data: tell(
        [m for m in ("django", "psycopg", "knowledge") if m in sys.modules]
    ),
    "files": lambda data: tell(sorted(path.name for path in Path("/proc/self/fd").iterdir())),
}
