"""Abstracts for whoever looks: those that are stored, and in lazy bases those made just now."""

from collections.abc import Sequence

from knowledge.ingest.abstracts import EXTRACTIVE, extract
from knowledge.ingest.tree import NodeKind
from knowledge.models import Abstract, KnowledgeBase, Node
from knowledge.services.abstracts import LAZY_MAX_TOKENS
from knowledge.services.sections import Level, bottom_up, sections_below


def abstracts_shown(base: KnowledgeBase, nodes: Sequence[Node]) -> dict[int, str]:
    """Return the abstracts of documents and sections of current versions, by the node's id.

    What is missing is made of sentences and stored, as long as nobody waits long: the rest has none
    this time, nor has anything in a base whose abstracts are off. In an open transaction.
    """
    if base.abstracts == KnowledgeBase.Abstracts.OFF or not nodes:
        return {}
    found = Abstract.objects.texts([node.pk for node in nodes])
    # An eager base has some missing as well: of documents from before it became one.
    missing = _affordable([node for node in nodes if node.pk not in found])
    if missing:
        found |= _made(base, missing)
    return {pk: text for pk, text in found.items() if text}


def document_abstracts(base: KnowledgeBase, version_ids: Sequence[int]) -> dict[int, str]:
    """Return the abstracts of whole documents by their version's id, as `abstracts_shown` does."""
    roots = Node.objects.filter(version__in=version_ids, kind=NodeKind.DOCUMENT)
    nodes = list(roots.order_by("version_id").only("version_id", "kind", "path", "tokens"))
    texts = abstracts_shown(base, nodes)
    return {node.version_id: texts[node.pk] for node in nodes if node.pk in texts}


def document_abstracts_stored(base: KnowledgeBase, version_ids: Sequence[int]) -> dict[int, str]:
    """Return those of `document_abstracts` that need not be made first, in an open transaction."""
    if base.abstracts == KnowledgeBase.Abstracts.OFF:
        return {}
    rows = Abstract.objects.filter(version__in=version_ids, node__kind=NodeKind.DOCUMENT)
    return dict(rows.exclude(text="").values_list("version_id", "text"))


def _affordable(nodes: Sequence[Node]) -> list[Node]:
    """Return the first nodes that together have at most LAZY_MAX_TOKENS."""
    chosen = []
    room = LAZY_MAX_TOKENS
    for node in nodes:
        if node.tokens <= room:
            chosen.append(node)
            room -= node.tokens
    return chosen


def _made(base: KnowledgeBase, nodes: Sequence[Node]) -> dict[int, str]:
    """Make, store and return the abstracts of these and of all sections below them."""
    rows: list[Abstract] = []

    def make(level: Level) -> dict[int, str]:
        texts = {section.ordinal: extract(source) for section, source in level}
        rows.extend(
            Abstract(
                tenant_id=base.tenant_id,
                base=base,
                version_id=section.version_id,
                node_id=section.node_id,
                text=texts[section.ordinal],
                language=section.language,
                generator=EXTRACTIVE,
                source_hash=source.digest,
            )
            for section, source in level
        )
        return texts

    bottom_up(sections_below(nodes), make)
    _store(base, rows)
    return {row.node_id: row.text for row in rows}


def _store(base: KnowledgeBase, rows: Sequence[Abstract]) -> None:
    """Keep them if the base is not being written to: whoever only looks waits for nobody.

    The base's lock keeps the nodes from being deleted until the transaction ends.
    """
    free = KnowledgeBase.objects.select_for_update(of=("self",), no_key=True, skip_locked=True)
    if not free.filter(pk=base.pk).exists():
        return
    left = set(
        Node.objects.filter(pk__in=[row.node_id for row in rows]).values_list("pk", flat=True)
    )
    Abstract.objects.bulk_create(
        [row for row in rows if row.node_id in left], ignore_conflicts=True, batch_size=1_000
    )
