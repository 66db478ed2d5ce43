"""The index entry by which a figure is found: its caption with the generated description.

Its span is the caption's, so that what is read and quoted of a hit is the document's own text.
"""

from pgvector import HalfVector, SparseVector

from accounts.tenancy import tenant_transaction
from knowledge.embedder import current_embedder, serving_embedder
from knowledge.embedding import Vectors
from knowledge.lexical import ANALYSIS, DIMENSIONS, document_weights, terms
from knowledge.models import DocumentVersion, Figure, IndexEntry, KnowledgeBase, Node
from knowledge.models.index import FIGURE_ENTRY
from knowledge.services.indexing import PREVIEW_LENGTH, embedded_text, input_hash
from knowledge.services.serving import serving_require, serving_settle
from knowledge.services.statistics import entries_count

GENERATED = "generated description"


def figure_index(tenant_id: int, figure_id: int) -> None:
    """Give a described figure of a current version its entry, unless it has one.

    Raises EmbeddingError, and ModelChanged when the base changes to another model meanwhile.
    """
    with tenant_transaction(tenant_id):
        figure = _figure(figure_id)
        if figure is None:
            return
        headings = headings_of(figure.node)
        base = KnowledgeBase.objects.get(documents__versions=figure.version_id)
    words = f"{figure.node.text}\n{figure.description}"
    serving_settle(base)
    embedder = serving_embedder(base) or current_embedder()
    vector = embedder.passages([embedded_text(headings, words)])[0]
    entry = _entry(figure, headings, words, embedder.name, vector)
    with tenant_transaction(tenant_id):
        locked = KnowledgeBase.objects.lock(base.pk)
        if locked is None or _figure(figure_id) is None:
            return
        serving_require(base)
        entry.base = locked
        entry.save(force_insert=True)
        entries_count(locked, IndexEntry.objects.filter(pk=entry.pk), +1)


def headings_of(node: Node) -> tuple[str, ...]:
    """Return the titles above a leaf, the document's first; in an open transaction."""
    components = node.path.split("/")[:-1]
    paths = ["/".join(components[: end + 1]) for end in range(len(components))]
    rows = Node.objects.filter(version=node.version_id, path__in=paths).containers()
    return tuple(rows.order_by("depth").values_list("title", flat=True))


def _figure(figure_id: int) -> Figure | None:
    """Return the figure if it is to be indexed still."""
    rows = Figure.objects.filter(pk=figure_id).of_current_versions().not_indexed()
    return rows.without_pictures().select_related("node", "version").first()


def _entry(
    figure: Figure, headings: tuple[str, ...], words: str, model: str, vector: Vectors
) -> IndexEntry:
    node: Node = figure.node
    version: DocumentVersion = figure.version
    text = embedded_text(headings, words)
    found = terms(text, version.language)
    preview = f"{node.text} [{GENERATED}: {figure.description}]"
    return IndexEntry(
        tenant_id=figure.tenant_id,
        document_id=version.document_id,
        version=version,
        node_id=node.parent_id or node.pk,
        kind=FIGURE_ENTRY,
        ordinal=version.chunks + figure.number,
        depth=node.depth,
        path=node.path,
        headings=list(headings),
        preview=" ".join(preview.split())[:PREVIEW_LENGTH],
        char_start=node.char_start,
        char_end=node.char_end,
        page=node.page,
        tokens=node.tokens,
        term_count=len(found),
        input_hash=input_hash(text),
        index_text=words,
        analysis=ANALYSIS,
        embedding_model=model,
        dense=HalfVector(vector),
        lexical=SparseVector(document_weights(found), DIMENSIONS),
    )
