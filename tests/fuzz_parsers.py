"""Damaged files by the thousand, through the sandbox, to see that each ends in a verdict.

    python -m tests.fuzz_parsers --seed 1 --count 10000

The inputs are every `SAMPLES` dictionary in tests/ingest/*/samples.py (name to bytes, or to what
makes them) and the texts below, each damaged in one to four ways. The same seed gives the same
inputs. Exit status 1 when a reader was lost, a file took longer than allowed, or anything is left.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

import psutil

from knowledge.ingest.flatten import flatten
from knowledge.ingest.preflight import Limits, Refused
from knowledge.ingest.sandbox import Sandbox
from knowledge.ingest.sandbox.client import GRACE_S, ReaderUnavailable

TEXTS = {
    "plain.txt": "1. SCOPE\n\nThis applies to all.\n\n1.1 Limits\n\nNone. Ограничений нет.\n" * 5,
    "outline.md": "---\ntitle: x\n---\n# A\n\n## B\n\n- one\n  - two\n\n| a | b |\n|---|---|\n"
    "| 1 | 2 |\n\n```py\n# c\n```\n\n> quoted\n\nSetext\n===\n\n![p](p.png)\n\n[l](u)\n",
    "nested.md": "".join(f"{'  ' * depth}- item {depth}\n" for depth in range(40)),
    "chinese.md": "# 第一章\n\n" + "没有空格的长句子" * 200,
    "one-line.txt": '{"key": [1, 2, 3], "text": "value"},' * 200,
    "page.html": "<html><head><title>T</title></head><body><h1>A</h1><p>One.<table><tr><th>a"
    "<td>1</table><ul><li>x</ul><script>1</script></body></html>",
}
LIMITS = Limits(timeout_s=20, memory_mb=1024)
SLOWEST = 5
PROGRESS = 500
MAX_SAMPLE = 2_000_000
"""Bytes; larger samples are bombs by their size, and damage to them would hardly ever be met."""


@dataclass(slots=True)
class Tally:
    """What became of the inputs. `slowest` holds (seconds, name, number).

    `peak_mb` is the most memory that a process which read one of them had.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    crashed: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str, int]] = field(default_factory=list)
    overdue: int = 0
    readers_lost: int = 0
    peak_mb: int = 0
    left: list[str] = field(default_factory=list)

    def took(self, seconds: float, name: str, number: int) -> None:
        self.slowest = sorted([*self.slowest, (seconds, name, number)], reverse=True)[:SLOWEST]
        self.overdue += seconds > LIMITS.timeout_s + GRACE_S

    @property
    def clean(self) -> bool:
        return not (self.overdue or self.readers_lost or self.left)


@cache
def samples() -> dict[str, bytes]:
    """Return every undamaged input by name, whose suffix says the format; sorted."""
    found = {f"text/{name}": text.encode() for name, text in TEXTS.items()}
    for path in sorted((Path(__file__).parent / "ingest").glob("*/samples.py")):
        module = import_module(f"tests.ingest.{path.parent.name}.samples")
        for name, made in getattr(module, "SAMPLES", {}).items():
            content = _content(made)
            file = name if "." in name else f"{name}.{path.parent.name}"
            if len(content) <= MAX_SAMPLE:
                found[f"{path.parent.name}/{file}"] = content
    return dict(sorted(found.items()))


def _content(made: object) -> bytes:
    """Return the bytes of a sample: given, made by a function, or first of a pair with its tree."""
    if isinstance(made, tuple):
        made = made[0]
    if callable(made):
        made = made()
    if isinstance(made, str):
        made = made.encode()
    assert isinstance(made, bytes), type(made)
    return made


def damaged(seed: int, count: int, first: int = 0) -> Iterator[tuple[str, bytes]]:
    """Yield `count` damaged inputs with their names, the same for the same seed and samples.

    They have the numbers from `first` on.
    """
    sources = samples()
    names = list(sources)
    for number in range(first, first + count):
        chance = random.Random(f"{seed}/{number}")  # noqa: S311  not for secrets
        name = chance.choice(names)
        data, other = sources[name], sources[chance.choice(names)]
        # Damage to packed bytes is found by their checksum; behind it are the parsers.
        inside = data.startswith(b"PK\x03\x04") and chance.random() < 0.8
        yield name, _inside(data, chance, other) if inside else _damage(data, chance, other)


def fuzz(seed: int, count: int, first: int = 0) -> Tally:
    """Send damaged inputs through the sandbox and return what became of them."""
    tally = Tally()
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    with tempfile.TemporaryDirectory() as folder:
        sandbox = _sandbox_in(folder)
        for number, (name, data) in enumerate(damaged(seed, count, first), first):
            started = time.monotonic()
            _count(tally, sandbox, name, data, number)
            tally.took(time.monotonic() - started, name, number)
            if number % PROGRESS == PROGRESS - 1:
                print(number + 1, dict(tally.verdicts), dict(tally.crashed), file=sys.stderr)
        sandbox.close()
        tally.peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        tally.left += [str(path) for path in Path(folder).iterdir()]
    processes = psutil.Process().children(recursive=True)
    tally.left += [str(process) for process in processes if process.pid not in before]
    return tally


