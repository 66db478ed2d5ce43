"""Prompts are files beside this module; a variable in one is written ${name}.

Errors: PromptError for a prompt that is not there and for variables that do not fit it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib import resources

_VARIABLE = re.compile(r"\$\{([a-z_]+)\}")
_NAME = re.compile(r"[a-z_]+\Z")


class PromptError(LookupError):
    """There is no such prompt, or a variable is missing or one too many."""


def render(name: str, **variables: str | int) -> str:
    """Return a prompt with its variables filled in, once: what they hold is not read again.

    Raises PromptError unless exactly the prompt's own variables are given.
    """
    text, wanted = prompt(name), variables_of(name)
    if wanted != set(variables):
        raise PromptError(f"{name} takes {sorted(wanted)}, not {sorted(variables)}.")
    return _VARIABLE.sub(lambda match: str(variables[match[1]]), text)


def variables_of(name: str) -> set[str]:
    """Return the names of a prompt's variables. Raises PromptError."""
    return set(_VARIABLE.findall(prompt(name)))


@cache
def prompt(name: str) -> str:
    """Return a prompt as its file has it, blank space around it cut. Raises PromptError."""
    file = resources.files(__package__) / "prompts" / f"{name}.md"
    if not _NAME.match(name) or not file.is_file():
        raise PromptError(f"There is no prompt {name!r}.")
    return file.read_text(encoding="utf-8").strip()


def prompts_hash(names: Iterable[str]) -> str:
    """Return 12 hex digits that change when any of these prompts does; stored with each answer."""
    digest = sha256()
    for name in sorted(set(names)):
        digest.update(f"{name}\0{prompt(name)}\0".encode())
    return digest.hexdigest()[:12]
