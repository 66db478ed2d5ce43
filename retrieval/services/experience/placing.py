"""Where edges lead in the current versions of their documents, each question's decided together.

Paths are positions: a paragraph that moves down takes the path of its neighbour, which moves as
well. Nothing is written here.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from knowledge.models import Node
from retrieval.models import ExperienceEdge
from retrieval.models.experience import USABLE

State = ExperienceEdge.State
NOWHERE = "#"
"""With its key, what ends the path of an edge whose old place another edge has now."""


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

    def unchanged(self, edge: ExperienceEdge, taken: Collection[str] = ()) -> Node | None:
        """Return the leaf at the edge's path if its text is the edge's and nobody has it."""
        node = self._by_path.get(edge.path)
        is_same = node is not None and node.content_hash == edge.content_hash
        return node if is_same and edge.path not in taken else None

    def same_text(self, edge: ExperienceEdge, taken: Collection[str] = ()) -> Node | None:
        """Return a free leaf with the edge's text: that at its path, else the first."""
        equal = self._by_hash.get(edge.content_hash, [])
        elsewhere = (node for node in equal if node.path not in taken)
        return self.unchanged(edge, taken) or next(elsewhere, None)

    def same_place(self, edge: ExperienceEdge, taken: Collection[str] = ()) -> Node | None:
        """Return the leaf at the edge's path, else that with its stable key, if it is not taken."""
        at = (self._by_path.get(edge.path), self._by_key.get(edge.stable_key))
        return next((node for node in at if node and node.path not in taken), None)


def edges_place(edges: Sequence[ExperienceEdge], kept: Iterable[ExperienceEdge]) -> None:
    """Lead edges, unsaved, to where their targets are now.

    First come those whose text stands where it stood: of two equal paragraphs an edited one's edge
    must not take the place of the other. Then those whose text stands elsewhere, and what is left
    is led to its old place; among equals the first one first.
    ``kept`` are the edges of the same questions that stay where they are. The documents of
    ``edges`` have a current version. What is blocked or disabled moves and stays so.
    """
    taken: dict[int, set[str]] = defaultdict(set)
    for edge in kept:
        taken[edge.question_id].add(edge.path)
    leaves = _leaves(edges)
    texts = _found(edges, taken, lambda one, at: leaves[one.document_id].unchanged(one, at))
    moved = [edge for edge in edges if edge.pk not in texts]
    texts |= _found(moved, taken, lambda one, at: leaves[one.document_id].same_text(one, at))
    others = [edge for edge in edges if edge.pk not in texts]
    places = _found(others, taken, lambda one, at: leaves[one.document_id].same_place(one, at))
    for edge in edges:
        state = State.ACTIVE if edge.pk in texts else State.SUSPECT
        if found := texts.get(edge.pk) or places.get(edge.pk):
            edge.path, edge.stable_key = found.path, found.stable_key
        else:
            state = State.STALE
            if edge.path in taken[edge.question_id]:
                edge.path = f"{edge.path}{NOWHERE}{edge.pk}"
        edge.version_id = edge.document.current_version_id
        if edge.state in (*USABLE, State.STALE):
            edge.state = state


def _leaves(edges: Iterable[ExperienceEdge]) -> dict[int, Leaves]:
    """Return the leaves of each document, by its key."""
    by_document = groupby(sorted(edges, key=attrgetter("document_id")), attrgetter("document_id"))
    groups = {document: list(group) for document, group in by_document}
    return {
        document: Leaves(group[0].document.current_version_id, group)
        for document, group in groups.items()
    }


def _found(
    edges: Iterable[ExperienceEdge],
    taken: dict[int, set[str]],
    find: Callable[[ExperienceEdge, Collection[str]], Node | None],
) -> dict[int, Node]:
    """Return what is found, by the edge's key, each place once a question; it is taken then."""
    found = {}
    for edge in edges:
        if node := find(edge, taken[edge.question_id]):
            found[edge.pk] = node
            taken[edge.question_id].add(node.path)
    return found
