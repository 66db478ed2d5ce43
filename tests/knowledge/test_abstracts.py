"""Abstracts of documents: when they are made, what is taken over, and that none can be cited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from accounts.tenancy import tenant_transaction
from knowledge import abstract_writers
from knowledge.ingest.abstracts import Source, WriterFailed, Written, count_words
from knowledge.models import Abstract, Document, IngestUsage, KnowledgeBase, Node
from knowledge.services import lazy_abstracts
from knowledge.services.deletion import document_delete
from retrieval.abstracting import ModelWriter, writer_of
from retrieval.llm.openai_model import OpenAIChatModel
from retrieval.models import UsageEntry
from retrieval.services.evidence import block_at
from retrieval.services.places import place_at
from retrieval.services.scopes import Reader, base_scope
from retrieval.tools import Toolbox
from retrieval.tools.agent_box import ToolboxForAgents
from tests.factories import Company, ingested
from tests.knowledge.conftest import version_of
from tests.scripted_model import ScriptedModel
from tests.scripted_replies import Say

LONG = (
    "Annual leave is granted to every employee of the company, and it is thirty days a year. "
    "Employees ask for annual leave two weeks ahead in the leave calendar of the company. "
    "Leave that an employee has not taken by March lapses, unless the manager carries it over. "
    "Part-time employees are granted annual leave in proportion to the hours that they work. "
    "Whoever falls ill during annual leave gets the days of leave back with a certificate."
)
MANUAL = f"""# Manual

## Leave

{LONG}

## Travel

### Trains

{LONG.replace("leave", "travel")}

### Hotels

{LONG.replace("leave", "a hotel")}

## Offices

