"""The mail server behind `CAIRN_EMAIL_URL`."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

FORM = "smtp+tls://user:password@host:587"
DEFAULT_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


class InvalidEmailURL(ValueError):
    """The text is not a mail server's URL; the message says which part is wrong."""


@dataclass(frozen=True, slots=True)
class EmailServer:
    """An SMTP server: `use_tls` is STARTTLS, `use_ssl` is TLS from the first byte."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    use_tls: bool
    use_ssl: bool


def parse_email_url(url: str) -> EmailServer:
    """Return the server in a URL: `smtp://` plain, `smtp+tls://` STARTTLS, `smtps://` TLS.

    User and password are percent-decoded. Raises InvalidEmailURL.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InvalidEmailURL(f"must look like {FORM}; its host or port is wrong") from error
    if parts.scheme not in DEFAULT_PORTS:
        raise InvalidEmailURL(f"must start with one of {', '.join(DEFAULT_PORTS)} and ://")
    if not parts.hostname:
        raise InvalidEmailURL(f"must look like {FORM}; the host is missing")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise InvalidEmailURL(f"must look like {FORM}; nothing may follow the port")
    return EmailServer(
        host=parts.hostname,
        port=DEFAULT_PORTS[parts.scheme] if port is None else port,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        use_tls=parts.scheme == "smtp+tls",
        use_ssl=parts.scheme == "smtps",
    )
