"""Inserting many rows with one parameter.

Django writes a placeholder for every value and the driver scans the statement for them: with
batches of 16 entries that was two thirds of reading a file of 10,000 headings (measured: 69 s, now
24 s). COPY is no way around it: PostgreSQL refuses it on tables with row-level security.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import connection, models

BATCH = 2_000
"""Rows a statement: a few megabytes of JSON."""


def ids_reserve(model: type[models.Model], count: int) -> list[int]:
    """Return that many primary keys that no other row of the model gets, in ascending order."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return sorted(row[0] for row in cursor.fetchall())


def rows_insert(rows: Sequence[models.Model]) -> None:
    """Insert rows of one model in order, in the caller's transaction; all have a key, or none.

    Sends no signals and, unlike bulk_create, leaves the rows without the keys they got.
    """
    for start in range(0, len(rows), BATCH):
        _insert(rows[start : start + BATCH])


def _insert(rows: Sequence[models.Model]) -> None:
    meta = rows[0]._meta
    fields = [f for f in meta.concrete_fields if not f.primary_key or rows[0].pk is not None]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    table = connection.ops.quote_name(meta.db_table)
    values = [
        {field.column: field.get_prep_value(getattr(row, field.attname)) for field in fields}
        for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) "  # noqa: S608  names of our own columns
            f"SELECT {columns} FROM json_populate_recordset(NULL::{table}, %s::json)",
            [json.dumps(values, default=_plain, ensure_ascii=False)],
        )


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in JSON here")
