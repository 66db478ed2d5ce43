"""The connection of one call, so that another thread can end it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from enum import Enum
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    import httpx2


class Ending(Enum):
    CANCELLED = "cancelled"
    TIMED_OUT = "timed out"


class _NetworkStream(Protocol):
    def get_extra_info(self, info: str) -> object: ...


class Line:
    """The sockets that a call opened, and why they were closed from outside, if they were.

    Closing a socket does not wake a thread that waits for its first byte; shutting it down does,
    and the server sees the end of the connection at once.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self.ending: Ending | None = None

    @property
    def connected(self) -> bool:
        """Whether the server was reached, and so may have begun to work."""
        return bool(self._sockets)

    def end(self, ending: Ending) -> None:
        """Shut all sockets down, and those opened later; the first reason given stays."""
        with self._lock:
            self.ending = self.ending or ending
            for opened in self._sockets:
                _shut_down(opened)

    def trace(self, event: str, info: Mapping[str, object]) -> None:
        """Take note of a socket: httpcore's trace extension, called in the thread of the call."""
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        opened = cast(_NetworkStream, info["return_value"]).get_extra_info("socket")
        if not isinstance(opened, socket.socket):
            return
        with self._lock:
            self._sockets.append(opened)
            if self.ending:
                _shut_down(opened)


_CURRENT: ContextVar[Line | None] = ContextVar("line", default=None)


@contextmanager
def on(line: Line) -> Iterator[None]:
    """Let requests that this thread sends meanwhile belong to ``line``."""
    token = _CURRENT.set(line)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def attach(request: httpx2.Request) -> None:
    """Tie a request to the line of its thread: a hook of the client's."""
    line = _CURRENT.get()
    if line is not None:
        request.extensions = {**request.extensions, "trace": line.trace}


def _shut_down(opened: socket.socket) -> None:
    with suppress(OSError):  # it is closed already
        # The plain one: SSLSocket's own takes the TLS state from under a thread that reads.
        socket.socket.shutdown(opened, socket.SHUT_RDWR)
