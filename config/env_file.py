"""The `.env` file: KEY=VALUE lines, as `docker compose` reads them."""

from __future__ import annotations

import re
from pathlib import Path

from config.env_values import InvalidEnvironment

LINE = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")


def read_env_file(path: Path) -> dict[str, str]:
    """Return the file's variables; raises InvalidEnvironment naming the line that is none.

    A line is `KEY=VALUE`, `export KEY=VALUE`, a `#` comment or blank. A value in quotes is taken
    as it stands between them; otherwise ` #` begins a comment.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InvalidEnvironment(f"Cannot read {path}: {reason}.") from error
    values: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        match = LINE.fullmatch(stripped)
        if match is None:
            raise InvalidEnvironment(f"Line {number} of {path} is not of the form KEY=VALUE.")
        values[match[1]] = _value(match[2])
    return values


def _value(text: str) -> str:
    quote = text[:1]
    if quote in ("'", '"'):
        end = text.find(quote, 1)
        if end > 0:
            return text[1:end]
    return re.split(r"(?:^|\s)#", text, maxsplit=1)[0].strip()
