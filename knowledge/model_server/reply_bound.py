"""A bound on the bytes of a reply: a server that writes without end must not fill the memory."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2


class ReplyTooLong(ValueError):
    """The reply has more bytes than were asked for, or comes packed, so that nobody can tell."""


class ReplyBound:
    """A hook of a client's responses: none gives more than ``limit`` bytes of its body.

    ReplyTooLong is raised by whoever reads the body. What is counted is what came over the line,
    so a body that is packed, though none was asked for, is refused.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit

    def __call__(self, response: httpx2.Response) -> None:
        packed = response.headers.get("Content-Encoding", "identity").strip().lower()
        if packed not in ("", "identity"):
            raise ReplyTooLong(f"the reply is packed as {packed[:40]!r}, which was not asked for")
        if not isinstance(response.stream, httpx2.SyncByteStream):
            raise TypeError("only replies of a client without async are bounded")
        response.stream = _BoundedStream(response.stream, self._limit)


class _BoundedStream(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, limit: int) -> None:
        self._stream = stream
        self._limit = limit

    def __iter__(self) -> Iterator[bytes]:
        taken = 0
        for chunk in self._stream:
            taken += len(chunk)
            if taken > self._limit:
                raise ReplyTooLong(f"the reply is longer than {self._limit} bytes")
            yield chunk

    def close(self) -> None:
        self._stream.close()


def is_too_long(error: BaseException) -> bool:
    """Return whether an error is a ReplyTooLong, or the openai package's around one."""
    return isinstance(error, ReplyTooLong) or isinstance(error.__cause__, ReplyTooLong)
