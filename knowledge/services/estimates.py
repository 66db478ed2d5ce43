"""What models will take for a version, before anything is paid for."""

from collections.abc import Iterable
from math import ceil

from accounts.tenancy import tenant_transaction
from knowledge.ingest.abstracts import AbstractWriter, extract
from knowledge.ingest.tokens import count_tokens
from knowledge.models import DocumentVersion, KnowledgeBase
from knowledge.services.abstracts import known_abstracts
from knowledge.services.costs import Estimate
from knowledge.services.sections import Level, bottom_up, sections_of_tree
from knowledge.services.trees import StoredTree

PROMPT_TOKENS = 120
"""What a model reads besides the source: the instructions are 108 tokens, the chat's frame some."""

ABSTRACT_TOKENS = 100
"""What a model writes: sixty words are 80 tokens of English, more of other languages."""

CAPTION_PROMPT_TOKENS = 250
"""What is read beside a picture: instructions of some 170 tokens, its caption, its headings."""

DESCRIPTION_TOKENS = 250
"""What a model writes about a figure: at most 180 words."""

TILE = 512
TILE_TOKENS = 170
PICTURE_TOKENS = 85
"""Of a picture, and of each of its tiles: as gpt-4o counts (OpenAI, "Images and vision").

Other models count otherwise, some three times as much for the same picture.
"""


def abstracts_estimate(
    base: KnowledgeBase, version: DocumentVersion, tree: StoredTree, writer: AbstractWriter
) -> Estimate:
    """Return what the writer will take for the abstracts that cannot be taken over.

    Sections above one that is new are counted as if sentences were written below them.
    """
    calls = read = 0
    counted: set[str] = set()

    def count(level: Level) -> dict[int, str]:
        nonlocal calls, read
        with tenant_transaction(base.tenant_id):
            known = known_abstracts(base, level, writer)
        texts = {}
        for section, source in level:
            row = known.get(section.ordinal)
            texts[section.ordinal] = row.text if row else extract(source)
            if row is None and not source.is_short and source.digest not in counted:
                counted.add(source.digest)
                calls += 1
                read += PROMPT_TOKENS + count_tokens(f"{source.title}\n{source.text}")
        return texts

    bottom_up(sections_of_tree(version.pk, tree), count)
    return Estimate(tree.parsed.pages, calls, read, calls * ABSTRACT_TOKENS)


def figures_estimate(sizes: Iterable[tuple[int, int]]) -> Estimate:
    """Return what describing pictures of these sizes in pixels takes, one call each."""
    pictures = [picture_tokens(width, height) for width, height in sizes]
    count = len(pictures)
    read = sum(pictures) + count * CAPTION_PROMPT_TOKENS
    return Estimate(None, count, read, count * DESCRIPTION_TOKENS, count)


def picture_tokens(width: int, height: int) -> int:
    """Return the tokens of a picture, shrunk so that its sides are at most 2,048 and 768 pixels."""
    scale = min(1.0, 2_048 / max(width, height, 1), 768 / max(min(width, height), 1))
    tiles = ceil(width * scale / TILE) * ceil(height * scale / TILE)
    return PICTURE_TOKENS + TILE_TOKENS * tiles
