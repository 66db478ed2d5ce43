"""The tools by name and arguments, as a model calls them."""

from __future__ import annotations

import re

import pytest

from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.llm.chat import ToolCall
from retrieval.services import evidence
from retrieval.services.scopes import UnknownBase
from retrieval.tools import agent_box
from retrieval.tools.agent_box import ToolboxForAgents
from tests.factories import ingested
from tests.retrieval.conftest import Library


def test_a_pattern_keeps_the_brackets_that_it_begins_with(library: Library) -> None:
    box = ToolboxForAgents(library.scope())
    output = box.call(ToolCall("1", "grep", {"pattern": "[kK]itchen closes"}))
    assert output.items == 1


def test_a_place_may_be_named_as_its_number_is_shown(library: Library) -> None:
    box = ToolboxForAgents(library.scope())
    box.call(ToolCall("1", "grep", {"pattern": "kitchen"}))
    output = box.call(ToolCall("2", "read", {"uris": ["[1]"]}))
    assert "The kitchen closes at ten." in output.text


def test_a_long_section_can_be_read_to_its_end_with_deepreads_tools(library: Library) -> None:
    lines = [f"Paragraph {n} says that {n * 7} is a number of its own." for n in range(200)]
    ingested(library.company.tenant, library.base, "long.md", "# Long\n\n" + "\n\n".join(lines))
    box = ToolboxForAgents(library.scope(), "deepread")
    arguments = {"section": "kb://handbook/long"}
    read = box.call(ToolCall("1", "read_section", arguments)).text
    while cursor := re.search(r"cursor (\S+)\.\n\[\d+ tokens\]\Z", read):
        read += box.call(ToolCall("2", "read_section", arguments | {"cursor": cursor[1]})).text
    assert lines[0] in read
    assert lines[-1] in read
    (schema,) = [one for one in box.schemas if one.name == "read_section"]
    assert "cursor" in schema.parameters["properties"]  # type: ignore[operator]


def test_a_long_table_of_contents_is_cut_and_says_so(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ToolboxForAgents(library.scope(), "deepread").contents().splitlines()
    monkeypatch.setattr(agent_box, "MOST_SECTIONS", 3)
    cut = ToolboxForAgents(library.scope(), "deepread").contents().splitlines()
    assert cut[:3] == whole[:3]
    assert cut[3:] == ["Further sections are not listed; retrieve finds them too."]
    monkeypatch.setattr(agent_box, "MOST_SECTIONS", len(whole))
    assert ToolboxForAgents(library.scope(), "deepread").contents().splitlines() == whole


def test_nobody_sees_the_contents_of_a_base_that_was_closed_to_them(library: Library) -> None:
    box = ToolboxForAgents(library.scope(), "deepread")
    with tenant_transaction(library.company.tenant):
        KnowledgeBase.objects.filter(pk=library.base.pk).update(visibility="restricted")
    with pytest.raises(UnknownBase):
        box.contents()


def test_retrieve_shows_the_neighbours_of_a_passage(library: Library) -> None:
    box = ToolboxForAgents(library.scope(), "deepread")
    output = box.call(ToolCall("1", "retrieve", {"query": "When does the kitchen close?"}))
    assert "The kitchen closes at ten." in output.text
    assert "| Monday | 9 |" in output.text


def test_retrieve_shows_the_passage_in_a_leaf_that_is_one_long_line(library: Library) -> None:
    line = (
        "The weather was fine. " * 3_000 + "The zebra sleeps in bay seven. " + "It rained. " * 3_000
    )
    ingested(library.company.tenant, library.base, "log.txt", line)
    box = ToolboxForAgents(library.scope(), "deepread")
    output = box.call(ToolCall("1", "retrieve", {"query": "Where does the zebra sleep?"}))
    assert "The zebra sleeps in bay seven." in output.text
    assert len(output.text) < 40_000


def test_of_an_endless_document_its_beginning_is_evidence(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = ToolboxForAgents(library.scope())
    number = box.number_of("handbook")
    whole = box.context([number]).blocks[0]
    monkeypatch.setattr(evidence, "MOST_CHARACTERS", 40)
    (cut,) = box.context([number]).blocks
    assert (cut.start, cut.end) == (whole.start, whole.start + 40)
    assert cut.leaves[-1].end <= cut.end < whole.end
    assert cut.leaves[0] == whole.leaves[0]
