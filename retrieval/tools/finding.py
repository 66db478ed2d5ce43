"""search, list, grep and inventory: ways to find addresses. None of them spends on full texts."""

from collections.abc import Sequence

from django.db import connection
from django.db.models import F, Func, IntegerField, Q, Value
from django.db.models.functions import Greatest, Left, Substr

from accounts.tenancy import tenant_transaction
from knowledge.models import Document, IndexEntry, Node
from knowledge.models.nodes import NodeQuerySet
from knowledge.services.lazy_abstracts import abstracts_shown, document_abstracts_stored
from retrieval.agent.evidence import Hit
from retrieval.services.mentions import with_mentioned
from retrieval.services.places import is_folder, nodes_at
from retrieval.services.scopes import Scope, uri_of
from retrieval.services.search import search
from retrieval.tools.folders import LIST_MAX, document_items, folder_items
from retrieval.tools.result import ToolItem, ToolResult

PREVIEW = 200
QUERY_MAX_LENGTH = 4_000
MOST = 100
"""What one call shows at most, whatever it asks for."""
MENTIONED = 2
GREP_CONTEXT = 80
GREP_TIMEOUT_MS = 2_000
PATTERN_MAX_LENGTH = 500
FILTER_MAX_LENGTH = 500
FILTER_MAX_WORDS = 10
NOTHING = "Nothing was found. Try other words, a wider scope, or list the base."


def query_refusal(query: str) -> str:
    """Return why nothing can be searched for with this query; '' where it can."""
    if not query.strip():
        return "The query is empty."
    if len(query) > QUERY_MAX_LENGTH:
        return f"A query has at most {QUERY_MAX_LENGTH} characters."
    return ""


def search_items(scope: Scope, query: str, k: int) -> ToolResult:
    """Return at most k hits grouped by document, documents by their best hit.

    Behind the two best hits stand those of documents that these call by name.
    """
    if refusal := query_refusal(query):
        return ToolResult("search", error=refusal)
    k = max(1, min(k, MOST))
    found = search(scope=scope, query=query, k=k)
    with tenant_transaction(scope.reader.tenant_id):
        ranked = with_mentioned(scope, found, found.hits, MENTIONED)[:k]
        documents = list(dict.fromkeys(hit.document_id for hit in ranked))
        hits = sorted(ranked, key=lambda hit: documents.index(hit.document_id))
        previews = _previews([hit.entry_id for hit in hits])
        about = document_abstracts_stored(scope.base, [hit.version_id for hit in hits])
    items = tuple(
        ToolItem(
            handle="",
            uri=uri_of(scope.base, hit.path),
            kind="chunk",
            title=" > ".join(hit.headings) or hit.document_title,
            group=_group(
                scope, hit.document_title, _document_path(hit), about.get(hit.version_id, "")
            ),
            tokens=hit.tokens,
            # A version published since the search has taken its entry's place.
            text=previews.get(hit.entry_id, ""),
            page=hit.page,
            score=round(hit.score, 4),
        )
        for hit in hits
    )
    return ToolResult("search", items, hint="" if items else NOTHING)


def list_items(scope: Scope) -> ToolResult:
    """Return what stands immediately below the scope."""
    with tenant_transaction(scope.reader.tenant_id):
        if not scope.path or is_folder(scope.base, scope.path):
            return _shortened("list", folder_items(scope))
        node = nodes_at(scope.base, scope.path).filter(path=scope.path).first()
        children = _children(node) if node else []
        containers = [child for child in children if child.is_container]
        previews = _first_leaves(containers) | abstracts_shown(scope.base, containers)
    items = tuple(_node_item(scope, child, previews) for child in children[:LIST_MAX])
    if not items:
        return ToolResult("list", hint="That is a leaf; read it.")
    more = len(children) > LIST_MAX
    return ToolResult("list", items, hint=f"Only the first {LIST_MAX} are shown." if more else "")


def grep_items(scope: Scope, pattern: str, k: int) -> ToolResult:
    """Return at most k leaves in which the pattern occurs, with what stands around its first match.

    PostgreSQL's regular expressions, case-insensitive; plain words are such as well. Raises
    DataError for an invalid pattern and OperationalError when it takes too long.
    """
    if not pattern.strip():
        return ToolResult("grep", error="The pattern is empty.")
    if len(pattern) > PATTERN_MAX_LENGTH:
        return ToolResult("grep", error=f"A pattern has at most {PATTERN_MAX_LENGTH} characters.")
    k = max(1, min(k, MOST))
    with tenant_transaction(scope.reader.tenant_id):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT set_config('statement_timeout', %s, true)", [str(GREP_TIMEOUT_MS)]
            )
        leaves = list(_matching(scope, pattern)[: k + 1])
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', '0', true)")
    items = tuple(_match_item(scope, leaf) for leaf in leaves[:k])
    if not items:
        return ToolResult("grep", hint=NOTHING)
    hint = f"Only the first {k} matches are shown; narrow the scope." if len(leaves) > k else ""
    return ToolResult("grep", items, hint=hint)


