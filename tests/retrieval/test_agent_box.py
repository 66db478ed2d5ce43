"""The tools by name and arguments, as a model calls them."""

from __future__ import annotations

import re

from retrieval.llm.chat import ToolCall
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
