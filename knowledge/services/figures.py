"""Taking the pictures of a version's figures out of its file, and finding what to show."""

import hashlib
import logging

from django.utils import timezone

from accounts.tenancy import tenant_transaction
from knowledge.figure_describers import FigureDescriber, describer_for
from knowledge.ingest.pictures import FigureImage, FigureImages
from knowledge.ingest.preflight import Refused
from knowledge.ingest.sandbox import figures
from knowledge.ingest.tree import NodeKind
from knowledge.models import DocumentVersion, Figure, KnowledgeBase, Node
from knowledge.services.claims import Claim
from knowledge.services.trees import limits_of

logger = logging.getLogger(__name__)

MOST_FIGURES = 200
WITH_PICTURES = ("pdf", "docx")
"""Parsers of the formats whose pictures are inside the file."""

NOT_TAKEN = "The pictures of the figures could not be taken from the file and are not shown."


def figures_store(
    claim: Claim, base: KnowledgeBase, version: DocumentVersion, content: bytes
) -> None:
    """Store the pictures of the version's figures, unless they are there; raises LostClaim.

    A file whose pictures cannot be taken is not refused for it: its text is what is asked about.
    """
    with tenant_transaction(claim.tenant_id):
        row = DocumentVersion.objects.get(pk=version.pk)
        if row.parser not in WITH_PICTURES or not row.figures or row.pictures.exists():
            return
        nodes = list(
            Node.objects.filter(version=version, kind=NodeKind.FIGURE).order_by("ordinal")[
                :MOST_FIGURES
            ]
        )
    taken = _taken(base, version, nodes, content)
    describer = describer_for(base)
    with tenant_transaction(claim.tenant_id):
        claim.hold()
        if not Figure.objects.filter(version=version).exists():
            rows = [_row(version, nodes[image.place], image, describer) for image in taken.images]
            for start in range(0, len(rows), 20):
                Figure.objects.bulk_create(rows[start : start + 20])
        warnings = [text for text in taken.warnings if text not in row.warnings]
        if warnings:
            version.warnings = [*row.warnings, *warnings]
            version.save(update_fields=["warnings"])


def _taken(
    base: KnowledgeBase, version: DocumentVersion, nodes: list[Node], content: bytes
) -> FigureImages:
    places = [node.boxes[0] if node.boxes else [] for node in nodes]
    try:
        return figures(content, version.filename, limits=limits_of(base), places=places)
    except Refused as refused:
        logger.warning("Version %s keeps no pictures: %s", version.pk, refused)
        return FigureImages((), (NOT_TAKEN,))


def _row(
    version: DocumentVersion, node: Node, image: FigureImage, describer: FigureDescriber | None
) -> Figure:
    """Return a figure's row; one whose picture this model has described before is not due."""
    digest = hashlib.sha256(image.data).hexdigest()
    row = Figure(
        tenant_id=version.tenant_id,
        version=version,
        node=node,
        number=image.place + 1,
        content=image.data,
        media_type=image.media_type,
        width=image.width,
        height=image.height,
        sha256=digest,
    )
    if describer is not None:
        row.due_at = timezone.now()
        known = Figure.objects.filter(
            version__document=version.document_id,
            sha256=digest,
            described_by=describer.name,
            node__text=node.text,
        ).exclude(description="")
        earlier = known.without_pictures().first()
        if earlier is not None:
            row.description, row.described_by, row.due_at = (
                earlier.description,
                earlier.described_by,
                None,
            )
    return row
