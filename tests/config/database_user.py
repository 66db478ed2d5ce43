"""A process that uses the embedded database: `python -m tests.config.database_user DIR [fork]`.

Prints `ready` once the database answers, stays until its standard input is closed, then ends in
the ordinary way. With `fork` it ends at once and leaves a forked child that stays instead.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from config import embedded_database


def main(data_dir: str, *mode: str) -> None:
    try:
        embedded_database.ensure_running(Path(data_dir))
    except embedded_database.EmbeddedDatabaseError as error:
        sys.exit(str(error))
    if "fork" in mode and os.fork() > 0:
        return
    sys.stdout.write(f"ready {os.getpid()}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
