"""What answering works on: leaves of documents, hits of a search, and the assembled context.

Offsets are code points in the canonical text of a document version, half-open, everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from knowledge.ingest.tokens import count_tokens
from retrieval.agent.framing import as_data, as_title

Offsets = tuple[int, int]


@dataclass(frozen=True, slots=True)
class EvidenceLeaf:
    """A paragraph, list, table, figure or code block, or a part of one.

    ``text`` is exactly the version's text from ``start`` to ``end``. ``sentences`` are absolute
    offsets inside it: sentences of prose, body rows of a table. ``header`` holds the header lines
    of a table whose beginning was cut off; it is shown, and never quoted.
    """

    node_id: int
    path: str
    kind: str
    ordinal: int
    start: int
    end: int
    text: str
    sentences: tuple[Offsets, ...]
    page: int | None
    tokens: int
    header: str = ""

    def clipped(self, start: int, end: int) -> EvidenceLeaf:
        """Return the part from ``start`` to ``end``, with the sentences that lie whole in it.

        Raises ValueError when the part is empty or reaches outside this leaf.
        """
        if not self.start <= start < end <= self.end:
            raise ValueError(f"{start}:{end} is no part of {self.start}:{self.end}")
        if (start, end) == (self.start, self.end):
            return self
        text = self.text[start - self.start : end - self.start]
        inside = tuple(span for span in self.sentences if start <= span[0] and span[1] <= end)
        header = self.header
        if self.kind == "table" and self.sentences and start >= self.sentences[0][0]:
            header = header or self.text[: self.sentences[0][0] - self.start].strip()
        tokens = count_tokens(text) + (count_tokens(header) if header else 0)
        return replace(
            self, start=start, end=end, text=text, sentences=inside, tokens=tokens, header=header
        )

    def rendered(self) -> str:
        """Return the text a reader gets: with its header lines, when they had been cut off."""
        return f"{self.header}\n{self.text}" if self.header else self.text


@dataclass(frozen=True, slots=True)
class Hit:
    """An index entry that a search returned; ``rank`` counts from 1, best first.

    ``dense`` is the cosine to the question and ``lexical`` its BM25 score; None where that leg
    did not return the entry. ``headings`` are the titles from the top section down, the
    document's own left out. ``language`` is an ISO 639-1 code or 'und'.
    """

    entry_id: int
    document_id: int
    version_id: int
    document_title: str
    base_slug: str
    section_path: str
    path: str
    headings: tuple[str, ...]
    start: int
    end: int
    page: int | None
    tokens: int
    score: float
    dense: float | None
    lexical: float | None
    rank: int
    language: str = "und"


@dataclass(frozen=True, slots=True)
class SectionLeaves:
    """Every leaf that stands directly in one section, in reading order."""

    version_id: int
    section_path: str
    leaves: tuple[EvidenceLeaf, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A run of neighbouring leaves of one section, given to the reasoner under one number.

    ``rank`` is that of the best hit inside, ``tokens`` what header and text take in the prompt.
    """

    number: int
    document_id: int
    version_id: int
    document_title: str
    headings: tuple[str, ...]
    leaves: tuple[EvidenceLeaf, ...]
    start: int
    end: int
    page: int | None
    tokens: int
    text: str
    rank: int
    language: str = "und"

    def header(self) -> str:
        """Return the line above the text: ``[E3] title > section, p.12``."""
        place = " > ".join(map(as_title, (self.document_title, *self.headings)))
        return f"[E{self.number}] {place}" + (f", p.{self.page}" if self.page else "")

    def rendered(self) -> str:
        """Return header and text as they stand in a prompt: the text is data in it."""
        return f"{self.header()}\n{as_data(self.text)}"


@dataclass(frozen=True, slots=True)
class Context:
    """The evidence of one attempt; ``tokens`` is the length of `render`."""

    blocks: tuple[Block, ...]
    tokens: int

    def render(self) -> str:
        """Return the blocks as the text that stands before the question."""
        return "\n\n".join(block.rendered() for block in self.blocks)

    def block(self, number: int) -> Block | None:
        """Return the block with that number, None when there is none."""
        return next((block for block in self.blocks if block.number == number), None)
