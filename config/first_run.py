"""What the first run leaves in the data directory: the folder itself and a secret key."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from config.env import Environment

SECRET_KEY_MIN_LENGTH = 32
# Keys that stand in tutorials and examples; `django-insecure-` is startproject's mark.
KNOWN_SECRET_WORDS = ("django-insecure", "change-me", "changeme", "your-secret", "example")


class WeakSecretKey(Exception):
    """The secret key is known or short, and debugging is off."""


def prepare(env: Environment) -> None:
    """Make the data directories and, where none is configured, the secret key. Raises OSError."""
    env.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    # STATIC_ROOT: WhiteNoise warns at every start where it is missing, though finders serve all.
    (env.data_dir / "static").mkdir(exist_ok=True)
    path = _secret_key_file(env.data_dir)
    if env.secret_key or path.exists():
        return
    # Written whole under another name, then linked: of two first runs one wins, both read its key.
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(48) + "\n")
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def secret_key(env: Environment) -> str:
    """Return the configured key, else the generated one.

    Where neither exists (a type checker imports the settings), return one for this process only:
    importing settings writes nothing.
    """
    if env.secret_key:
        return env.secret_key
    try:
        return _secret_key_file(env.data_dir).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return secrets.token_urlsafe(48)


def secret_key_problem(key: str) -> str | None:
    """Return why the key must not be used online, None when it may."""
    if any(word in key.lower() for word in KNOWN_SECRET_WORDS):
        return "CAIRN_SECRET_KEY is an example that everybody knows."
    if len(key) < SECRET_KEY_MIN_LENGTH or len(set(key)) < 8:
        return f"CAIRN_SECRET_KEY is shorter than {SECRET_KEY_MIN_LENGTH} characters or trivial."
    return None


def refuse_weak_secret_key(env: Environment) -> None:
    """Raise WeakSecretKey when debugging is off and the key is known or short."""
    problem = secret_key_problem(secret_key(env))
    if problem and not env.debug:
        raise WeakSecretKey(f"{problem} Leave it empty: Cairn then makes one of its own.")


def _secret_key_file(data_dir: Path) -> Path:
    return data_dir / "secret-key"
