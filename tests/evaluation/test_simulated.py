"""The simulated reader, whose words are counted as a model's would be."""

from collections.abc import Mapping

from knowledge.ingest.tokens import count_tokens
from retrieval.evaluation.simulated import SimulatedModel
from retrieval.llm.chat import ChatRequest, Message, ToolSchema

QUESTION = "保修期有多长？"
SEARCH = ToolSchema("search", "Find places.", {"type": "object"})


def replied(purpose: str, *tools: ToolSchema):
    model = SimulatedModel(QUESTION, gold=("The warranty is 36 months.",), answer="36")
    messages = (Message("system", "Rules."), Message("user", QUESTION))
    return model.complete(ChatRequest(messages, purpose, tools=tools))


def test_a_plan_in_chinese_is_written_in_letters_and_not_in_escapes() -> None:
    reply = replied("plan")
    assert QUESTION in reply.text
    assert reply.usage.completion == count_tokens(reply.text)


def test_a_call_in_chinese_counts_its_letters() -> None:
    reply = replied("agent", SEARCH)
    assert [call.arguments for call in reply.tool_calls] == [{"query": QUESTION}]
    written = f'search {{"query": "{QUESTION}"}}'
    assert reply.usage.completion == count_tokens(written)


def test_what_the_prompt_does_not_hold_is_not_quoted() -> None:
    assert '"is_blank": true' in replied("answer").text


NAMES = "Which film shows the actor of the chief?"
CHIEF = "Colm Meaney is the actor of the chief."
FILM = "Alpha Papa stars Colm Meaney."


def explored(*rounds: tuple[str, Mapping[str, object], str]) -> tuple[str, dict[str, object]]:
    """Return the call that follows these: the tool, its arguments and what it gave."""
    model = SimulatedModel(NAMES, gold=(CHIEF, FILM), answer="Alpha Papa")
    messages = [Message("system", "Rules."), Message("user", NAMES)]
    for at in range(len(rounds) + 1):
        reply = model.complete(ChatRequest(tuple(messages), "agent", tools=(SEARCH,)))
        (call,) = reply.tool_calls
        if at < len(rounds):
            name, arguments, output = rounds[at]
            assert (call.name, dict(call.arguments)) == (name, arguments)
            messages.append(Message("assistant", "", tool_calls=reply.tool_calls))
            messages.append(Message("tool", output, tool_call_id=call.id))
    return call.name, dict(call.arguments)


FOUND_NOTHING = ("search", {"query": NAMES}, "[1] Chief\n[2] Ship")


def test_the_name_that_was_just_found_is_searched_for_next() -> None:
    read = ("read", {"uris": ["1", "2"]}, f"[1] Chief\n{CHIEF}")
    assert explored(FOUND_NOTHING, read) == ("search", {"query": "Colm Meaney"})


def test_what_the_newest_search_shows_is_read_first() -> None:
    first = ("search", {"query": NAMES}, "[1] a\n[2] b\n[3] c\n[4] d\n[5] e\n[6] f\n[7] g")
    read = ("read", {"uris": ["1", "2", "3", "4", "5"]}, f"[1] Chief\n{CHIEF}")
    second = ("search", {"query": "Colm Meaney"}, "[8] h\n[1] a")
    assert explored(first, read, second) == ("read", {"uris": ["8", "6", "7"]})


def test_places_of_a_list_that_has_shrunk_to_a_line_are_read() -> None:
    shrunk = (
        "search",
        {"query": NAMES},
        "(search: 3 results, shown before.) Not read yet: [2] [3]",
    )
    assert explored(shrunk) == ("read", {"uris": ["2", "3"]})


def test_a_query_is_asked_once() -> None:
    grep = ("grep", {"pattern": "Which"}, "Nothing was found.")
    nothing = ("search", {"query": NAMES}, "Nothing was found.")
    name, arguments = explored(nothing, grep)
    assert name == "search"
    assert arguments["query"] != NAMES
