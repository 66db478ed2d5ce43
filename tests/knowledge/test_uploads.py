"""What an upload is called, where it lives, and what happens when two come at once."""

from __future__ import annotations

from collections import Counter

import pytest

from accounts.tenancy import tenant_transaction
from knowledge.ingest.paths import format_uri, parse_uri
from knowledge.models import Document, DocumentVersion, IngestionRun, KnowledgeBase
from knowledge.services.bases import NameTaken, base_create, base_delete
from knowledge.services.uploads import Outcome, UploadRefused, document_upload, version_retry
from tests.factories import Company, ingest_queued, ingested, make_base, make_tenant, uploaded
from tests.knowledge.conftest import HANDBOOK, assert_statistics_are_exact, at_once, stored


def test_the_name_decides_which_document_it_is(a: Company) -> None:
    names = ["guide.md", "guide.txt", "de/guide.md", "Guide.md"]
    documents = {uploaded(a.tenant, a.base, name, f"About {name}.").pk for name in names}
    assert len(documents) == 4
    with tenant_transaction(a.tenant):
        paths = list(Document.objects.order_by("pk").values_list("path", flat=True))
    assert len(set(paths)) == 4
    assert [path.rpartition("/")[0] for path in paths] == ["", "", "de", ""]


def test_composed_and_decomposed_letters_name_one_document(a: Company) -> None:
    first = uploaded(a.tenant, a.base, "Bu\u0308ro.md", "Text one.")
    assert uploaded(a.tenant, a.base, "B\u00fcro.md", "Text two.").pk == first.pk


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("C:\\Users\\me\\notes.md", "C:/Users/me/notes.md"),
        ("../../etc/passwd.txt", "etc/passwd.txt"),
        ("/absolute.md", "absolute.md"),
        ("a/./b/../c.md", "a/b/c.md"),
        ("line\nbreak\x00.md", "linebreak.md"),
        ("  spaced .md", "spaced .md"),
        ("議事録\u3000営業.md", "議事録 営業.md"),
        ("a\u00a0b.md", "a b.md"),
        ("价格表.md", "价格表.md"),
        ("прайс.md", "прайс.md"),
        ("🚀 plan.md", "🚀 plan.md"),
    ],
)
def test_a_name_is_kept_without_what_would_harm(a: Company, given: str, kept: str) -> None:
    assert uploaded(a.tenant, a.base, given, "Text.").filename == kept


@pytest.mark.parametrize("name", ["", "  ", "..", "/", "../..", "\x00"])
def test_a_file_without_a_name_is_refused_with_a_sentence(a: Company, name: str) -> None:
    with pytest.raises(UploadRefused, match=r"The file has no name\."):
        uploaded(a.tenant, a.base, name, "Text.")


def test_a_name_that_is_too_long_is_refused_with_a_sentence(a: Company) -> None:
    with pytest.raises(UploadRefused, match="longer than 200 characters"):
        uploaded(a.tenant, a.base, "x" * 200 + ".md", "Text.")


def test_a_file_that_is_too_large_is_refused_with_a_sentence(a: Company, settings) -> None:
    settings.UPLOAD_MAX_BYTES = 1024 * 1024
    with pytest.raises(UploadRefused, match="larger than 1 MB"):
        uploaded(a.tenant, a.base, "large.md", b"x" * (1024 * 1024 + 1))
    with tenant_transaction(a.tenant):
        assert not Document.objects.exists()


def test_an_upload_into_a_base_that_was_just_deleted_is_refused_with_a_sentence(
    a: Company,
) -> None:
    base_delete(tenant=a.tenant, base=KnowledgeBase(pk=a.base.pk, tenant=a.tenant))
    with pytest.raises(UploadRefused, match=r"This knowledge base was deleted\."):
        uploaded(a.tenant, a.base, "late.md", "Text.")


