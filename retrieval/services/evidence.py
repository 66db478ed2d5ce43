"""From rows to the evidence that assembling and answering work on."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from knowledge.models import KnowledgeBase, Node
from knowledge.models.nodes import NodeQuerySet
from retrieval.agent.evidence import Block, EvidenceLeaf, Hit, SectionLeaves
from retrieval.services.places import Place, place_at

MOST_CHARACTERS = 2_000_000
"""Of one place that an agent cites: some 700 pages. What stands behind them has its own places."""


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


def block_at(base: KnowledgeBase, path: str, number: int) -> Block | None:
    """Return what stands at a path as a block with that number, in an open transaction.

    None for a base, for nothing, and for a document or section without leaves. Of a long document
    the first `MOST_CHARACTERS`.
    """
    place = place_at(base, path) if path else None
    if place is None:
        return None
    place = replace(place, end=min(place.end, place.start + MOST_CHARACTERS))
    leaves = tuple(
        leaf.clipped(max(leaf.start, place.start), min(leaf.end, place.end))
        for leaf in map(leaf_of, _leaves(place))
    )
    if not leaves:
        return None
    text = "\n\n".join(leaf.rendered() for leaf in leaves)
    return Block(
        number=number,
        document_id=place.document.pk,
        version_id=place.version_id,
        document_title=place.document.title,
        headings=(place.title,) if place.title != place.document.title else (),
        leaves=leaves,
        start=place.start,
        end=place.end,
        page=place.page,
        tokens=sum(leaf.tokens for leaf in leaves),
        text=text,
        rank=number,
    )


def _leaves(place: Place) -> NodeQuerySet:
    nodes = Node.objects.leaves().filter(version_id=place.version_id)
    return nodes.overlapping(place.start, place.end).order_by("ordinal")
