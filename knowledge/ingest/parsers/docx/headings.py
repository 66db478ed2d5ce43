"""Which paragraphs are headings, and how deep: by style, else by look.

A document is taken at its word where its styles give headings. Where they give none, or next to
none, short standalone lines in bold, larger or capital letters are headings, ranked by look.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.ingest.parsers.numbering import is_title, is_upper

from .items import Item, Paragraph

# Fewer styled headings than one in so many paragraphs are next to none.
_PARAGRAPHS_PER_HEADING = 30
_LARGER = 1.15
_MOST_IN_A_ROW = 3
_MOST_SHARE = 0.4
_DEEPEST = 6
_LONGEST_STYLED = 250
_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,6})[.)]?\s|[A-Z]((?:\.\d{1,3}){1,6})\.?\s")


@dataclass(frozen=True, slots=True)
class Outline:
    """Levels from 1 by the index of an item; ``titles`` are items that name the document."""

    levels: dict[int, int]
    titles: tuple[int, ...] = ()


def outline_of(items: Sequence[Item]) -> Outline:
    """Return which of ``items`` are headings."""
    texts = [(n, item) for n, item in enumerate(items) if isinstance(item, Paragraph)]
    titles = _titles(texts)
    styled = {
        n: item.level
        for n, item in texts
        if item.level is not None and n not in titles and _fits(item)
    }
    parts = {n for n, item in texts if item.style.role == "part-title" and n not in styled}
    parts |= {
        n
        for n, item in texts
        if item.style.role == "title" and n not in titles and _could_be_title(item)
    }
    if (len(styled) + len(parts)) * _PARAGRAPHS_PER_HEADING >= len(texts) or len(styled) > 4:
        levels = dict(styled)
    else:
        levels = _by_look([(n, item) for n, item in texts if n not in titles], styled)
    if parts:
        levels = {n: level + 1 for n, level in levels.items()} | dict.fromkeys(parts, 1)
    if titles:
        levels = {n: level + 1 for n, level in levels.items()}
    return Outline(levels, titles)


def _fits(item: Paragraph) -> bool:
    # Bullets are never headings, and a page of prose in a heading's style is prose.
    return not item.is_bulleted and len(item.text) <= _LONGEST_STYLED


def _titles(texts: Sequence[tuple[int, Paragraph]]) -> tuple[int, ...]:
    """Return the paragraphs in the style Title that stand together before any heading."""
    found: list[int] = []
    for n, item in texts:
        if item.style.role == "title" and _could_be_title(item):
            if found and n != found[-1] + 1:
                break
            found.append(n)
        elif found or item.level is not None:
            break
    return tuple(found)


def _could_be_title(item: Paragraph) -> bool:
    # Converters give the style to whatever is large, be it a sentence.
    return not item.boxed and len(item.text) <= _LONGEST_STYLED and not item.text.endswith(".")


def _by_look(texts: Sequence[tuple[int, Paragraph]], styled: dict[int, int]) -> dict[int, int]:
    body = _body_size(texts)
    upper = sum(is_upper(item.text) for _, item in texts) * 2 < len(texts)
    found = [(n, item) for n, item in texts if n in styled or _stands_out(item, body, upper)]
    blocks = _blocks(found, texts)
    found = [(n, item) for n, item in found if n in styled or n not in blocks]
    if len(found) > len(texts) * _MOST_SHARE and len(texts) > 5:
        return styled
    ranks = sorted({_look(item) for _, item in found}, reverse=True)
    level = {look: min(number, _DEEPEST) for number, look in enumerate(ranks, 1)}
    return {n: level[_look(item)] for n, item in found}


def _body_size(texts: Sequence[tuple[int, Paragraph]]) -> int:
    sizes: Counter[int] = Counter()
    for _, item in texts:
        sizes[item.size] += len(item.text)
    return sizes.most_common(1)[0][0] if sizes else 20


def _stands_out(item: Paragraph, body: int, upper: bool) -> bool:
    text = " ".join(item.text.split())
    shown = item.bold or item.size >= body * _LARGER or (upper and is_upper(text))
    if not shown or item.boxed or item.is_bulleted or item.size < body or item.style.role:
        return False
    letters = sum(map(str.isalpha, text))
    return is_title(text.rstrip(":：")) and not text[:1].islower() and letters * 2 > len(text)


def _look(item: Paragraph) -> tuple[int, bool, bool, int]:
    """Return how an inferred heading looks; larger is shallower."""
    text = item.labelled
    match = _NUMBER.match(text)
    depth = (match[1] or match[2]).count(".") if match else 0
    depth += 1 if match and match[2] else 0
    return item.size, is_upper(item.text), item.bold, -depth


def _blocks(
    found: Sequence[tuple[int, Paragraph]], texts: Sequence[tuple[int, Paragraph]]
) -> set[int]:
    """Return the lines that are many alike in a row, an address, or the last words of all."""
    blocks: set[int] = set()
    run: list[tuple[int, Paragraph]] = []
    for n, item in found:
        if run and (n != run[-1][0] + 1 or _look(item) != _look(run[-1][1])):
            run = []
        run.append((n, item))
        if len(run) > _MOST_IN_A_ROW or (run[0][0] == texts[-1][0]):
            blocks.update(m for m, _ in run[-_MOST_IN_A_ROW - 1 :])
    return blocks
