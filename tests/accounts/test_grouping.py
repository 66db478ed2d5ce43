"""Counting related rows of an owned model, whose key Django does not know whole."""

import pytest
from django.db.models import Count

from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from tests.factories import Company

pytestmark = pytest.mark.django_db


def test_related_rows_of_an_owned_model_can_be_counted_in_one_query(
    a: Company, django_assert_num_queries
):
    with tenant_transaction(a.tenant), django_assert_num_queries(1):
        counts = [vars(base)["n"] for base in KnowledgeBase.objects.annotate(n=Count("documents"))]
    assert counts
    assert all(isinstance(count, int) for count in counts)
