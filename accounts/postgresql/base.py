"""Django's PostgreSQL backend, told that `id` alone is not the key of an owned table.

Django groups by `id` and selects the other columns, which PostgreSQL allows for a primary key
only; that of an owned table is `(tenant_id, id)`. Without this, `annotate(Count(...))` fails.
"""

from django.db.backends.postgresql import base, features
from django.db.models import Model


class DatabaseFeatures(features.DatabaseFeatures):
    def allows_group_by_selected_pks_on_model(self, model: type[Model]) -> bool:
        from accounts.tenancy import TenantOwned  # needs the settings, which name this backend

        return super().allows_group_by_selected_pks_on_model(model) and not issubclass(
            model, TenantOwned
        )


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures
