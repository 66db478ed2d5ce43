"""The toolbox as the agent's loop calls it: by name and arguments, with places as evidence."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from accounts.tenancy import tenant_transaction
from knowledge.models import Document, Node
from knowledge.models.nodes import CONTAINERS
from retrieval.agent.evidence import Block, Context
from retrieval.agent.exploring import ToolOutput
from retrieval.agent.framing import as_title
from retrieval.agent.presets import AgentTools
from retrieval.agent.tool_schemas import DEEPREAD_TOOLS, VIKING_TOOLS
from retrieval.llm.chat import ToolCall, ToolSchema
from retrieval.services.evidence import block_at
from retrieval.services.scopes import Scope, base_of, uri_of
from retrieval.tools.result import ToolResult
from retrieval.tools.toolbox import Toolbox

DEEPREAD_HITS = 2
"""Paragraphs that DeepRead's retriever gives, each with a neighbour on either side."""

MOST_SECTIONS = 1_000
"""Sections that DeepRead's prompt lists: some 30,000 tokens, a quarter of a run's budget."""


@dataclass(slots=True)
class ToolboxForAgents:
    """AgentBox over one scope; unknown names and bad arguments are outputs that say so."""

    scope: Scope
    kind: AgentTools = "viking"
    toolbox: Toolbox = field(init=False)

    def __post_init__(self) -> None:
        self.toolbox = Toolbox(self.scope)

    @property
    def schemas(self) -> tuple[ToolSchema, ...]:
        """The tools as the model sees them."""
        return VIKING_TOOLS if self.kind == "viking" else DEEPREAD_TOOLS

    def call(self, call: ToolCall) -> ToolOutput:
        """Return what a call gives."""
        names = [schema.name for schema in self.schemas]
        if call.name not in names:
            return _refused(f"There is no tool {call.name[:50]}; there are {', '.join(names)}.")
        try:
            return self._output(self._run(call.name, call.arguments))
        except (TypeError, ValueError) as error:
            return _refused(f"These arguments do not fit {call.name}: {str(error)[:200]}")

    def number_of(self, path: str) -> int:
        """Return the number of the place at a path below the base."""
        return self.toolbox.number_of(uri_of(self.scope.base, path))

    def context(self, numbers: Sequence[int]) -> Context:
        """Return the places with these numbers as evidence; those that are none are left out."""
        blocks: list[Block] = []
        with tenant_transaction(self.scope.reader.tenant_id):
            for number in dict.fromkeys(numbers):
                path = self.toolbox.path_of(number)
                block = block_at(self.scope.base, path, number) if path else None
                if block is not None:
                    blocks.append(block)
        return Context(tuple(blocks), sum(block.tokens for block in blocks))

    def contents(self) -> str:
        """Return the sections of the documents in the scope, a line each, as DeepRead does: number,
        title, level, and how many children, paragraphs and tokens it has. The first `MOST_SECTIONS`
        of them. Raises UnknownBase."""
        lines: list[str] = []
        with tenant_transaction(self.scope.reader.tenant_id):
            ready = Document.objects.ready().filter(base=base_of(self.scope))
            for document in ready.at(self.scope.path).order_by("path").iterator():
                if len(lines) > MOST_SECTIONS:
                    break
                lines += self._sections(document, MOST_SECTIONS + 1 - len(lines))
        if len(lines) > MOST_SECTIONS:
            lines[MOST_SECTIONS:] = ["Further sections are not listed; retrieve finds them too."]
        return "\n".join(lines)

    def _sections(self, document: Document, most: int) -> list[str]:
        nodes = Node.objects.filter(version_id=document.current_version_id)
        rows = list(nodes.order_by("ordinal").values_list("pk", "parent_id", "kind"))
        inner = {pk for pk, _, kind in rows if kind in CONTAINERS}
        children = Counter(parent for pk, parent, _ in rows if pk in inner)
        leaves = Counter(parent for pk, parent, _ in rows if pk not in inner)
        return [
            f"[{self.number_of(node.path)}] {as_title(node.title or document.title)} "
            f"(level {node.depth}, {children[node.pk]} children, {leaves[node.pk]} paragraphs, "
            f"{node.tokens} tokens)"
            for node in nodes.containers().order_by("ordinal").defer("text")[:most]
        ]

    def _run(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        box = self.toolbox
        match name:
            case "search":
                return box.search(
                    _text(arguments, "query"), _address(arguments, "scope"), _most(arguments)
                )
            case "list":
                return box.list(_address(arguments, "uri"))
            case "grep":
                return box.grep(
                    _text(arguments, "pattern"), _address(arguments, "scope"), _most(arguments)
                )
            case "inventory":
                return box.inventory(_text(arguments, "filter"))
            case "read":
                return box.read(_addresses(arguments, "uris"), _text(arguments, "cursor"))
            case "retrieve":
                return box.retrieve(_text(arguments, "query"), DEEPREAD_HITS)
            case _:
                return box.read(_address(arguments, "section"), _text(arguments, "cursor"))

    def _output(self, result: ToolResult) -> ToolOutput:
        return ToolOutput(
            text=result.text,
            items=len(result.items),
            tokens=result.spent,
            places=frozenset(int(item.handle) for item in result.items),
            full=result.tool in ("read", "retrieve"),
            failed=bool(result.error),
        )


def _refused(sentence: str) -> ToolOutput:
    return ToolOutput(f"Error: {sentence}", failed=True)


def _most(arguments: Mapping[str, object]) -> int:
    k = arguments.get("k")
    return k if isinstance(k, int) and not isinstance(k, bool) else 10


def _text(arguments: Mapping[str, object], name: str) -> str:
    value = arguments.get(name, "")
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)  # a place's number, not written as text
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text")
    return value


def _address(arguments: Mapping[str, object], name: str) -> str:
    """Return an address or a place's number, which a model may write as it sees it: "[12]"."""
    value = _text(arguments, name).strip()
    return value.removeprefix("[").removesuffix("]") if value.startswith("[") else value


def _addresses(arguments: Mapping[str, object], name: str) -> list[str]:
    value = arguments.get(name)
    items = value if isinstance(value, list) else [value]
    return [_address({name: item}, name) for item in items if item is not None]
