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


@pytest.mark.django_db(transaction=True)
def test_it_goes_on_after_a_kill_while_an_index_was_built() -> None:
    # Such an index is built outside a transaction, so what was there by then stays.
    call_command("migrate", "retrieval", "0014", verbosity=0)
    try:
        with connection.cursor() as cursor:
            cursor.execute("CREATE INDEX question_slots ON retrieval_experiencequestion (id)")
    finally:
        call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'question_slots'")
        (definition,) = cursor.fetchone()
    assert "slots_key" in definition
