"""Edges after their documents have changed: bound again, suspect, or stale. No model is asked.

A target is found again by the hash of its text, wherever it stands now: its section was moved, or
a heading renamed. Where only its place is left (same path, or same stable key), the text there has
changed and the edge is suspect until a verified run cites it. Else the edge is stale.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from knowledge.models import KnowledgeBase, Node
from retrieval.models import ExperienceEdge

BATCH = 500


def edges_rebind(base: KnowledgeBase, questions: Sequence[int] | None = None) -> int:
    """Bind outdated edges, of these questions or of the whole base, to the current versions.

    Return how many there were; in an open transaction.
    """
    outdated = ExperienceEdge.objects.outdated().filter(base=base)
    if questions is not None:
        outdated = outdated.filter(question__in=questions)
    rows = list(outdated.select_related("document").order_by("document_id")[:BATCH])
    for _, edges in groupby(rows, key=lambda edge: edge.document_id):
        _rebind(list(edges))
    return len(rows)


def edges_bind(edges: Iterable[ExperienceEdge]) -> None:
    """Let edges be used again, as far as their targets are still there, in an open transaction.

    Their documents should be selected with them.
    """
    rows = sorted(edges, key=lambda edge: edge.document_id)
    for edge in rows:
        edge.state = ExperienceEdge.State.ACTIVE
    ExperienceEdge.objects.bulk_update(rows, ["state"], batch_size=BATCH)
    for _, group in groupby(rows, key=lambda edge: edge.document_id):
        _rebind(list(group))


def _rebind(edges: list[ExperienceEdge]) -> None:
    document = edges[0].document
    version_id = document.current_version_id
    if version_id is None:
        return
    leaves = Leaves(version_id, edges)
    for edge in edges:
        _bind(edge, version_id, leaves.same_text(edge), leaves.same_place(edge))
    fields = ["state", "version", "path", "stable_key"]
    ExperienceEdge.objects.bulk_update(edges, fields, batch_size=BATCH)


def _bind(edge: ExperienceEdge, version_id: int, text: Node | None, place: Node | None) -> None:
    edge.version_id = version_id
    found = text or place
    if found is None:
        edge.state = ExperienceEdge.State.STALE
        return
    edge.state = ExperienceEdge.State.ACTIVE if text else ExperienceEdge.State.SUSPECT
    if not ExperienceEdge.objects.filter(question=edge.question_id, path=found.path).exclude(
        pk=edge.pk
    ):
        edge.path, edge.stable_key = found.path, found.stable_key
    elif found.path != edge.path:
        edge.state = ExperienceEdge.State.STALE  # another edge of the question leads there


class Leaves:
    """The leaves of a document's current version that its edges may mean."""

    def __init__(self, version_id: int, edges: Sequence[ExperienceEdge]) -> None:
        leaves = Node.objects.leaves().filter(version_id=version_id)
        leaves = leaves.defer("text", "boxes", "sentences")
        self._by_hash: dict[str, list[Node]] = {}
        for node in leaves.filter(content_hash__in={edge.content_hash for edge in edges}):
            self._by_hash.setdefault(node.content_hash, []).append(node)
        self._by_path = {
            node.path: node for node in leaves.filter(path__in={edge.path for edge in edges})
        }
        keys = {edge.stable_key for edge in edges}
        self._by_key = {node.stable_key: node for node in leaves.filter(stable_key__in=keys)}

    def same_text(self, edge: ExperienceEdge) -> Node | None:
        """Return the leaf with the edge's text; of several, that at its path, else the first."""
        found = self._by_hash.get(edge.content_hash, [])
        return next((node for node in found if node.path == edge.path), next(iter(found), None))

    def same_place(self, edge: ExperienceEdge) -> Node | None:
        """Return the leaf at the edge's path, else that with its stable key."""
        return self._by_path.get(edge.path) or self._by_key.get(edge.stable_key)