def inventory_items(scope: Scope, filter: str) -> ToolResult:
    """Return the documents of the base whose title or file name contains each word of `filter`."""
    words = filter.split()
    if len(filter) > FILTER_MAX_LENGTH or len(words) > FILTER_MAX_WORDS:
        most = f"{FILTER_MAX_WORDS} words and {FILTER_MAX_LENGTH} characters"
        return ToolResult("inventory", error=f"A filter has at most {most}.")
    with tenant_transaction(scope.reader.tenant_id):
        items = _documents(scope, words)
    return _shortened("inventory", items) if items else ToolResult("inventory", hint=NOTHING)


def _shortened(tool: str, items: tuple[ToolItem, ...]) -> ToolResult:
    """Return the first items, saying so when there are more."""
    hint = f"Only the first {LIST_MAX} are shown; filter the inventory by words, or search."
    return ToolResult(tool, items[:LIST_MAX], hint=hint if len(items) > LIST_MAX else "")


def _group(scope: Scope, title: str, path: str, abstract: str = "") -> str:
    """Return what a document's items share: its title and address, and its abstract below."""
    return f"{title} {uri_of(scope.base, path)}" + (f"\n{abstract[:PREVIEW]}" if abstract else "")


def _document_path(hit: Hit) -> str:
    """Return the path of the hit's document: the section's, without a component per heading."""
    components = hit.section_path.split("/")
    return "/".join(components[: len(components) - len(hit.headings)])


def _matching(scope: Scope, pattern: str) -> NodeQuerySet:
    """Leaves with the pattern; `around` is what stands around its first match, not all the text."""
    arguments = (F("text"), Value(pattern), Value(1), Value(1), Value(0), Value("i"))
    match = Func(*arguments, function="regexp_instr", output_field=IntegerField())
    around = Substr("text", Greatest(match - GREP_CONTEXT, 1), PREVIEW)
    return (
        nodes_at(scope.base, scope.path)
        .leaves()
        .filter(text__iregex=pattern)
        .annotate(around=around)
        .defer("text", "parent__text")
        .select_related("parent", "version__document")
        .order_by("version__document__path", "ordinal")
    )


def _match_item(scope: Scope, leaf: Node) -> ToolItem:
    around: str = leaf.around  # type: ignore[attr-defined]  # annotated in _matching
    return ToolItem(
        handle="",
        uri=uri_of(scope.base, leaf.path),
        kind=leaf.kind,
        title=leaf.parent.title,
        group=_group(scope, leaf.version.document.title, leaf.version.document.path),
        tokens=leaf.tokens,
        text=" ".join(around.split()),
        page=leaf.page,
    )


def _documents(scope: Scope, words: Sequence[str]) -> tuple[ToolItem, ...]:
    documents = (
        Document.objects.ready()
        .filter(base=scope.base)
        .at(scope.path)
        .select_related("current_version")
    )
    for word in words:
        documents = documents.filter(Q(title__icontains=word) | Q(filename__icontains=word))
    return document_items(scope, list(documents[: LIST_MAX + 1]))


def _children(node: Node) -> list[Node]:
    """Return the first children, one more than are shown, with the beginning of their text."""
    head = Left("text", 2 * PREVIEW)
    return list(Node.objects.filter(parent=node).annotate(head=head).defer("text")[: LIST_MAX + 1])


def _node_item(scope: Scope, node: Node, previews: dict[int, str]) -> ToolItem:
    head: str = node.head  # type: ignore[attr-defined]  # annotated in _children
    text = previews.get(node.pk, "") if node.is_container else head
    return ToolItem(
        handle="",
        uri=uri_of(scope.base, node.path),
        kind=node.kind,
        title=node.title or node.path.rpartition("/")[2],
        group="",
        tokens=node.tokens,
        text=" ".join(text.split())[:PREVIEW],
        page=node.page,
    )


def _first_leaves(containers: list[Node]) -> dict[int, str]:
    """Return the text of the first leaf in each section, by the section's id."""
    leaves = (
        Node.objects.leaves()
        .filter(parent__in=containers)
        .order_by("parent_id", "ordinal")
        .distinct("parent_id")
        .values_list("parent_id", Left("text", 2 * PREVIEW))
    )
    return dict(leaves)


def _previews(entry_ids: list[int]) -> dict[int, str]:
    return dict(IndexEntry.objects.filter(pk__in=entry_ids).values_list("pk", "preview"))
