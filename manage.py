#!/usr/bin/env python3
"""Cairn's command line. Starts the embedded database first where one is used."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

# Commands that need no database, and the demo, which looks first whether its port is free.
WITHOUT_DATABASE = frozenset(
    {"", "help", "version", "diffsettings", "makemessages", "stop_database", "demo"}
)


def needs_database(arguments: list[str]) -> bool:
    """Return whether the command line may touch the database."""
    command = arguments[0] if arguments else ""
    if {"-h", "--help", "--version"} & set(arguments) or command in WITHOUT_DATABASE:
        return False
    return command != "check" or "--database" in arguments


def unreadable(arguments: list[str]) -> str | None:
    """Return the first argument with bytes that are no UTF-8, those as \\xNN; None without one."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            return os.fsencode(argument).decode("utf-8", "backslashreplace")
    return None


def prepare(arguments: list[str]) -> None:
    """Read the environment, make the secret key, start the database. Raises its errors."""
    from config import embedded_database, first_run
    from config.env import read_environment

    env = read_environment()
    first_run.prepare(env)
    if env.database.embedded and needs_database(arguments):
        embedded_database.ensure_running(env.data_dir)


def main() -> None:
    # Plain, they would skip the exit handlers and leave children and the database server running.
    signal.signal(signal.SIGTERM, _exit_on_signal)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # it is under nohup: to be outlived
        signal.signal(signal.SIGHUP, _exit_on_signal)
    if odd := unreadable(sys.argv[1:]):
        sys.stderr.write(f"An argument is not UTF-8: {odd}. Rename the file, or name its folder.\n")
        sys.exit(2)
    try:
        from config.embedded_database import EmbeddedDatabaseError
        from config.env import InvalidEnvironment, select_settings
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is not installed. Run `make demo`, or .venv/bin/python manage.py.")
    try:
        prepare(sys.argv[1:])
    except (EmbeddedDatabaseError, InvalidEnvironment) as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"The data directory cannot be used: {error}. Set CAIRN_DATA_DIR to another.")

    from django.core.management import execute_from_command_line

    select_settings()
    from django.db.utils import Error

    try:
        execute_from_command_line(sys.argv)
    except EmbeddedDatabaseError as error:
        sys.exit(str(error))
    except Error as error:
        from accounts.connections import is_connection_lost

        if not is_connection_lost(error):
            raise
        words = " ".join(str(error).split())
        sys.exit(f"The database cannot be reached: {words}")


def _exit_on_signal(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
