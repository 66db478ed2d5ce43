"""manage.py tool search|list|grep|read|inventory --tenant T --kb K ... [--json]"""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from accounts.operator import BadUsage, TenantCommand, whole_number
from accounts.tenancy import tenant_transaction
from knowledge.ingest.plurals import counted
from retrieval.services.scopes import Reader, UnknownBase, base_scope
from retrieval.tools import Toolbox, ToolItem, ToolResult
from retrieval.tools.finding import MOST


class Command(TenantCommand):
    help = "Call one of the agent's tools; --json prints exactly what the agent gets."

    def add_arguments(self, parser: CommandParser) -> None:
        tools = parser.add_subparsers(dest="tool", required=True, metavar="TOOL")
        search = self._tool(tools, "search", "find passages, hybrid")
        search.add_argument("query")
        search.add_argument("--scope", default="", metavar="URI")
        listing = self._tool(tools, "list", "show what stands immediately below an address")
        listing.add_argument("uri", nargs="?", default="")
        grep = self._tool(tools, "grep", "find a regular expression or words")
        grep.add_argument("pattern")
        grep.add_argument("--scope", default="", metavar="URI")
        places = whole_number(1, MOST)
        for tool in (search, grep):
            tool.add_argument("-k", type=places, default=10, help=f"most places, 1 to {MOST}")
        read = self._tool(tools, "read", "show the text at addresses")
        read.add_argument("uris", nargs="+", metavar="URI")
        read.add_argument("--cursor", default="")
        inventory = self._tool(tools, "inventory", "show titles, types and dates of documents")
        inventory.add_argument("filter", nargs="?", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        toolbox = self._toolbox(options)
        result = _call(toolbox, options)
        if options["json"]:
            self.print_json(asdict(result))
        elif result.tool == "read":
            self.stdout.write(result.text)
        else:
            self.stdout.write("\n".join(_lines(result)))
        if result.error:
            raise SystemExit(1)

    def _tool(
        self, tools: "argparse._SubParsersAction[CommandParser]", name: str, help: str
    ) -> CommandParser:
        parser = tools.add_parser(name, help=help)
        super().add_arguments(parser)
        return parser

    def _toolbox(self, options: dict[str, Any]) -> Toolbox:
        tenant = self.tenant(options)
        try:
            with tenant_transaction(tenant):
                return Toolbox(base_scope(Reader(tenant.pk), options["kb"]))
        except UnknownBase as error:
            raise BadUsage(str(error)) from error


def _call(toolbox: Toolbox, options: dict[str, Any]) -> ToolResult:
    match options["tool"]:
        case "search":
            return toolbox.search(options["query"], options["scope"], options["k"])
        case "list":
            return toolbox.list(options["uri"])
        case "grep":
            return toolbox.grep(options["pattern"], options["scope"], options["k"])
        case "read":
            return toolbox.read(options["uris"], options["cursor"])
    return toolbox.inventory(options["filter"])


def _lines(result: ToolResult) -> Iterator[str]:
    """Yield what was found under its addresses: a handle means nothing to the next command."""
    if result.error:
        yield f"Error: {result.error}"
    for item in result.items:
        yield from _item_lines(item)
    if result.hint:
        yield result.hint


def _item_lines(item: ToolItem) -> Iterator[str]:
    facts = [item.kind, counted(item.tokens, "token")]
    facts += [f"p.{item.page}"] if item.page else []
    facts += [f"score {item.score:.3f}"] if item.score is not None else []
    yield item.uri
    yield f"    {item.title} ({', '.join(facts)})"
    if item.text:
        yield f"    {' '.join(item.text.split())}"
