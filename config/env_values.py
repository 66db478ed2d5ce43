"""Typed reading of environment variables; every refusal names the variable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from config.variables import BY_NAME, Variable

YES = frozenset({"1", "on", "true", "yes"})
NO = frozenset({"0", "off", "false", "no"})
T = TypeVar("T")


class InvalidEnvironment(Exception):
    """An environment variable cannot be used; the message names it and says what it must be."""


class Values:
    """Reads declared variables out of a mapping; an empty value counts as not given."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def text(self, name: str) -> str:
        """Return the value or its default; a secret may come from the file that NAME_FILE names.

        Raises KeyError for an undeclared name, InvalidEnvironment for a file that cannot be read.
        """
        variable = BY_NAME[name]
        given = self._environ.get(name, "").strip()
        if variable.secret:
            given = self._from_file(variable, given)
        return given or variable.default

    def _from_file(self, variable: Variable, given: str) -> str:
        pointer = f"{variable.name}_FILE"
        path = self._environ.get(pointer, "").strip()
        if not path:
            return given
        if given:
            raise InvalidEnvironment(f"{variable.name} and {pointer} are both set; remove one.")
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise InvalidEnvironment(f"{pointer}: cannot read {path}: {reason}.") from error

    def flag(self, name: str) -> bool:
        value = self.text(name).lower()
        if value not in YES | NO:
            raise InvalidEnvironment(f"{name} must be on or off, not {value!r}.")
        return value in YES

    def integer(self, name: str, *, minimum: int, maximum: int) -> int:
        value = self.text(name)
        # int() also takes "1_0", " 5" and other scripts' digits; nobody means those here.
        if not (value.isascii() and value.isdigit()) or not minimum <= int(value) <= maximum:
            raise InvalidEnvironment(
                f"{name} must be a whole number from {minimum} to {maximum}, not {value!r}."
            )
        return int(value)

    def choice(self, name: str, options: Iterable[str]) -> str:
        value = self.text(name)
        allowed = tuple(options)
        if value not in allowed:
            raise InvalidEnvironment(f"{name} must be {' or '.join(allowed)}, not {value!r}.")
        return value

    def items(self, name: str) -> tuple[str, ...]:
        """Return the comma-separated items, blanks dropped."""
        return tuple(item.strip() for item in self.text(name).split(",") if item.strip())

    def parsed(self, name: str, parse: Callable[[str], T]) -> T | None:
        """Return `parse(value)`, None when the value is empty.

        A ValueError of `parse` becomes an InvalidEnvironment that names the variable.
        """
        value = self.text(name)
        if not value:
            return None
        try:
            return parse(value)
        except ValueError as error:
            # The value itself stays out of the message: it may hold a password.
            raise InvalidEnvironment(f"{name} {error}.") from error
