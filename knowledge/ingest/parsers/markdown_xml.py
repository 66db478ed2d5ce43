"""Elements in Markdown that HTML does not have: other markup, of which nothing is HTML.

`<config><map>a</map><script>b</script></config>` is what an author shows or what another program
reads, so it stays as it is written, also over blank lines. An element is what a tag opens and one
of the same name closes; a tag alone, as '<name>' or in 'List<String>', is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from markdown_it.token import Token

from knowledge.ingest.tree import Span

from .markdown_tags import VERBATIM, Tag, all_tags


def xml_elements(tags: Sequence[Tag]) -> tuple[list[Span], list[Tag]]:
    """Return where elements stand that HTML does not have, and the tags of no pair.

    Both in order; elements may stand in each other. Marked sections (CDATA) count as such.
    """
    opened: dict[str, list[Tag]] = defaultdict(list)
    elements = [tag.span for tag in tags if tag.name == VERBATIM]
    alone: dict[Tag, None] = {}
    for tag in tags:
        if tag.is_html or tag.is_empty:
            continue
        if tag.closes and opened[tag.name]:
            opening = opened[tag.name].pop()
            del alone[opening]
            elements.append(Span(opening.span.start, tag.span.end))
            continue
        alone[tag] = None
        if not tag.closes:
            opened[tag.name].append(tag)
    return sorted(elements, key=lambda span: span.start), list(alone)


def xml_lines(tokens: Sequence[Token]) -> frozenset[int]:
    """Return the lines of blocks that such an element begins, goes on or ends in.

    Elements inside of one block are not meant. One begins where nothing but tags stand in front of
    its tag on the line.
    """
    opened: dict[str, list[int]] = defaultdict(list)
    ranges: list[tuple[int, int]] = []
    for (first, stop), content, code in _blocks(tokens):
        tags = all_tags(content, code=code)
        alone = xml_elements(tags)[1]
        leading = set(_leading(content, tags)) if alone else set()
        for tag in alone:
            if tag in leading and not tag.closes:
                opened[tag.name].append(first)
            elif tag.closes and opened[tag.name]:
                ranges.append((opened[tag.name].pop(), stop - 1))
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
