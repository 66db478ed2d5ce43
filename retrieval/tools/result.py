"""What a tool returns, for programs (items) and for a model (text)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from knowledge.ingest.tokens import count_tokens
from retrieval.agent.framing import as_data, as_title


@dataclass(frozen=True, slots=True)
class ToolItem:
    """One thing found; `handle` is short for `uri` in later calls of the same toolbox.

    `group` is the document it belongs to; `tokens` what reading it costs; `text` a preview, or the
    text itself where that was asked for.
    """

    handle: str
    uri: str
    kind: str
    title: str
    group: str
    tokens: int
    text: str
    page: int | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`error` and `hint` are sentences, '' where there is nothing to say.

    `spent` counts the tokens of `text` but for its last line, which tells them; `left` those that
    the toolbox may still spend (None: unlimited); `cursor` continues a long read.
    """

    tool: str
    items: tuple[ToolItem, ...] = ()
    error: str = ""
    hint: str = ""
    cursor: str = ""
    text: str = ""
    spent: int = 0
    left: int | None = None

    def rendered(self, left: int | None) -> "ToolResult":
        """Return the result with its text for a model, and the tokens of that counted."""
        body = "\n".join(_lines(self))
        spent = count_tokens(body)
        remaining = None if left is None else max(0, left - spent)
        budget = f"[{spent} tokens" + ("]" if remaining is None else f", {remaining} left]")
        return replace(self, text=f"{body}\n{budget}", spent=spent, left=remaining)


def _lines(result: ToolResult) -> list[str]:
    lines = [f"Error: {result.error}"] if result.error else []
    group = None
    for item in result.items:
        if item.group and item.group != group:
            group = item.group
            lines.append(f"# {as_title(group)}")
        lines.append(_line(item))
    if result.cursor:
        lines.append(f"There is more: call again with cursor {result.cursor}.")
    if result.hint:
        lines.append(result.hint)
    return lines


def _line(item: ToolItem) -> str:
    facts: Sequence[str] = [
        item.kind,
        f"{item.tokens} tokens",
        *([f"p.{item.page}"] if item.page else []),
        *([f"score {item.score:.3f}"] if item.score is not None else []),
    ]
    head = f"[{item.handle}] {as_title(item.title)} ({', '.join(facts)})"
    return f"{head}\n{as_data(item.text)}" if item.text else head
