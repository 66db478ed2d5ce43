"""From rows to the evidence that assembling and answering work on."""

from collections.abc import Iterable
from itertools import groupby

from knowledge.models import Node
from retrieval.agent.evidence import EvidenceLeaf, Hit, SectionLeaves


def sections_of(hits: Iterable[Hit]) -> tuple[SectionLeaves, ...]:
    """Return all leaves that stand directly in the hits' sections, in an open transaction."""
    wanted = {(hit.version_id, hit.section_path) for hit in hits}
    versions = {version_id for version_id, _ in wanted}
    paths = {path for _, path in wanted}
    leaves = (
        Node.objects.leaves()
        .filter(version_id__in=versions, parent__path__in=paths)
        .select_related("parent")
        .order_by("version_id", "parent_id", "ordinal")
    )
    sections = []
    for (version_id, path), rows in groupby(leaves, key=_section_key):
        if (version_id, path) in wanted:
            sections.append(SectionLeaves(version_id, path, tuple(map(leaf_of, rows))))
    return tuple(sections)


def leaf_of(node: Node) -> EvidenceLeaf:
    """Return a stored leaf as evidence."""
    return EvidenceLeaf(
        node_id=node.pk,
        path=node.path,
        kind=node.kind,
        ordinal=node.ordinal,
        start=node.char_start,
        end=node.char_end,
        text=node.text,
        sentences=tuple(node.sentence_spans()),
        page=node.page,
        tokens=node.tokens,
    )


def _section_key(node: Node) -> tuple[int, str]:
    return node.version_id, node.parent.path
