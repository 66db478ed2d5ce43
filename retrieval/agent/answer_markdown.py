"""The Markdown that answers are written in, and what of it is code.

One parser decides both what is shown and which brackets are markers: two readings of what is code
would let a marker through that nobody has verified.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_OF_CODE = ("code_inline", "code_block", "fence")
_DEEPEST = 12
_MARKS = re.compile(r"(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s))+")


def answer_parser() -> MarkdownIt:
    """Return a new parser: CommonMark with tables and without raw HTML, links and images."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return parser.disable(["link", "image", "autolink", "reference", "html_block", "html_inline"])


def within_depth(markdown: str) -> str:
    """Return an answer, its lines without their marks where it nests deeper than is shown.

    The parser drops what stands deeper than that, so a marker there would count and not be seen.
    """
    if not any(token.level >= _DEEPEST for token in _parser().parse(markdown)):
        return markdown
    return "\n\n".join(filter(None, (_unmarked(line) for line in markdown.splitlines())))


def _unmarked(line: str) -> str:
    marks = _MARKS.match(line)
    return line[marks.end() :] if marks else line


def code_of(markdown: str) -> str:
    """Return all code of an answer, in line and in blocks, joined; '' where there is none."""
    if not any(sign in markdown for sign in ("`", "~~~", "\t", "    ")):
        return ""
    return "\n".join(_code(_parser().parse(markdown)))


def _code(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in _OF_CODE:
            yield f"{token.info}\n{token.content}"
        yield from _code(token.children or ())


@cache
def _parser() -> MarkdownIt:
    return answer_parser()
