"""The settings of a base: how its documents are read, their abstracts, reading them again."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from knowledge.ingest import ocr
from knowledge.models import IngestionRun, KnowledgeBase
from tests.factories import Company, ingest_queued, ingested
from tests.ingest.docx.inlines import changed
from tests.web.conftest import Asked, Browser
from tests.web.pages import read_page

CHOSEN = {
    "parse_mode": "thorough",
    "tracked_changes": "marked",
    "ocr": "off",
    "ocr_languages": ["eng"],
}


def address(name: str, company: Company) -> str:
    return reverse(name, args=[company.tenant.slug, company.base.slug])


def stored(company: Company) -> KnowledgeBase:
    with tenant_transaction(company.tenant):
        return KnowledgeBase.objects.get(pk=company.base.pk)


def checked(html: str) -> set[tuple[str, str]]:
    return {
        (str(attributes["name"]), str(attributes["value"]))
        for attributes in read_page(html).attributes("input")
        if "checked" in attributes
    }


def test_the_page_shows_how_documents_are_read_and_what_each_choice_costs(
    a: Company, browser: Browser
) -> None:
    html = browser(a.admin).get(address("base_settings", a)).content.decode()
    assert {
        ("parse_mode", "fast"),
        ("tracked_changes", "accepted"),
        ("ocr", "auto"),
        ("ocr_languages", "eng"),
        ("abstracts", "lazy"),
    } <= checked(html)
    for sentence in (
        "about 100 pages a second",
        "about 1 page a second",
        "holds for documents that are uploaded or read again from now on",
    ):
        assert sentence in html


def test_what_is_chosen_is_stored_and_shown_and_nothing_else_changes(
    a: Company, browser: Browser
) -> None:
    client, page = browser(a.owner), address("base_settings", a)
    response = client.post(address("base_reading", a), CHOSEN, follow=True)
    assert response.redirect_chain == [(page, 302)]
    html = response.content.decode()
    assert "It holds for documents that are uploaded or read again from now on." in html
    assert {("parse_mode", "thorough"), ("tracked_changes", "marked"), ("ocr", "off")} <= checked(
        html
    )
    base = stored(a)
    assert (base.parse_mode, base.ocr, base.ocr_languages) == ("thorough", "off", "eng")
    assert (base.name, base.abstracts, base.visibility) == (a.base.name, "lazy", "tenant")
    client.post(address("base_abstracts", a), {"abstracts": "eager"})
    assert (stored(a).abstracts, stored(a).parse_mode) == ("eager", "thorough")
    client.post(page, {"name": "Renamed", "visibility": "tenant"})
    assert (stored(a).name, stored(a).parse_mode) == ("Renamed", "thorough")


@pytest.mark.parametrize(
    ("route", "sent", "sentence"),
    [
        ("base_reading", CHOSEN | {"ocr_languages": []}, "Choose at least one language."),
        ("base_reading", CHOSEN | {"ocr_languages": ["../eng"]}, "Select a valid choice."),
        ("base_reading", CHOSEN | {"parse_mode": "psychic"}, "Select a valid choice."),
        ("base_reading", {}, "This field is required."),
        ("base_abstracts", {"abstracts": "sometimes"}, "Select a valid choice."),
    ],
)
def test_nonsense_is_refused_beside_its_field_and_changes_nothing(
    route: str, sent: dict[str, object], sentence: str, a: Company, browser: Browser
) -> None:
    response = browser(a.owner).post(address(route, a), sent)
    assert response.status_code == 422
    html = response.content.decode()
    assert sentence in html
    assert a.base.name in html  # the other sections of the page are there
    base = stored(a)
    assert (base.parse_mode, base.ocr_languages, base.abstracts) == ("fast", "eng", "lazy")


def test_a_language_chosen_elsewhere_is_kept_though_this_server_cannot_read_it(
    a: Company, browser: Browser
) -> None:
    with tenant_transaction(a.tenant):
        KnowledgeBase.objects.filter(pk=a.base.pk).update(ocr_languages="eng+deu")
    client = browser(a.admin)
    html = client.get(address("base_settings", a)).content.decode()
    assert {("ocr_languages", "eng"), ("ocr_languages", "deu")} <= checked(html)
    assert "German" in html
    client.post(address("base_reading", a), CHOSEN | {"ocr_languages": ["deu", "eng"]})
    assert stored(a).ocr_languages == "deu+eng"


def test_a_server_without_ocr_says_so(
    a: Company, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "tesseract_data", lambda: None)
    html = browser(a.admin).get(address("base_settings", a)).content.decode()
    assert "No languages of Tesseract are installed on this server" in html


@pytest.mark.parametrize("who", ["editor", "member"])
@pytest.mark.parametrize("route", ["base_reading", "base_abstracts", "base_read_again"])
def test_only_owners_and_admins_change_them(
    who: str, route: str, asked: Asked, browser: Browser
) -> None:
    company = asked.company
    sent = CHOSEN | {"abstracts": "off"}
    response = browser(getattr(company, who)).post(address(route, company), sent)
    assert response.status_code == 403
    base = stored(company)
    assert (base.parse_mode, base.abstracts) == ("fast", "lazy")
    with tenant_transaction(company.tenant):
        assert not IngestionRun.objects.filter(rereads=True).exists()


def test_all_documents_are_read_again_from_the_page(a: Company, browser: Browser) -> None:
    client, page = browser(a.admin), address("base_settings", a)
    assert "Read all documents again" not in client.get(page).content.decode()
    document = ingested(a.tenant, a.base, "fee.docx", changed())
    client.post(address("base_reading", a), CHOSEN)
    again = address("base_read_again", a)
    html = client.post(again, follow=True).content.decode()
    assert "1 document will be read again; they stay in use meanwhile." in html
    assert "1 document is waiting to be read again." in html
    html = client.post(again, follow=True).content.decode()
    assert "There is no document that is not being read already." in html
    for _ in range(2):
        ingest_queued(a.tenant)
    arguments = [a.tenant.slug, a.base.slug, document.pk]
    html = client.get(reverse("document", args=arguments)).content.decode()
    assert "[inserted: $7m]" in html
    assert "Tracked changes: 1 insertion and 1 deletion are marked in the text." in html


def test_editors_have_one_document_read_again_and_members_do_not(
    a: Company, browser: Browser
) -> None:
    document = ingested(a.tenant, a.base, "fee.docx", changed())
    arguments = [a.tenant.slug, a.base.slug, document.pk]
    page, again = (reverse(name, args=arguments) for name in ("document", "document_read_again"))
    member, editor = browser(a.member), browser(a.editor)
    assert again not in member.get(page).content.decode()
    assert member.post(again).status_code == 403
    assert again in editor.get(page).content.decode()
    html = editor.post(again, follow=True).content.decode()
    assert "“fee” will be read again; it stays in use meanwhile." in html
    html = editor.get(page).content.decode()
    assert "Version 1 is being read again" in html
    assert again not in html
    assert "is being read already" in editor.post(again, follow=True).content.decode()


def test_a_failed_reading_is_told_on_the_settings_and_the_versions(
    a: Company, browser: Browser, settings
) -> None:
    document = ingested(a.tenant, a.base, "fee.docx", changed())
    client = browser(a.admin)
    client.post(address("base_read_again", a))
    settings.UPLOAD_MAX_BYTES = 10
    ingest_queued(a.tenant)
    html = client.get(address("base_settings", a)).content.decode()
    assert "1 document could not be read again and stays as it was" in html
    versions = reverse("document_versions", args=[a.tenant.slug, a.base.slug, document.pk])
    assert f'<a href="{versions}" dir="auto">fee</a>: <span dir="auto">The file has' in html
    html = client.get(versions).content.decode()
    assert "It could not be read again: The file has" in html
    assert "Used for answers" in html


def test_a_base_that_is_searched_by_words_alone_says_so(asked: Asked, browser: Browser) -> None:
    company = asked.company
    notice = "passages are found by their words alone"
    client = browser(company.member)
    conversation = reverse("conversation", args=[company.tenant.slug, asked.run.conversation_id])
    pages = [address(name, company) for name in ("documents", "ask")]
    for path in pages:
        assert notice not in client.get(path).content.decode()
    with tenant_transaction(company.tenant):
        bases = KnowledgeBase.objects.filter(pk=company.base.pk)
        bases.update(words_only_since=timezone.now())
    for path in pages:
        assert notice in client.get(path).content.decode()
    assert notice in browser(company.editor).get(conversation).content.decode()
