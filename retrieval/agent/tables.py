"""A table row as a reader understands it, from the lines of a Markdown table."""

from __future__ import annotations

from knowledge.ingest.readable_rows import cells_of
from knowledge.ingest.readable_rows import readable_row as row_of_table
from retrieval.agent.evidence import EvidenceLeaf

__all__ = ["cells_of", "readable_row"]


def readable_row(leaf: EvidenceLeaf, row: str) -> str:
    """Return ``row`` of the table ``leaf`` with each cell after its header: "Tier: A; Limit: 165".

    A row that is not written with bars comes back on one line as it is.
    """
    return row_of_table(leaf.header or leaf.text, row)
