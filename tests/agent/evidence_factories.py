"""The smallest evidence a test needs."""

import re

from knowledge.ingest.tokens import count_tokens
from retrieval.agent.evidence import Block, Context, EvidenceLeaf, Hit, SectionLeaves

SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s)|[。！？]|\Z)", re.DOTALL)


def leaf(text, *, start=0, ordinal=0, kind="paragraph", path="", page=None):
    """A leaf whose sentences end at full stops, or whose rows are the lines below the rule."""
    if kind == "table":
        spans = [m.span() for m in re.finditer(r"[^\n]+", text)][2:]
    else:
        spans = [m.span() for m in SENTENCE.finditer(text) if m[0].strip()]
    return EvidenceLeaf(
        node_id=start + 1,
        path=path or f"doc/p{ordinal + 1}",
        kind=kind,
        ordinal=ordinal,
        start=start,
        end=start + len(text),
        text=text,
        sentences=tuple((start + a, start + b) for a, b in spans),
        page=page,
        tokens=count_tokens(text),
    )


def section(texts, *, start=0, path="doc/sec", version_id=1, kind="paragraph", page=None):
    """A section of leaves that stand two characters apart, as paragraphs do."""
    leaves = []
    for ordinal, text in enumerate(texts):
        leaves.append(
            leaf(
                text,
                start=start,
                ordinal=ordinal,
                kind=kind,
                page=page,
                path=f"{path}/p{ordinal + 1}",
            )
        )
        start += len(text) + 2
    return SectionLeaves(version_id, path, tuple(leaves))


def hit(rank, section_leaves, first, last=None, **changes):
    """A hit on the leaves ``first`` to ``last`` of a section."""
    leaves = section_leaves.leaves[first : (first if last is None else last) + 1]
    values = {
        "entry_id": rank,
        "document_id": section_leaves.version_id,
        "version_id": section_leaves.version_id,
        "document_title": f"Document {section_leaves.version_id}",
        "base_slug": "kb",
        "section_path": section_leaves.section_path,
        "path": leaves[0].path,
        "headings": ("Section",),
        "start": leaves[0].start,
        "end": leaves[-1].end,
        "page": leaves[0].page,
        "tokens": sum(one.tokens for one in leaves),
        "score": 1 / rank,
        "dense": None,
        "lexical": None,
        "rank": rank,
        "language": "en",
    }
    return Hit(**(values | changes))


def block(number, leaves, *, title="Handbook", headings=("Section",), rank=None, language="en"):
    """A block of these leaves."""
    text = "\n\n".join(one.rendered() for one in leaves)
    return Block(
        number=number,
        document_id=1,
        version_id=1,
        document_title=title,
        headings=headings,
        leaves=tuple(leaves),
        start=leaves[0].start,
        end=leaves[-1].end,
        page=leaves[0].page,
        tokens=count_tokens(text),
        text=text,
        rank=rank or number,
        language=language,
    )


def context(*blocks):
    """The context of these blocks."""
    return Context(tuple(blocks), sum(one.tokens for one in blocks))
