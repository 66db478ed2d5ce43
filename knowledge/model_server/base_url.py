"""The address of a model's server."""

from __future__ import annotations

from urllib.parse import urlsplit


class InvalidBaseUrl(ValueError):
    """The address cannot be used; the message says why, without repeating it."""


def check_base_url(url: str) -> str:
    """Return ``url`` without a slash at its end. Raises InvalidBaseUrl.

    Internal addresses are allowed: that is where self-hosted models are. A password in the address
    is not, as addresses are shown and logged and keys are not.
    """
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise InvalidBaseUrl("is no valid address") from error
    if parts.scheme not in ("http", "https"):
        raise InvalidBaseUrl("must start with http:// or https://")
    if not host:
        raise InvalidBaseUrl("names no host")
    if "@" in parts.netloc:
        raise InvalidBaseUrl("must not hold a name or password; the key has its own setting")
    if parts.query or parts.fragment:
        raise InvalidBaseUrl("must end with its path, such as /v1, without ? or #")
    return parts.geturl().rstrip("/")
