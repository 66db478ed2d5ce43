"""From bytes to the stored tree of a version."""

from dataclasses import dataclass

from django.conf import settings

from accounts.tenancy import tenant_transaction
from knowledge.ingest.chunking import ChunkDraft
from knowledge.ingest.flatten import NodeDraft, flatten
from knowledge.ingest.preflight import Limits, verdict_on
from knowledge.ingest.sandbox import parse
from knowledge.ingest.tree import NodeKind, ParsedDocument
from knowledge.models import (
    Abstract,
    DocumentVersion,
    Figure,
    IndexEntry,
    KnowledgeBase,
    Node,
    VersionText,
)
from knowledge.services.bulk_rows import ids_reserve, rows_insert
from knowledge.services.claims import Claim


@dataclass(frozen=True, slots=True)
class StoredTree:
    """A parsed document with the id of each node's row, by ordinal."""

    parsed: ParsedDocument
    drafts: tuple[NodeDraft, ...]
    node_ids: dict[int, int]

    def leaf_page(self, chunk: ChunkDraft) -> int | None:
        return self.drafts[chunk.first_leaf].page


def limits_of(base: KnowledgeBase) -> Limits:
    """Return how files of the base are read: within the site's limits, as the base chooses."""
    limits = Limits(
        max_bytes=settings.UPLOAD_MAX_BYTES,
        timeout_s=settings.PARSE_TIMEOUT_S,
        memory_mb=settings.PARSE_MEMORY_MB,
    )
    return base.reading.within(limits)


def source_parse(base: KnowledgeBase, content: bytes, filename: str) -> ParsedDocument:
    """Return the document in these bytes. Raises knowledge.ingest.preflight.Refused."""
    return parse(content, filename, limits=limits_of(base))


def tree_store(claim: Claim, version: DocumentVersion, parsed: ParsedDocument) -> StoredTree:
    """Store nodes and text of a version in one transaction, unless this reading of it is there.

    What an earlier attempt stored may come from another parser, or from settings of before; its
    entries hang on its nodes and go with them.
    """
    drafts = flatten(parsed)
    with tenant_transaction(claim.tenant_id):
        claim.hold()
        if not tree_is_stored(version, parsed, drafts):
            _erase(version)
            _insert_nodes(version, parsed, drafts)
            VersionText.objects.create(
                tenant_id=version.tenant_id, version=version, content=parsed.text
            )
        _describe(version, parsed, drafts)
    return tree_of(version, parsed, drafts)


def tree_of(
    version: DocumentVersion, parsed: ParsedDocument, drafts: tuple[NodeDraft, ...]
) -> StoredTree:
    """Return the tree of a version that is stored already."""
    with tenant_transaction(version.tenant_id):
        ids = dict(Node.objects.filter(version=version).values_list("ordinal", "pk"))
    return StoredTree(parsed, drafts, ids)


def tree_is_stored(
    version: DocumentVersion, parsed: ParsedDocument, drafts: tuple[NodeDraft, ...]
) -> bool:
    """Return whether the version's tree and text are those of this reading.

    The text is compared in the database, for it may have millions of characters. An equal text may
    have other sections: whoever reads thoroughly finds other headings in it.
    """
    with tenant_transaction(version.tenant_id):
        same = DocumentVersion.objects.filter(
            pk=version.pk,
            parser=parsed.parser,
            parser_version=parsed.parser_version,
            text__content=parsed.text,
        )
        if not same.exists():
            return False
        nodes = Node.objects.filter(version=version).order_by("ordinal")
        stored = list(nodes.values_list("kind", "path", "char_start", "char_end"))
    path = version.document.path
    return stored == [
        (draft.kind, _path(path, draft), draft.span.start, draft.span.end) for draft in drafts
    ]


def _erase(version: DocumentVersion) -> None:
    IndexEntry.objects.filter(version=version).delete()
    Figure.objects.filter(version=version).delete()
    Abstract.objects.filter(version=version).delete()
    nodes = Node.objects.filter(version=version)
    nodes._raw_delete(nodes.db)
    VersionText.objects.filter(version=version).delete()


def _insert_nodes(
    version: DocumentVersion, parsed: ParsedDocument, drafts: tuple[NodeDraft, ...]
) -> None:
    """Insert all in reading order: a node comes after its parent, whose id it holds."""
    ids = ids_reserve(Node, len(drafts))
    rows_insert([_row(version, parsed, draft, ids) for draft in drafts])


def _row(
    version: DocumentVersion, parsed: ParsedDocument, draft: NodeDraft, ids: list[int]
) -> Node:
    container = draft.kind in (NodeKind.DOCUMENT, NodeKind.SECTION)
    quotable = [row.span for row in draft.rows] or list(draft.sentences)
    return Node(
        id=ids[draft.ordinal],
        tenant_id=version.tenant_id,
        version=version,
        parent_id=None if draft.parent is None else ids[draft.parent],
        ordinal=draft.ordinal,
        kind=draft.kind,
        depth=draft.depth,
        path=_path(version.document.path, draft),
        title=draft.title,
        text="" if container else draft.span.of(parsed.text),
        char_start=draft.span.start,
        char_end=draft.span.end,
        sentences=[offset for span in quotable for offset in (span.start, span.end)],
        page=draft.page,
        boxes=[list(box) for box in draft.boxes],
        tokens=draft.tokens,
        content_hash=draft.content_hash,
        stable_key=draft.stable_key,
    )


def _path(document_path: str, draft: NodeDraft) -> str:
    return f"{document_path}/{draft.path}" if draft.path else document_path


def _describe(
    version: DocumentVersion, parsed: ParsedDocument, drafts: tuple[NodeDraft, ...]
) -> None:
    kinds = [draft.kind for draft in drafts]
    paragraphs = (NodeKind.PARAGRAPH, NodeKind.LIST, NodeKind.CODE)
    DocumentVersion.objects.filter(pk=version.pk).update(
        verdict=verdict_on(parsed),
        parser=parsed.parser,
        parser_version=parsed.parser_version,
        language=parsed.language,
        pages=parsed.pages,
        tokens=drafts[0].tokens,
        sections=kinds.count(NodeKind.SECTION),
        paragraphs=sum(kind in paragraphs for kind in kinds),
        tables=kinds.count(NodeKind.TABLE),
        figures=kinds.count(NodeKind.FIGURE),
        warnings=list(parsed.warnings),
        remarks=list(parsed.remarks),
    )
