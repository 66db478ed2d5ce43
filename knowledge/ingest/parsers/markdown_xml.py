"""Elements in Markdown that HTML does not have: other markup, of which nothing is HTML.

`<config><map>a</map><script>b</script></config>` is what an author shows or what another program
reads, so it stays as it is written, also over blank lines. An element is what a tag opens and one
of the same name closes; a tag alone, as '<name>' or in 'List<String>', is none. A component, as MDX
has them with a capital (`<Tab title="One"><table>...</table></Tab>`, https://mdxjs.com/docs), that
has blocks of HTML in it is a frame around these: its tags stay, and what they hold is read.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from markdown_it.token import Token

from knowledge.ingest.tree import Span

from .markdown_tags import VERBATIM, Tag, all_tags

_COMPONENT = re.compile(r"[A-Z]\w*(?:\.[A-Z]\w*)*")
# Not those whose names are as good for other data: section, form, header, menu, summary.
_BLOCKS = frozenset((
    "blockquote", "details", "div", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre",
    "table", "ul",
))  # fmt: skip
_NOWHERE = (-1, -1)


def xml_elements(tags: Sequence[Tag]) -> tuple[list[Span], list[Tag]]:
    """Return where elements stand that HTML does not have, and the tags of no pair.

    Both in order; elements may stand in each other. Marked sections (CDATA) count as such,
    components around blocks of HTML do not, nor one that is open to the end.
    """
    pairs, alone = _pairs(tags)
    elements = [tag.span for tag in tags if tag.name == VERBATIM]
    elements += [_around(*pair) for pair in pairs if not _is_component(pair[0])]
    blocks = [tag.span.start for tag in _block_tags(tags, elements)]
    elements += [
        _around(*pair)
        for pair in pairs
        if _is_component(pair[0])
        and bisect(blocks, pair[0].span.start) == bisect(blocks, pair[1].span.start)
    ]
    last = blocks[-1] if blocks else -1
    alone = [tag for tag in alone if tag.closes or not _is_component(tag) or tag.span.start > last]
    return sorted(elements, key=lambda span: span.start), alone


def xml_lines(tokens: Sequence[Token]) -> frozenset[int]:
    """Return the lines of blocks that such an element begins, goes on or ends in.

    Elements inside of one block are not meant. One begins where nothing but tags stand in front of
    its tag on the line.
    """
    opened: dict[str, list[tuple[int, Tag]]] = defaultdict(list)
    ranges: list[tuple[int, int]] = []
    # With where its tags stand: the first line of their block, and the place in that.
    components: list[tuple[tuple[int, int], tuple[int, int], int]] = []
    blocks: list[tuple[int, int]] = []
    for (first, stop), content, code in _blocks(tokens):
        tags = all_tags(content, code=code)
        elements, alone = xml_elements(tags)
        blocks += [(first, tag.span.start) for tag in _block_tags(tags, elements)]
        leading = set(_leading(content, tags)) if alone else set()
        for tag in alone:
            if tag in leading and not tag.closes:
                opened[tag.name].append((first, tag))
            elif tag.closes and opened[tag.name]:
                line, opening = opened[tag.name].pop()
                if _is_component(opening):
                    begin, end = (line, opening.span.start), (first, tag.span.start)
                    components.append((begin, end, stop - 1))
                else:
                    ranges.append((line, stop - 1))
    kept = _lines(ranges)
    blocks = [block for block in blocks if block[0] not in kept]
    ranges += [
        (begin[0], last)
        for begin, end, last in components
        if bisect(blocks, begin) == bisect(blocks, end)
    ]
    return _lines(ranges)


def _pairs(tags: Sequence[Tag]) -> tuple[list[tuple[Tag, Tag]], list[Tag]]:
    """Return the pairs of tags that HTML does not have, and in order those of none."""
    opened: dict[str, list[Tag]] = defaultdict(list)
    pairs: list[tuple[Tag, Tag]] = []
    alone: dict[Tag, None] = {}
    for tag in tags:
        if tag.is_html or tag.is_empty:
            continue
        if tag.closes and opened[tag.name]:
            opening = opened[tag.name].pop()
            del alone[opening]
            pairs.append((opening, tag))
            continue
        alone[tag] = None
        if not tag.closes:
            opened[tag.name].append(tag)
    return pairs, list(alone)


def _is_component(tag: Tag) -> bool:
    return _COMPONENT.fullmatch(tag.name) is not None


def _around(opening: Tag, closing: Tag) -> Span:
    return Span(opening.span.start, closing.span.end)


def _block_tags(tags: Iterable[Tag], elements: Iterable[Span]) -> Iterator[Tag]:
    """Yield the tags that begin a block of HTML outside of ``elements``."""
    inside = iter(merged((span.start, span.end - 1) for span in elements))
    first, last = next(inside, _NOWHERE)
    for tag in tags:
        start = tag.span.start
        while last < start and (first, last) != _NOWHERE:
            first, last = next(inside, _NOWHERE)
        if tag.is_html and tag.opens and tag.name in _BLOCKS and not first <= start <= last:
            yield tag


def _lines(ranges: Iterable[tuple[int, int]]) -> frozenset[int]:
    return frozenset(line for first, last in merged(ranges) for line in range(first, last + 1))


def merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ``ranges`` in order, those that have a place in common as one."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found


def _blocks(tokens: Sequence[Token]) -> Iterator[tuple[tuple[int, int], str, bool]]:
    """Yield the lines and the text of each block of HTML and each paragraph with tags.

    Also whether spans of code may stand in it.
    """
    for number, token in enumerate(tokens):
        if token.map is None:
            continue
        is_html = token.type == "html_block"
        if is_html or token.type == "paragraph_open":
            content = (token if is_html else tokens[number + 1]).content
            if "<" in content:
                yield (token.map[0], token.map[1]), content, not is_html


def _leading(text: str, tags: Iterable[Tag]) -> Iterator[Tag]:
    """Yield the tags that a line begins with."""
    end, is_leading = 0, True
    for tag in tags:
        before, line_end, blank = text[end : tag.span.start].rpartition("\n")
        is_leading = not blank.strip() and (bool(line_end) or (is_leading and not before))
        if is_leading:
            yield tag
        end = tag.span.end
