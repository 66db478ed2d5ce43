"""One reader's tools over one scope, with short handles and a budget of tokens."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from django.db import DataError, OperationalError
from psycopg import errors

from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingError
from retrieval.services.scopes import Scope, ScopeError, scope_narrow
from retrieval.tools import finding, reading
from retrieval.tools.paragraphs import retrieving_items
from retrieval.tools.result import ToolItem, ToolResult

MAX_URIS = 20
SPENT = "The budget of tokens is spent; answer from what was found."

# By the driver's class of error: messages come in the server's language.
_PATTERN_REFUSALS: dict[type | None, str] = {
    errors.InvalidRegularExpression: "That is no valid regular expression.",
    errors.QueryCanceled: "The pattern took too long.",
}
_HANDLE = re.compile(r"[1-9][0-9]{0,8}\Z")


@dataclass(slots=True)
class Toolbox:
    """The five tools. `budget` is in tokens of the results; None is unlimited.

    A call once it is spent does nothing but say so, and a result is cut to what is left of it.

    Handles (`1`, `2` ...) stand for the addresses of earlier results.
    """

    scope: Scope
    budget: int | None = None
    spent: int = field(default=0, init=False)
    _uris: list[str] = field(default_factory=list, init=False)
    _numbers: dict[str, int] = field(default_factory=dict, init=False)

    def search(self, query: str, scope: str = "", k: int = 10) -> ToolResult:
        """Return the k best passages for a question, hybrid, at or below an address."""
        return self._call("search", lambda: finding.search_items(self._at(scope), query, k))

    def list(self, uri: str = "") -> ToolResult:
        """Return the immediate children of an address: documents, sections or leaves."""
        return self._call("list", lambda: finding.list_items(self._at(uri)))

    def grep(self, pattern: str, scope: str = "", k: int = 10) -> ToolResult:
        """Return the first k leaves that a regular expression or words occur in, in reading order.

        Ten are as many as VikingRAG's own tool shows; an agent pays for them in each later round.
        """
        return self._call("grep", lambda: finding.grep_items(self._at(scope), pattern, k))

    def inventory(self, filter: str = "") -> ToolResult:
        """Return titles, types and dates of the documents, those whose title has `filter`."""
        return self._call("inventory", lambda: finding.inventory_items(self._at(""), filter))

    def read(self, uris: str | Sequence[str], cursor: str = "") -> ToolResult:
        """Return the text at one address or several, paged by tokens; `cursor` goes on."""
        wanted = [uris] if isinstance(uris, str) else [*uris]
        return self._call("read", lambda: self._read(wanted, cursor))

    def retrieve(self, query: str, k: int) -> ToolResult:
        """Return the k best passages whole, each with a leaf on either side (DeepRead)."""
        return self._call("retrieve", lambda: retrieving_items(self.scope, query, k))

    def number_of(self, uri: str) -> int:
        """Return the handle of an address as a number, a new one if it has none."""
        if uri not in self._numbers:
            self._uris.append(uri)
            self._numbers[uri] = len(self._uris)
        return self._numbers[uri]

    def path_of(self, number: int) -> str:
        """Return the path below the base of what has this handle, '' when nothing has."""
        if not 0 < number <= len(self._uris):
            return ""
        return self._uris[number - 1].partition("://")[2].partition("/")[2]

    def _read(self, uris: Sequence[str], cursor: str) -> ToolResult:
        if not 0 < len(uris) <= MAX_URIS:
            return ToolResult("read", error=f"Give 1 to {MAX_URIS} addresses at a time.")
        return reading.read_items([self._at(uri) for uri in uris], cursor)

    def _at(self, uri: str) -> Scope:
        """Return the scope at an address or handle. Raises ScopeError."""
        if _HANDLE.match(uri) and int(uri) <= len(self._uris):
            uri = self._uris[int(uri) - 1]
        with tenant_transaction(self.scope.reader.tenant_id):
            return scope_narrow(self.scope, uri)

    def _call(self, tool: str, run: Callable[[], ToolResult]) -> ToolResult:
        if self.budget is not None and self.spent >= self.budget:
            return self._settled(ToolResult(tool, error=SPENT))
        try:
            result = run()
        except ScopeError as error:
            hint = "List the base, or search, to see which addresses there are."
            result = ToolResult(tool, error=str(error), hint=hint)
        except (DataError, OperationalError) as error:
            refusal = _PATTERN_REFUSALS.get(type(error.__cause__))
            if refusal is None:
                raise
            result = ToolResult(
                tool, error=refusal, hint="Look for plain words, or narrow the scope."
            )
        except EmbeddingError:
            result = ToolResult(tool, error="The embedding model does not answer; use grep.")
        return self._settled(result)

    def _settled(self, result: ToolResult) -> ToolResult:
        left = None if self.budget is None else max(0, self.budget - self.spent)
        items = tuple(self._with_handle(item) for item in result.items)
        result = replace(result, items=items).rendered(left)
        if items and left is not None and result.spent > left:
            result = _cut(result, left)
        self.spent += result.spent
        return result

    def _with_handle(self, item: ToolItem) -> ToolItem:
        handle = str(self.number_of(item.uri))
        return ToolItem(
            handle,
            item.uri,
            item.kind,
            item.title,
            item.group,
            item.tokens,
            item.text,
            item.page,
            item.score,
        )


def _cut(result: ToolResult, left: int) -> ToolResult:
    """Return the result with the first items that fit into `left` tokens, or a refusal."""
    for count in range(len(result.items) - 1, 0, -1):
        hint = f"Only {count} of {len(result.items)} fit the budget; narrow the scope."
        shorter = replace(result, items=result.items[:count], hint=hint, cursor="").rendered(left)
        if shorter.spent <= left:
            return shorter
    error = f"The result has {result.spent} tokens and {left} are left; ask for less, or answer."
    return ToolResult(result.tool, error=error).rendered(left)
