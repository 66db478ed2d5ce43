"""The five tools as an agent gets them: what they find, what they cost, and what they refuse."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingUnavailable
from knowledge.embedding.hashing import HashingEmbedder
from knowledge.ingest.tokens import count_tokens
from knowledge.models import VersionText
from retrieval.services.scopes import Reader, Scope, UnknownBase, base_scope
from retrieval.tools import Toolbox, ToolResult, finding
from retrieval.tools.folders import LIST_MAX
from tests.factories import Company, ingested, make_document, make_version
from tests.retrieval.conftest import CHINESE, HANDBOOK, Library, library_of

TOOLS = ["search", "list", "grep", "read"]
NOWHERE = [
    "handbook",
    "/",
    "*",
    "kb://",
    "kb:///",
    "kb://handbook//hours",
    "kb://handbook/../../board-papers",
    "kb://handbook/handbook/p1/p2",
    "http://handbook/handbook",
    "kb://handbook/handbook%2Fhours",
    "kb://handbook/%ff",
    "0",
    "99",
    "-1",
    "kb://handbook/nowhere",
    "kb://handbook/handbook/nowhere",
    "kb://handbook/handbook/hours/s1",
    "kb://handbook/handbook/hours/p1/s9",
    f"kb://handbook/handbook/hours/p1/s{'9' * 5000}",
    "kb://handbook/hand",
    "kb://board-papers",
    "kb://nobodys",
    "x" * 5000,
    "9" * 5000,
]


def call(toolbox: Toolbox, tool: str, uri: str) -> ToolResult:
    """Call a tool at an address, with words that are everywhere."""
    match tool:
        case "search":
            return toolbox.search("office", uri)
        case "list":
            return toolbox.list(uri)
        case "grep":
            return toolbox.grep("o", uri)
    return toolbox.read(uri)


def uris(result: ToolResult) -> list[str]:
    return [item.uri for item in result.items]


def test_search_groups_by_document_and_prints_each_documents_line_once(library: Library) -> None:
    result = library.toolbox().search("When does the office open?")
    groups = [item.group for item in result.items]
    assert groups == sorted(groups, key=groups.index)  # each document's items lie together
    assert result.text.count("# Handbook kb://handbook/handbook\n") == 1
    assert result.items[0].uri.startswith("kb://handbook/handbook")
    assert all(len(item.text) <= 200 for item in result.items)


def test_search_at_an_address_finds_only_what_is_below_it(library: Library) -> None:
    found = uris(library.toolbox().search("office", "kb://handbook/handbook/hours"))
    assert found
    assert all(uri.startswith("kb://handbook/handbook/hours/") for uri in found)


@pytest.mark.parametrize("part", ["hours/p1", "hours/p1/s2", "hours/c1"])
def test_a_leaf_a_sentence_and_a_chunk_are_searched_through_what_overlaps_them(
    library: Library, part: str
) -> None:
    address = f"kb://handbook/handbook/{part}"
    assert uris(library.toolbox().search("kitchen", address)) == ["kb://handbook/handbook/hours/c1"]
    assert "kb://handbook/handbook/hours/p1" in uris(library.toolbox().grep("kitchen", address))


def test_one_name_is_not_below_another_that_it_begins_with(library: Library) -> None:
    box = library.toolbox()
    for tool in ("search", "grep"):
        document = uris(call(box, tool, "kb://handbook/handbook"))
        assert document
        assert not [uri for uri in document if "handbook-2" in uri]
        section = uris(call(box, tool, "kb://handbook/handbook/hours"))
        assert section
        assert not [uri for uri in section if "hoursmith" in uri]


def test_search_gives_at_most_k_and_at_least_one(library: Library) -> None:
    for k in (1, 2, 1000, 0, -5):
        found = library.toolbox().search("office", k=k).items
        assert 1 <= len(found) <= max(1, k)


def test_list_shows_the_immediate_children_with_size_and_preview(library: Library) -> None:
    box = library.toolbox()
    assert {item.title for item in box.list().items} == {"Handbook", "Handbook 2", "Отпуск", "保修"}
    children = box.list("kb://handbook/handbook").items
    assert uris(box.list("kb://handbook/handbook")) == [
        "kb://handbook/handbook/p1",
        "kb://handbook/handbook/hours",
        "kb://handbook/handbook/hoursmith",
    ]
    hours = children[1]
    assert (hours.kind, hours.title) == ("section", "Hours")
    assert hours.text.startswith("The office opens at nine.")
    assert hours.tokens > 0


def test_list_of_a_leaf_says_to_read_it(library: Library) -> None:
    result = library.toolbox().list("kb://handbook/handbook/hours/p1")
    assert (result.items, result.hint) == ((), "That is a leaf; read it.")


def test_list_of_a_large_base_stops_and_says_how_to_go_on(a: Company) -> None:
    for number in range(LIST_MAX + 1):
        document = make_document(a.tenant, a.base, path=f"d{number:03}x")
        version = make_version(a.tenant, document, state="ready")
        with tenant_transaction(a.tenant):
            document.current_version = version
            document.save()
    box = Toolbox(Scope(Reader(a.tenant.pk), a.base))
    for result in (box.list(), box.inventory()):
        assert len(result.items) == LIST_MAX
        assert f"Only the first {LIST_MAX} are shown" in result.hint


def test_inventory_filters_by_words_of_title_or_file_name(library: Library) -> None:
    box = library.toolbox()
    assert len(box.inventory().items) == 4
    assert [item.title for item in box.inventory("handbook 2").items] == ["Handbook 2"]
    assert [item.title for item in box.inventory("OTPUSK").items] == ["Отпуск"]
    assert "version 1 of" in box.inventory("otpusk").items[0].text
    assert box.inventory("nothing like it").hint.startswith("Nothing was found.")


def test_an_inventory_by_many_words_asks_for_each_once(library: Library) -> None:
    with CaptureQueriesContext(connection) as asked:
        library.toolbox().inventory("handbook 2 a b c d e f g h")
    assert max(query["sql"].count("title") for query in asked) < 50


@pytest.mark.parametrize("filter", ["a " * 11, "a" * 501])
def test_a_filter_of_too_many_words_is_an_error_in_words(library: Library, filter: str) -> None:
    result = library.toolbox().inventory(filter)
    assert result.error == "A filter has at most 10 words and 500 characters."


def test_an_endless_query_is_an_error_in_words(library: Library) -> None:
    box = library.toolbox()
    for result in (box.search("office " * 1_000), box.retrieve("office " * 1_000, 2)):
        assert result.error == "A query has at most 4000 characters."


MATCHES = [
    (r"opens at (eight|nineteen)", "handbook/hours/summer/p1"),
    ("SUNDAY", "handbook/hours/t1"),
    ("отпуска", "otpusk/правила/p1"),
    ("ОТПУСКА", "otpusk/правила/p1"),
    ("保修期为一年", "baoxiu/期限/p1"),
    (r"[一三]年", "baoxiu/期限/p1"),
]


def test_grep_finds_the_leaf_and_shows_what_stands_around(library: Library) -> None:
    for pattern, leaf in MATCHES:
        result = library.toolbox().grep(pattern)
        assert uris(result) == [f"kb://handbook/{leaf}"]
        assert len(result.items[0].text) <= 200


def test_grep_shows_the_first_matches_and_says_that_there_are_more(library: Library) -> None:
    text = "\n\n".join(f"Article {number} on stock." for number in range(12))
    ingested(library.company.tenant, library.base, "stock.txt", text)
    few, all_of_them = library.toolbox().grep("on stock"), library.toolbox().grep("on stock", k=12)
    assert [len(few.items), len(all_of_them.items)] == [10, 12]
    assert few.hint == "Only the first 10 matches are shown; narrow the scope."
    assert not all_of_them.hint
    assert len(library.toolbox().grep("on stock", k=0).items) == 1


def test_a_pattern_that_is_none_is_an_error_in_words(library: Library) -> None:
    for pattern in ("(", "[a", "a{2,1}", "*", "\\"):
        result = library.toolbox().grep(pattern)
        assert result.error == "That is no valid regular expression."
        assert library.toolbox().grep("office").items  # and the connection is still usable
    for pattern in ("", "  ", "x" * 501):
        assert library.toolbox().grep(pattern).error


def test_a_pattern_that_would_take_for_ever_is_broken_off(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingested(library.company.tenant, library.base, "slow.txt", "ab" * 3000)
    box = library.toolbox()
    with monkeypatch.context() as impatient:
        # How long such a pattern takes depends on the machine; some tenths of a second at least.
        impatient.setattr(finding, "GREP_TIMEOUT_MS", 1)
        result = box.grep(r"(.*)(.*)(.*)(.*)(.*)\1\2\3\4\5c")
    assert result.error == "The pattern took too long."
    assert result.hint
    assert box.grep("office").items


def test_grep_does_not_slow_what_follows_in_the_transaction(library: Library) -> None:
    with tenant_transaction(library.company.tenant):
        library.toolbox().grep("office")
        with connection.cursor() as cursor:
            cursor.execute("SHOW statement_timeout")
            assert cursor.fetchone() == ("0",)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_malformed_or_unknown_address_is_an_error_and_never_everything(
    library: Library, tool: str
) -> None:
    for uri in NOWHERE:
        result = call(library.toolbox(), tool, uri)
        assert result.items == (), uri
        assert result.error, uri
        assert result.hint == "List the base, or search, to see which addresses there are."
        assert len(result.error) < 400


@pytest.mark.parametrize("tool", TOOLS)
def test_an_address_outside_of_the_toolboxs_scope_is_an_error(library: Library, tool: str) -> None:
    whole = library.scope()
    box = Toolbox(Scope(whole.reader, whole.base, "handbook/hours"))
    inside, outside = "kb://handbook/handbook/hours/summer", "kb://handbook/handbook/hoursmith"
    assert call(box, tool, inside).items
    for uri in (outside, "kb://handbook", "kb://handbook/otpusk", "kb://handbook/handbook"):
        assert call(box, tool, uri).error
        assert call(box, tool, uri).items == ()


def test_a_base_that_the_reader_may_not_see_is_as_absent(a: Company, b: Company) -> None:
    for company, slug in ((a, "board-papers"), (a, "nowhere"), (b, "board-papers")):
        with tenant_transaction(company.tenant):
            reader = Reader(company.tenant.pk, company.member)
            with pytest.raises(UnknownBase, match=f"There is no knowledge base {slug}"):
                base_scope(reader, slug)
            if slug != "nowhere":
                insider = Reader(company.tenant.pk, company.insider)
                assert base_scope(insider, slug).base.slug == slug


@pytest.mark.parametrize("tool", [*TOOLS, "inventory"])
def test_tools_check_access_themselves_whatever_scope_they_are_given(a: Company, tool: str) -> None:
    ingested(a.tenant, a.restricted, "secret.md", "# Secret\n\nThe office moves.\n")
    for membership, sees in ((a.member, False), (a.editor, False), (a.insider, True)):
        box = Toolbox(Scope(Reader(a.tenant.pk, membership), a.restricted))
        if tool == "inventory":
            result = box.inventory()
        elif tool == "read":
            result = box.read("kb://board-papers/secret")
        else:
            result = call(box, tool, "")
        assert bool(result.items) is sees
        assert (result.error == "There is no knowledge base board-papers.") is not sees


def test_equal_text_in_two_companies_is_found_in_ones_own(a: Company, b: Company) -> None:
    first, second = library_of(a), library_of(b)
    own = {document.title for document in first.documents.values()}
    assert own == {document.title for document in second.documents.values()}
    for library in (first, second):
        for tool in TOOLS:
            result = call(library.toolbox(), tool, "kb://handbook/handbook")
            assert result.items


READINGS = [
    ("kb://handbook/handbook/hours/p1/s1", "The office opens at nine."),
    ("kb://handbook/handbook/hours/p1/s2", "The kitchen closes at ten."),
    ("kb://handbook/handbook/hours/p1", "The office opens at nine. The kitchen closes at ten."),
    ("kb://handbook/handbook/hours/t1/s2", "| Sunday | never |"),
    ("kb://handbook/baoxiu/期限/p1/s2", "电池的保修期为一年。"),
    ("kb://handbook/baoxiu", CHINESE),
    ("kb://handbook/handbook", HANDBOOK),
]


def test_read_gives_exactly_what_stands_at_an_address(library: Library) -> None:
    for uri, text in READINGS:
        result = library.toolbox().read(uri)
        assert result.items[0].text.strip() == text.strip()
        assert result.cursor == ""


def test_read_takes_several_addresses_and_handles_in_their_order(library: Library) -> None:
    box = library.toolbox()
    found = box.grep("opens")
    handles = [item.handle for item in found.items]
    assert len(handles) > 1
    assert uris(box.read(handles[::-1])) == uris(found)[::-1]
    assert [item.handle for item in box.read(handles[0]).items] == [handles[0]]


def test_reading_on_with_the_cursor_gives_the_text_exactly_once(library: Library) -> None:
    paragraphs = [f"Paragraph {n} says that {n * 7} is a number of its own." for n in range(400)]
    text = "# Long\n\n" + "\n\n\n".join(paragraphs) + "\n\n\n"
    ingested(library.company.tenant, library.base, "long.md", text)
    wanted = ["kb://handbook/handbook/hours/p1", "kb://handbook/long", "kb://handbook/baoxiu"]
    with tenant_transaction(library.company.tenant):
        whole = VersionText.objects.get(version__document__path="long").content
    box, cursor = library.toolbox(), ""
    pages: list[tuple[str, str]] = []
    while True:
        result = box.read(wanted, cursor)
        assert result.error == ""
        assert count_tokens("".join(item.text for item in result.items)) <= 1_250
        pages.extend((item.uri, item.text) for item in result.items)
        cursor = result.cursor
        if not cursor:
            break
    assert len(pages) > 5
    assert "".join(text for uri, text in pages if uri == wanted[1]) == whole
    assert list(dict.fromkeys(uri for uri, _ in pages)) == wanted


def test_a_page_that_is_full_to_the_last_tokens_goes_on_with_the_next(library: Library) -> None:
    box = library.toolbox()
    for words in range(1190, 1204):
        ingested(library.company.tenant, library.base, "full.txt", " word" * words + "\n\n")
        wanted = ["kb://handbook/full", "kb://handbook/handbook/hours/p1"]
        first = box.read(wanted)
        rest = box.read(wanted, first.cursor) if first.cursor else None
        texts = [item.text for result in (first, rest) if result for item in result.items]
        assert "".join(texts).count("word") == words
        assert "".join(texts).endswith("The kitchen closes at ten.")


@pytest.mark.parametrize(
    "cursor", ["x", "1", "7:0", "0:-1", "0:x", ":", "0:99999999", "²:0", "9" * 5000]
)
def test_a_cursor_that_is_none_is_an_error_in_words(library: Library, cursor: str) -> None:
    result = library.toolbox().read("kb://handbook/handbook", cursor)
    assert result.error == "That is no cursor of this read."
    assert result.items == ()


def test_read_without_an_address_or_with_too_many_says_so(library: Library) -> None:
    box = library.toolbox()
    assert box.read([]).error
    result = box.read(["kb://handbook/handbook/hours/p1"] * 21)
    assert "20" in result.error


def test_read_of_a_whole_base_says_to_list_it(library: Library) -> None:
    assert library.toolbox().read("kb://handbook").error == "That is a whole base; list it."


def test_handles_stay_the_same_and_stand_for_addresses(library: Library) -> None:
    box = library.toolbox()
    first = {item.handle: item.uri for item in box.list().items}
    again = {item.handle: item.uri for item in box.list().items}
    assert first == again
    assert set(first) == {"1", "2", "3", "4"}
    assert uris(box.list("1")) == uris(box.list(first["1"]))
    assert library.toolbox().list("1").error  # of this toolbox only


def test_nothing_found_says_so_and_hints(library: Library) -> None:
    box = library.toolbox()
    assert box.grep("zzzz").hint.startswith("Nothing was found.")
    assert box.grep("zzzz").error == ""
    assert box.search("   ").error == "The query is empty."


def test_an_embedder_that_does_not_answer_is_an_error_that_names_another_way(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(self: HashingEmbedder, text: str) -> None:
        raise EmbeddingUnavailable

    monkeypatch.setattr(HashingEmbedder, "query", silent)
    assert library.toolbox().search("office").error.endswith("use grep.")