The office in Bergen opens at eight.
"""
SECTIONS = ["manual", "manual/leave", "manual/offices", "manual/travel"]


@dataclass(slots=True)
class Writer:
    """Writes what it was told about, and remembers it; fails as often as it should."""

    name: str = "model-1"
    failures: int = 0
    titles: list[str] = field(default_factory=list)

    def write(self, source: Source) -> Written:
        self.titles.append(source.title)
        if self.failures:
            self.failures -= 1
            raise WriterFailed("did not answer")
        digest = source.digest[:6]
        return Written(f"All about {source.title} ({digest}).", 300, 20)


@pytest.fixture
def writer() -> Iterator[Writer]:
    made = Writer()
    before = abstract_writers._factory
    abstract_writers.set_writers(lambda base: made)
    yield made
    abstract_writers.set_writers(before)


def want(a: Company, mode: str) -> None:
    with tenant_transaction(a.tenant):
        KnowledgeBase.objects.filter(pk=a.base.pk).update(abstracts=mode)
        a.base.refresh_from_db()


def abstracts(a: Company, document: Document) -> dict[str, str]:
    version = version_of(a.tenant, document)
    with tenant_transaction(a.tenant):
        rows = Abstract.objects.filter(version=version)
        return dict(rows.values_list("node__path", "text"))


def box(a: Company) -> Toolbox:
    with tenant_transaction(a.tenant):
        return Toolbox(base_scope(Reader(a.tenant.pk), a.base.slug))


def test_a_lazy_base_makes_abstracts_of_what_is_listed_when_it_is_listed(a: Company) -> None:
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    assert abstracts(a, document) == {}
    shown = box(a).list("kb://handbook/manual")
    texts = {item.title: item.text for item in shown.items}
    assert texts["Offices"] == "The office in Bergen opens at eight."
    assert texts["Leave"].startswith("Annual leave is granted")
    assert len(texts["Travel"]) > 50
    assert sorted(abstracts(a, document)) == [
        "manual/leave", "manual/offices", "manual/travel", "manual/travel/hotels",
        "manual/travel/trains",
    ]  # fmt: skip
    assert box(a).list("kb://handbook/manual") == shown


def test_inventory_and_list_show_the_card_of_a_document_with_a_line_about_it(a: Company) -> None:
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    for tool in (box(a).inventory(), box(a).list()):
        facts, line = tool.items[0].text.split("\n")
        assert facts.startswith("manual.md, Markdown, en, version 1 of 20")
        assert "leave" in line
    assert f"\n{abstracts(a, document)['manual'][:40]}" in box(a).search("Bergen").text


def test_a_base_without_abstracts_shows_the_beginning_and_stores_none(a: Company) -> None:
    want(a, "off")
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    listed = box(a).list("kb://handbook/manual")
    assert listed.items[0].text.startswith("Annual leave is granted")
    assert "\n" not in box(a).inventory().items[0].text
    assert abstracts(a, document) == {}
    assert "There is no abstract" in box(a).read("kb://handbook/manual/.abstract").text


def test_a_document_too_large_to_wait_for_is_left_to_its_ingestion(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lazy_abstracts, "LAZY_MAX_TOKENS", 100)
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    assert "\n" not in box(a).inventory().items[0].text
    assert abstracts(a, document) == {}
    monkeypatch.setattr("knowledge.services.abstracts.LAZY_MAX_TOKENS", 100)
    large = ingested(a.tenant, a.base, "other.md", MANUAL.replace("# Manual", "# Other"))
    assert len(abstracts(a, large)) == 6


def test_an_eager_base_without_a_model_takes_sentences_at_ingestion(a: Company) -> None:
    want(a, "eager")
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    made = abstracts(a, document)
    assert len(made) == 6
    assert all(text and count_words(text) <= 60 for text in made.values())
    with tenant_transaction(a.tenant):
        rows = Abstract.objects.all()
        assert set(rows.values_list("generator", "language")) == {("extractive", "en")}
    version = version_of(a.tenant, document)
    assert (version.abstracts, version.reused_abstracts, version.abstract_tokens) == (6, 0, 0)


def test_a_model_is_paid_from_the_leaves_upwards_and_not_for_what_is_short(
    a: Company, writer: Writer
) -> None:
    want(a, "eager")
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    assert sorted(writer.titles) == ["Hotels", "Leave", "Trains"]
    made = abstracts(a, document)
    assert made["manual/offices"] == "The office in Bergen opens at eight."
    assert made["manual/travel"].startswith("All about Trains")  # short by now: joined as it is
    version = version_of(a.tenant, document)
    assert version.abstract_tokens == 3 * 320
    with tenant_transaction(a.tenant):
        spent = IngestUsage.objects.get(purpose="abstract")
        assert (spent.tokens, spent.version_number) == (3 * 320, version.pk)


def test_sections_that_say_the_same_are_paid_for_once(a: Company, writer: Writer) -> None:
    want(a, "eager")
    text = f"# Twice\n\n## A\n\n### Leave\n\n{LONG}\n\n## B\n\n### Leave\n\n{LONG}\n"
    document = ingested(a.tenant, a.base, "twice.md", text)
    assert writer.titles == ["Leave"]
    version = version_of(a.tenant, document)
    assert (version.abstracts, version.reused_abstracts, version.abstract_tokens) == (5, 1, 320)


def test_documents_from_before_a_base_became_eager_have_abstracts_of_sentences(
    a: Company, writer: Writer
) -> None:
    ingested(a.tenant, a.base, "manual.md", MANUAL)
    want(a, "eager")
    assert "leave" in box(a).inventory().items[0].text
    assert writer.titles == []  # nobody is paid for looking


def test_after_an_edit_only_the_sections_above_it_are_made_anew(a: Company, writer: Writer) -> None:
    want(a, "eager")
    ingested(a.tenant, a.base, "manual.md", MANUAL)
    writer.titles.clear()
    edited = MANUAL.replace("given a hotel", "granted a hotel").replace("a hotel calendar", "list")
    document = ingested(a.tenant, a.base, "manual.md", edited)
    assert writer.titles == ["Hotels"]
    version = version_of(a.tenant, document)
    # Leave, Trains and Offices are as they were; Hotels and the two above it are not.
    assert (version.abstracts, version.reused_abstracts) == (6, 3)
    assert version.abstract_tokens == 320


def test_the_refresh_stops_where_a_section_comes_out_the_same(a: Company) -> None:
    want(a, "eager")
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    before = abstracts(a, document)
    # An aside that no abstract quotes.
    edited = MANUAL.replace(LONG, f"{LONG} Hm.", 1)
    document = ingested(a.tenant, a.base, "manual.md", edited)
    version = version_of(a.tenant, document)
    assert abstracts(a, document) == before
    assert (version.abstracts, version.reused_abstracts) == (6, 5)


def test_a_model_that_fails_keeps_nothing_from_being_published_and_the_version_says_so(
    a: Company, writer: Writer
) -> None:
    want(a, "eager")
    writer.failures = 99
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    version = version_of(a.tenant, document)
    assert version.state == "ready"
    assert len(writer.titles) == 2  # then it was taken to be away
    assert version.warnings == [
        "2 of the abstracts are sentences of the document, since the language model did not answer."
    ]
    with tenant_transaction(a.tenant):
        assert set(Abstract.objects.values_list("generator", flat=True)) == {"extractive"}


def test_whatever_goes_wrong_with_abstracts_the_document_is_published(
    a: Company, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    want(a, "eager")

    def broken(self: Writer, source: Source) -> Written:
        raise RuntimeError("a fault in the writer")

    monkeypatch.setattr(Writer, "write", broken)
    version = version_of(a.tenant, ingested(a.tenant, a.base, "manual.md", MANUAL))
    assert version.state == "ready"
    assert "abstracts could not be made" in version.warnings[0]


def test_the_configured_model_writes_over_http_and_its_calls_stand_in_the_ledger(
    a: Company,
) -> None:
    want(a, "eager")
    with ScriptedModel(Say("Leave and how to ask for it.")) as server:
        model = OpenAIChatModel(base_url=server.base_url, api_key="", model="m", timeout_s=5)
        abstract_writers.set_writers(lambda base: ModelWriter(model, base.tenant_id, base.slug))
        try:
            document = ingested(a.tenant, a.base, "manual.md", f"# Manual\n\n{LONG}\n")
        finally:
            abstract_writers.set_writers(writer_of)
        asked = server.chats[0].body["messages"]
    assert abstracts(a, document) == {"manual": "Leave and how to ask for it."}
    assert asked[1]["content"].split() == f"Manual {LONG}".split()
    assert "(en)" in asked[0]["content"]
    with tenant_transaction(a.tenant):
        entry = UsageEntry.objects.get(purpose="abstract")
        row = Abstract.objects.get()
    assert (row.generator, row.input_tokens) == ("m", entry.prompt_tokens)
    assert version_of(a.tenant, document).abstract_tokens > 0


def test_an_abstract_can_be_read_by_its_address_but_is_no_place_that_a_citation_can_have(
    a: Company,
) -> None:
    ingested(a.tenant, a.base, "manual.md", MANUAL)
    agent = ToolboxForAgents(box(a).scope)
    address = "kb://handbook/manual/leave/.abstract"
    read = agent.toolbox.read(address)
    assert read.items[0].kind == "abstract"
    assert read.items[0].text.startswith("Annual leave is granted")
    # What an agent reads becomes evidence by its number: this number is no evidence.
    number = agent.toolbox.number_of(address)
    assert agent.context([number]).blocks == ()
    with tenant_transaction(a.tenant):
        path = "manual/leave/.abstract"
        assert place_at(a.base, path) is None
        assert block_at(a.base, path, 1) is None
        assert not Node.objects.filter(path__endswith=".abstract").exists()
    # Nothing is found in it either, and it is no way to the whole base.
    assert agent.toolbox.search("leave", address).items == ()
    assert agent.toolbox.grep("leave", address).items == ()


@pytest.mark.parametrize(
    "address", ["kb://handbook/.abstract", "kb://handbook/manual/offices/p1/.abstract",
                "kb://handbook/nowhere/.abstract", "kb://handbook/manual/.abstract/.abstract"]
)  # fmt: skip
def test_only_documents_and_sections_have_an_abstract(a: Company, address: str) -> None:
    ingested(a.tenant, a.base, "manual.md", MANUAL)
    assert box(a).read(address).error


def test_a_deleted_document_takes_its_abstracts_along(a: Company) -> None:
    want(a, "eager")
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    document_delete(tenant=a.tenant, document=document)
    with tenant_transaction(a.tenant):
        assert not Abstract.objects.exists()
        assert IngestUsage.objects.filter(purpose="read").exists()
