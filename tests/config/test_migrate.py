"""What `manage.py migrate` brings besides the migrations."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection


@pytest.mark.django_db
def test_it_makes_the_table_of_the_shared_cache() -> None:
    # The test database gets one from Django's own test set-up, a real one does not.
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE cairn_cache")
    call_command("migrate", verbosity=0)
    assert "cairn_cache" in connection.introspection.table_names()