@pytest.mark.parametrize(
    "name", ["p1.md", "c5.md", "s2.txt", "t3.md", "f4.md", "🚀.md", "---.md", "...md", "%.md"]
)
def test_every_document_has_an_address_that_leads_back_to_it(a: Company, name: str) -> None:
    document = ingested(a.tenant, a.base, name, HANDBOOK)
    uri = format_uri(a.base.slug, document.path)
    assert parse_uri(uri).document == document.path
    for _, path, *_ in stored(a.tenant, document)["entries"]:
        head, _, rest = path.partition("/")
        assert format_uri(a.base.slug, head, rest).startswith(uri)


@pytest.mark.parametrize("name", ["p1", "c5", "🚀 Start", "Über uns", "价格表", "новости"])
def test_every_base_has_an_address(a: Company, name: str) -> None:
    base = base_create(tenant=a.tenant, name=name, by=None)
    assert parse_uri(base.uri).kb == base.slug


def test_two_bases_of_one_name_are_refused_with_a_sentence_and_other_companies_may(
    a: Company, b: Company
) -> None:
    base_create(tenant=a.tenant, name="News", by=None)
    with pytest.raises(NameTaken, match="There is a knowledge base called News already"):
        base_create(tenant=a.tenant, name="News", by=None)
    base_create(tenant=b.tenant, name="News", by=None)


@pytest.mark.django_db(transaction=True)
def test_two_uploads_of_one_name_at_once_become_versions_of_one_document() -> None:
    tenant = make_tenant()
    base = make_base(tenant)
    outcomes: list[Outcome] = []

    def upload(content: bytes) -> None:
        outcomes.append(
            document_upload(
                tenant=tenant, base=base, filename="a.md", content=content, by=None
            ).outcome
        )

    contents = [b"The first text.", b"The first text.", b"The second text.", b"The third text."]
    assert at_once(*[lambda content=content: upload(content) for content in contents]) == []
    with tenant_transaction(tenant):
        numbers = list(DocumentVersion.objects.order_by("number").values_list("number", flat=True))
        assert Document.objects.count() == 1
        assert IngestionRun.objects.count() == len(numbers)
    # The equal ones are one version if nothing came between them.
    assert numbers in ([1, 2, 3], [1, 2, 3, 4])
    assert Counter(outcomes)[Outcome.NEW] == 1
    ingest_queued(tenant)
    with tenant_transaction(tenant):
        document = Document.objects.select_related("current_version").get()
        assert document.current_version.number == numbers[-1]
    assert_statistics_are_exact(tenant, base)


@pytest.mark.django_db(transaction=True)
def test_versions_ingested_at_once_keep_the_statistics_exact() -> None:
    tenant = make_tenant()
    base = make_base(tenant)
    for number in range(8):
        uploaded(tenant, base, f"note-{number % 4}.md", f"{HANDBOOK}\n## N\n\nFact {number}.\n")
    assert at_once(*[lambda: ingest_queued(tenant) for _ in range(4)]) == []
    with tenant_transaction(tenant):
        assert {run.state for run in IngestionRun.objects.all()} == {"done"}
        assert {run.attempts for run in IngestionRun.objects.all()} == {1}
        assert Document.objects.ready().count() == 4
        assert KnowledgeBase.objects.get().entry_count == 16
    assert_statistics_are_exact(tenant, base)


@pytest.mark.django_db(transaction=True)
def test_many_clicks_and_uploads_at_once_try_a_failed_version_again_once() -> None:
    tenant = make_tenant()
    base = make_base(tenant)
    version = ingested(tenant, base, "blank.md", "  ").latest_version
    assert version.state == "failed"
    outcomes: list[Outcome] = []

    def click() -> None:
        version_retry(tenant=tenant, version=version)

    def upload() -> None:
        outcomes.append(
            document_upload(
                tenant=tenant, base=base, filename="blank.md", content=b"  ", by=None
            ).outcome
        )

    assert at_once(click, upload, click, click, upload, click) == []
    assert Counter(outcomes)[Outcome.RETRIED] <= 1
    with tenant_transaction(tenant):
        assert IngestionRun.objects.filter(state="queued").count() == 1
        assert IngestionRun.objects.count() == 2
