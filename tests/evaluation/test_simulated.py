"""The simulated reader, whose words are counted as a model's would be."""

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
