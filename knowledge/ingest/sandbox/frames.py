"""Messages over a pipe: a length of 8 bytes, then so many bytes; each with a deadline.

Errors: `Silence` when the deadline passes, EOFError when the other side is gone.
"""

from __future__ import annotations

import math
import os
import select
import time

MAX_ANSWER = 256 * 1024 * 1024
"""Bytes of a reader's answer: 12 million characters and a full structure are 144 MB."""

_LENGTH = 8
_PIECE = 1024 * 1024


class Silence(TimeoutError):
    """The other side took or gave nothing in time."""


def send(fd: int, *messages: bytes | memoryview, deadline: float) -> None:
    """Write the messages to a non-blocking `fd`; `deadline` is in `time.monotonic` seconds."""
    for message in messages:
        for part in (len(message).to_bytes(_LENGTH, "big"), message):
            _write(fd, memoryview(part), deadline)


def receive(fd: int, *, most: int, deadline: float) -> bytearray:
    """Return the next message from `fd`. One of more than `most` bytes counts as EOFError."""
    length = int.from_bytes(_read(fd, _LENGTH, deadline), "big")
    if length > most:
        raise EOFError(f"a message of {length} bytes")
    return _read(fd, length, deadline)


def _write(fd: int, part: memoryview, deadline: float) -> None:
    while part:
        _wait(fd, select.POLLOUT, deadline)
        try:
            part = part[os.write(fd, part[:_PIECE]) :]
        except BlockingIOError:
            continue
        except BrokenPipeError as error:
            raise EOFError("nobody reads") from error


def _read(fd: int, length: int, deadline: float) -> bytearray:
    data = bytearray()
    while len(data) < length:
        _wait(fd, select.POLLIN, deadline)
        piece = os.read(fd, min(_PIECE, length - len(data)))
        if not piece:
            raise EOFError("nobody writes")
        data += piece
    return data


def _wait(fd: int, event: int, deadline: float) -> None:
    poll = select.poll()
    poll.register(fd, event)
    left = deadline - time.monotonic()
    if left <= 0 or not poll.poll(None if left == math.inf else 1000 * left):
        raise Silence
