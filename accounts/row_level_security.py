"""Tenancy, second and third layer: composite keys and row-level security, as migration operations.

`IsolateTenant(model)` makes `(tenant_id, id)` the primary key and forces a policy that shows and
accepts rows of `app.tenant_id` only; without that setting, none. `ComposeForeignKey(model, field)`
adds the foreign key `(tenant_id, x_id)` and its index. Both are reversible.

A test holds every owned model to both, so a migration that forgets them fails there.
"""

from abc import ABC, abstractmethod
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

TENANT_CONDITION = "tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint"
USER_CONDITION = "user_id = nullif(current_setting('app.user_id', true), '')::bigint"


class _TableOperation(Operation, ABC):
    reversible = True
    reduces_to_sql = True

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Leave the models as they are: only the database changes."""

    def _run(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, state: ProjectState, up: bool
    ) -> None:
        # The table may just have been filled or altered; its pending constraint checks must not
        # meet the ALTER below.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for statement in self.statements(app_label, state, up):
            schema_editor.execute(statement)
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")

    @abstractmethod
    def statements(self, app_label: str, state: ProjectState, up: bool) -> list[str]:
        """Return the SQL that does it (`up`), or undoes it."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        self._run(app_label, schema_editor, to_state, up=True)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        self._run(app_label, schema_editor, from_state, up=False)


class IsolateTenant(_TableOperation):
    """Give an owned table its `(tenant_id, id)` key and its forced policy.

    With `own_rows_of_user`, a second policy lets a transaction that has set `app.user_id` read
    (never write) the rows of that user, in any tenant.
    """

    def __init__(self, model: str, own_rows_of_user: bool = False) -> None:
        self.model = model
        self.own_rows_of_user = own_rows_of_user

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        kwargs = {"own_rows_of_user": True} if self.own_rows_of_user else {}
        return (type(self).__name__, [self.model], kwargs)

    def describe(self) -> str:
        return f"Isolate the rows of {self.model} by tenant"

    def statements(self, app_label: str, state: ProjectState, up: bool) -> list[str]:
        table = state.apps.get_model(app_label, self.model)._meta.db_table
        return self._forwards(table) if up else self._backwards(table)

    def _forwards(self, table: str) -> list[str]:
        statements = [
            f'ALTER TABLE "{table}" DROP CONSTRAINT "{table}_pkey"',
            f'ALTER TABLE "{table}" ADD CONSTRAINT "{table}_pkey" PRIMARY KEY (tenant_id, id)',
            f'ALTER TABLE "{table}" ENABLE ROW LEVEL SECURITY',
            f'ALTER TABLE "{table}" FORCE ROW LEVEL SECURITY',
            f'CREATE POLICY tenant_isolation ON "{table}" '
            f"USING ({TENANT_CONDITION}) WITH CHECK ({TENANT_CONDITION})",
        ]
        if self.own_rows_of_user:
            statements.append(
                f'CREATE POLICY own_rows ON "{table}" FOR SELECT USING ({USER_CONDITION})'
            )
        return statements

    def _backwards(self, table: str) -> list[str]:
        return [
            f'DROP POLICY IF EXISTS own_rows ON "{table}"',
            f'DROP POLICY tenant_isolation ON "{table}"',
            f'ALTER TABLE "{table}" NO FORCE ROW LEVEL SECURITY',
            f'ALTER TABLE "{table}" DISABLE ROW LEVEL SECURITY',
            f'ALTER TABLE "{table}" DROP CONSTRAINT "{table}_pkey"',
            f'ALTER TABLE "{table}" ADD CONSTRAINT "{table}_pkey" PRIMARY KEY (id)',
        ]


class ComposeForeignKey(_TableOperation):
    """Add `(tenant_id, x_id) REFERENCES target (tenant_id, id)` and an index on its columns."""

    def __init__(self, model: str, field: str) -> None:
        self.model = model
        self.field = field

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return (type(self).__name__, [self.model, self.field], {})

    def describe(self) -> str:
        return f"Hold {self.model}.{self.field} to rows of the same tenant"

    def statements(self, app_label: str, state: ProjectState, up: bool) -> list[str]:
        model = state.apps.get_model(app_label, self.model)
        field = model._meta.get_field(self.field)
        table, column = model._meta.db_table, field.column
        target = field.related_model._meta.db_table
        name = f"{table}_{column}"
        if not up:
            return [
                f'DROP INDEX "{name}_tenant_idx"',
                f'ALTER TABLE "{table}" DROP CONSTRAINT "{name}_tenant_fk"',
            ]
        return [
            f'ALTER TABLE "{table}" ADD CONSTRAINT "{name}_tenant_fk" '
            f'FOREIGN KEY (tenant_id, "{column}") REFERENCES "{target}" (tenant_id, id) '
            "DEFERRABLE INITIALLY DEFERRED",
            f'CREATE INDEX "{name}_tenant_idx" ON "{table}" (tenant_id, "{column}")',
        ]
