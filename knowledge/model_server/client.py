"""The `openai` package's client, bound to one server and to nothing of the environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from knowledge.model_server.base_url import check_base_url

if TYPE_CHECKING:
    import httpx2
    from openai import Omit, OpenAI

CONNECT_TIMEOUT_S = 10.0


def open_client(
    base_url: str,
    api_key: str,
    *,
    reply_bytes: int,
    on_request: Callable[[httpx2.Request], None] | None = None,
) -> OpenAI:
    """Return a client that makes each request once and follows no redirect.

    Retries are the caller's, who knows the deadline. ``on_request`` sees every request before it
    is sent. Each request has a connection of its own: none is left open by a
    client that nobody closes. A reply of more than ``reply_bytes`` ends as ReplyTooLong, which the
    package may wrap (`reply_bound.is_too_long`). Raises InvalidBaseUrl.
    """
    import httpx2  # half a second with openai: not for every process
    from openai import OpenAI

    from knowledge.model_server.reply_bound import ReplyBound

    hooks: list[Callable[[httpx2.Request], None]] = [] if api_key else [_without_key]
    hooks += [on_request] if on_request else []
    limits = httpx2.Limits(max_connections=1000, max_keepalive_connections=0)
    return OpenAI(
        base_url=check_base_url(base_url),
        api_key=api_key or "none",
        max_retries=0,
        default_headers=_unsent_headers(),  # type: ignore[arg-type] # Omit is taken, not declared
        http_client=httpx2.Client(
            limits=limits,
            # A few kilobytes unpack to gigabytes: bytes are counted as they come.
            headers={"Accept-Encoding": "identity"},
            event_hooks={"request": hooks, "response": [ReplyBound(reply_bytes)]},
            # A redirect would send documents to an address that nobody configured.
            follow_redirects=False,
        ),
    )


def time_limits(left_s: float) -> httpx2.Timeout:
    """Return the limits of one request that has ``left_s`` seconds until its deadline."""
    import httpx2

    left_s = max(left_s, 0.001)
    return httpx2.Timeout(left_s, connect=min(CONNECT_TIMEOUT_S, left_s))


def _unsent_headers() -> Mapping[str, Omit]:
    """Return what to leave out: the client reads OPENAI_ORG_ID and OPENAI_PROJECT_ID by itself."""
    from openai import Omit

    return {name: Omit() for name in ("OpenAI-Organization", "OpenAI-Project")}


def _without_key(request: httpx2.Request) -> None:
    """Take away the placeholder, which the openai package insists on having."""
    request.headers.pop("Authorization", None)
