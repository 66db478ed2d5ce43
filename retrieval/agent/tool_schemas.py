"""The tools as a model sees them: VikingRAG's four with an inventory, and DeepRead's two."""

from __future__ import annotations

from retrieval.llm.chat import ToolSchema


def _parameters(required: tuple[str, ...], **properties: object) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*required],
        "additionalProperties": False,
    }


_TEXT = {"type": "string"}
_SCOPE = {"type": "string", "description": "number or address to stay below; empty: everywhere"}

VIKING_TOOLS = (
    ToolSchema(
        "search",
        "Find the passages nearest to a query, by meaning and by words. Gives previews.",
        _parameters(("query",), query=_TEXT, scope=_SCOPE, k={"type": "integer"}),
    ),
    ToolSchema(
        "list",
        "Show what stands immediately below an address: documents, sections or leaves.",
        _parameters((), uri={"type": "string", "description": "empty: the whole base"}),
    ),
    ToolSchema(
        "grep",
        "Find the places where a regular expression or exact words occur.",
        _parameters(("pattern",), pattern=_TEXT, scope=_SCOPE, k={"type": "integer"}),
    ),
    ToolSchema(
        "read",
        "Show the text at one or several addresses, in one call.",
        _parameters(("uris",), uris={"type": "array", "items": _TEXT}, cursor=_TEXT),
    ),
    ToolSchema(
        "inventory",
        "Show titles and dates of the documents whose title holds all these words.",
        _parameters((), filter=_TEXT),
    ),
)
DEEPREAD_TOOLS = (
    ToolSchema(
        "retrieve",
        "Find the two paragraphs nearest to a query, with their neighbours.",
        _parameters(("query",), query=_TEXT),
    ),
    ToolSchema(
        "read_section",
        "Show the text of a section; a long one comes in pages, the next by the cursor.",
        _parameters(("section",), section=_TEXT, cursor=_TEXT),
    ),
)
