"""Django's PostgreSQL backend, told two things about Cairn.

`id` alone is not the key of an owned table: Django groups by `id` and selects the other columns,
which PostgreSQL allows for a primary key only; that of an owned table is `(tenant_id, id)`. Without
this, `annotate(Count(...))` fails.

A database that is away is not waited for by every request anew.
"""

import time
from typing import Any

from django.db.backends.postgresql import base, features
from django.db.models import Model
from psycopg import OperationalError
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping
from psycopg_pool import PoolTimeout

_AWAY_S = 30
_PING_TIMEOUT_S = 3
_ADDRESS = ("host", "port", "user", "password", "dbname")


class DatabaseFeatures(features.DatabaseFeatures):
    def allows_group_by_selected_pks_on_model(self, model: type[Model]) -> bool:
        from accounts.tenancy import TenantOwned  # needs the settings, which name this backend

        return super().allows_group_by_selected_pks_on_model(model) and not issubclass(
            model, TenantOwned
        )


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures
    # Of the whole process: the monotonic time until which the server is asked before the pool.
    _away_until = 0.0

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection. Raises OperationalError, at once if the server was away just now.

        A pool that times out does not say why, so the server is asked: a busy one answers, and
        then nothing is remembered.
        """
        if not self.pool:
            return super().get_new_connection(conn_params)
        if time.monotonic() < DatabaseWrapper._away_until:
            _require_server(conn_params)
        try:
            return super().get_new_connection(conn_params)
        except PoolTimeout:
            _require_server(conn_params)
            raise


def _require_server(conn_params: dict[str, Any]) -> None:
    """Raise OperationalError, and remember it, unless the server takes connections.

    A server that has no place left takes connections in the sense of PQping.
    """
    address = {key: conn_params[key] for key in _ADDRESS if conn_params.get(key)}
    known = make_conninfo(**address, connect_timeout=_PING_TIMEOUT_S)
    is_there = PGconn.ping(known.encode()) == Ping.OK
    DatabaseWrapper._away_until = 0.0 if is_there else time.monotonic() + _AWAY_S
    if not is_there:
        raise OperationalError("The database server does not answer.")
