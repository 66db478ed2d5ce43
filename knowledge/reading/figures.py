"""The pictures shown beside the captions they belong to."""

from collections.abc import Iterable
from dataclasses import dataclass

from knowledge.ingest.tree import NodeKind
from knowledge.models import Figure, Node


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure as it is shown: its number in the version, its size, its words.

    `description` was written by the model `described_by` and is shown as such; both may be ''.
    """

    number: int
    width: int
    height: int
    caption: str
    description: str
    described_by: str


def pictures_of(nodes: Iterable[Node]) -> dict[int, Picture]:
    """Return the pictures of these nodes by the nodes' ids; one query if a figure is among them."""
    wanted = [node.pk for node in nodes if node.kind == NodeKind.FIGURE]
    if not wanted:
        return {}
    rows = Figure.objects.filter(node__in=wanted).without_pictures().select_related("node")
    return {
        row.node_id: Picture(
            number=row.number,
            width=row.width,
            height=row.height,
            caption=row.node.text,
            description=row.description,
            described_by=row.described_by,
        )
        for row in rows
    }