def _sandbox_in(folder: str) -> Sandbox:
    """Return a sandbox whose readers, of which one is enough, work in `folder`."""
    kept = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = folder
    sandbox = Sandbox()
    try:
        sandbox.parse(b"# Started", "start.md")
    finally:
        if kept is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = kept
    return sandbox


def _count(tally: Tally, sandbox: Sandbox, name: str, data: bytes, number: int) -> None:
    try:
        document = sandbox.parse(data, name, limits=LIMITS)
        flatten(document)
        tally.verdicts["ok"] += 1
    except Refused as refused:
        tally.verdicts[refused.verdict if refused.sentence else "no sentence"] += 1
        if refused.verdict in ("crashed", "timed_out", "out_of_memory"):
            tally.crashed[f"{refused.verdict} {name} (input {number})"] += 1
    except ReaderUnavailable:
        tally.readers_lost += 1


Damage = Callable[[bytearray, random.Random, bytes], bytearray]


def _damage(data: bytes, chance: random.Random, other: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        if changed:
            changed = chance.choice(_DAMAGES)(changed, chance, other)
    return bytes(changed)


def _inside(data: bytes, chance: random.Random, other: bytes) -> bytes:
    """Return the archive with one of its entries damaged and packed again."""
    packed = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
            entries = [entry for entry in old.infolist() if entry.file_size <= MAX_SAMPLE]
            chosen = chance.choice(entries)
            for entry in entries:
                content = old.read(entry)
                new.writestr(
                    zipfile.ZipInfo(entry.filename),  # of no time, so that a seed gives the same
                    _damage(content, chance, other) if entry is chosen else content,
                    zipfile.ZIP_DEFLATED,
                )
    except (zipfile.BadZipFile, RuntimeError, IndexError, NotImplementedError):
        return _damage(data, chance, other)  # a sample whose fault is the archive itself
    return packed.getvalue()


def _span(data: bytes | bytearray, chance: random.Random) -> tuple[int, int]:
    start = chance.randrange(len(data))
    return start, min(len(data), start + chance.choice((1, 4, 16, 256, 4096)))


def _flip(data: bytearray, chance: random.Random, other: bytes) -> bytearray:
    for _ in range(chance.choice((1, 1, 4, 16))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data


def _cut(data: bytearray, chance: random.Random, other: bytes) -> bytearray:
    return data[: chance.randrange(len(data))]


def _drop(data: bytearray, chance: random.Random, other: bytes) -> bytearray:
    start, end = _span(data, chance)
    return data[:start] + data[end:]


def _double(data: bytearray, chance: random.Random, other: bytes) -> bytearray:
    start, end = _span(data, chance)
    return data[:end] + data[start:end] * chance.choice((1, 2, 50)) + data[end:]


def _splice(data: bytearray, chance: random.Random, other: bytes) -> bytearray:
    if not other:
        return data
    at = chance.randrange(len(data))
    start, end = _span(other, chance)
    return data[:at] + other[start:end] + data[at:]


def _overwrite(data: bytearray, chance: random.Random, other: bytes) -> bytearray:
    start, end = _span(data, chance)
    data[start:end] = bytes([chance.choice((0, 32, 255))]) * (end - start)
    return data


def _length(data: bytearray, chance: random.Random, other: bytes) -> bytearray:
    """Change what may be a length: a run of digits, or four bytes of a binary number."""
    at = chance.randrange(len(data))
    digits = [place for place in range(at, min(at + 400, len(data))) if chr(data[place]).isdigit()]
    extreme = chance.choice((0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000))
    if digits and chance.random() < 0.7:
        return data[: digits[0]] + str(extreme).encode() + data[digits[0] + 1 :]
    data[at : at + 4] = extreme.to_bytes(4, chance.choice(("little", "big")))
    return data


_DAMAGES: tuple[Damage, ...] = (_flip, _cut, _drop, _double, _splice, _overwrite, _length)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    options = parser.parse_args()
    started = time.monotonic()
    tally = fuzz(options.seed, options.count, options.first)
    seconds = time.monotonic() - started
    print(f"{options.count} inputs of {len(samples())} samples in {seconds:.0f} s")
    for verdict, number in tally.verdicts.most_common():
        print(f"{number:7} {verdict}")
    for name, number in tally.crashed.most_common(20):
        print(f"{number:7} {name}")
    for took, name, number in tally.slowest:
        print(f"{took:7.2f} s {name} (input {number})")
    print(f"readers lost {tally.readers_lost}, overdue {tally.overdue}, left {tally.left or 0}")
    print(f"memory {tally.peak_mb} MB at most")
    sys.exit(0 if tally.clean else 1)


if __name__ == "__main__":
    main()
