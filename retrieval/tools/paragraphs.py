"""retrieve: whole passages with their neighbours, as DeepRead's retriever gives them."""

from django.db.models import F, Max, Min
from django.db.models.functions import Greatest, Substr

from accounts.tenancy import tenant_transaction
from knowledge.ingest.tokens import count_tokens
from knowledge.models import Node
from retrieval.agent.evidence import Hit
from retrieval.services.scopes import Scope, uri_of
from retrieval.services.search import search
from retrieval.tools.finding import query_refusal
from retrieval.tools.result import ToolItem, ToolResult

MARGIN = 4_000
"""Characters that are shown of a leaf before and after the passage; most leaves are shorter."""


def retrieving_items(scope: Scope, query: str, k: int) -> ToolResult:
    """Return the k best passages, each widened by one leaf on either side (arXiv 2602.05014)."""
    if refusal := query_refusal(query):
        return ToolResult("retrieve", error=refusal)
    found = search(scope=scope, query=query, k=k)
    with tenant_transaction(scope.reader.tenant_id):
        items = tuple(_item(scope, hit) for hit in found.hits)
    return ToolResult("retrieve", items, hint="" if items else "Nothing was found.")


def _item(scope: Scope, hit: Hit) -> ToolItem:
    leaves = Node.objects.leaves().filter(version_id=hit.version_id, parent__path=hit.section_path)
    inside = leaves.overlapping(hit.start, hit.end).aggregate(
        low=Min("ordinal"), high=Max("ordinal")
    )
    window = (
        leaves.filter(ordinal__range=(inside["low"] - 1, inside["high"] + 1))
        if inside["low"] is not None
        else leaves.none()
    )
    # Cut in the database: a leaf may be 30 MB of one line.
    first = Greatest(hit.start - MARGIN - F("char_start"), 0) + 1
    shown = Substr("text", first, hit.end - hit.start + 2 * MARGIN)
    text = "\n\n".join(window.order_by("ordinal").values_list(shown, flat=True))
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
