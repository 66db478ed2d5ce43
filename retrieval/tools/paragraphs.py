"""retrieve: whole passages with their neighbours, as DeepRead's retriever gives them."""

from accounts.tenancy import tenant_transaction
from knowledge.ingest.tokens import count_tokens
from knowledge.models import Node
from retrieval.agent.evidence import Hit
from retrieval.services.scopes import Scope, uri_of
from retrieval.services.search import search
from retrieval.tools.result import ToolItem, ToolResult


def retrieving_items(scope: Scope, query: str, k: int) -> ToolResult:
    """Return the k best passages, each widened by one leaf on either side (arXiv 2602.05014)."""
    if not query.strip():
        return ToolResult("retrieve", error="The query is empty.")
    found = search(scope=scope, query=query, k=k)
    with tenant_transaction(scope.reader.tenant_id):
        items = tuple(_item(scope, hit) for hit in found.hits)
    return ToolResult("retrieve", items, hint="" if items else "Nothing was found.")


def _item(scope: Scope, hit: Hit) -> ToolItem:
    leaves = list(
        Node.objects.leaves()
        .filter(version_id=hit.version_id, parent__path=hit.section_path)
        .order_by("ordinal")
    )
    inside = [
        at
        for at, leaf in enumerate(leaves)
        if leaf.char_start < hit.end and leaf.char_end > hit.start
    ]
    window = leaves[max(0, inside[0] - 1) : inside[-1] + 2] if inside else []
    text = "\n\n".join(leaf.text for leaf in window)
    return ToolItem(
        handle="",
        uri=uri_of(scope.base, hit.section_path),
        kind="section",
        title=" > ".join((hit.document_title, *hit.headings)),
        group="",
        tokens=count_tokens(text),
        text=text,
        page=hit.page,
        score=round(hit.score, 4),
    )
