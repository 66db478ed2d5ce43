"""The tags and comments in a text of Markdown, HTML's and others, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lxml.html import defs
from markdown_it.common.html_re import close_tag, open_tag

from knowledge.ingest.tree import Span

from .code_spans import code_spans, is_escaped

COMMENT = "!"
"""The name of what shows nothing, as a comment does."""
VERBATIM = "?"
"""The name of what stays as it is written."""
ELEMENTS = defs.tags | {"bdi", "data", "dialog", "main", "picture", "search", "slot", "template"}
"""The names of HTML's elements."""

_TAG = re.compile(f"{open_tag}|{close_tag}")
# A tag of any markup (XML 1.0, 3.1), its attributes in any form.
_OTHER = re.compile(r"</?[^\W\d][\w:.-]*+(?:\s(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+)?/?>")
_LONGEST_OTHER = 2_000
_NAME = re.compile(r"</?([^\W\d][\w:.-]*)")
_TARGET = re.compile(r"\]\((?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)")
# The sign of a quotation, which would end the tag that it stands in.
_QUOTED = re.compile(r"\n[ \t]*>")
_WHOLE = {"<!--": ("-->", COMMENT), "<![CDATA[": ("]]>", VERBATIM)}
_BEGIN = re.compile("|".join(map(re.escape, _WHOLE)))
# What stands in these is no HTML, and is read with it.
_FOREIGN = ("svg", "math")


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag, or what has one of the names above; the name of HTML's is in small letters."""

    span: Span
    name: str
    closes: bool = False
    has_value: bool = False
    is_empty: bool = False
    is_html: bool = True

    @property
    def opens(self) -> bool:
        """Whether what follows may be inside of its element."""
        return not (self.closes or self.is_empty or self.name in (COMMENT, VERBATIM))


def all_tags(text: str, *, code: bool) -> list[Tag]:
    """Return the tags of ``text`` in order, comments and marked sections (CDATA) among them.

    Not what stands in these, nor, where there may be spans of ``code``, in those and in targets.
    """
    if "<" not in text:
        return []
    return list(_with_foreign(list(_found(text, _literal(text) if code else [], escapes=code))))


def _literal(text: str) -> list[Span]:
    """Return the code and the targets of links in lines of Markdown, in the order they begin."""
    targets = (Span(*target.span()) for target in _TARGET.finditer(text))
    return sorted([*code_spans(text), *targets], key=lambda span: span.start)


def _found(text: str, spans: list[Span], *, escapes: bool) -> Iterator[Tag]:
    inside = iter(spans)
    span = next(inside, None)
    last_ends = {begin: text.rfind(end) for begin, (end, _) in _WHOLE.items()}
    start = text.find("<")
    while start >= 0:
        while span is not None and span.end <= start:
            span = next(inside, None)
        stop = start + 1
        begin = _BEGIN.match(text, start)
        if span is not None and span.start <= start:
            stop = span.end
        elif escapes and is_escaped(text, start):
            pass
        elif begin is not None and start < last_ends[begin[0]]:
            end, name = _WHOLE[begin[0]]
            stop = text.index(end, start) + len(end)
            yield Tag(Span(start, stop), name)
        elif (tag := _tag_at(text, start, escapes=escapes)) is not None:
            stop = tag.span.end
            yield tag
        start = text.find("<", stop)


def _tag_at(text: str, start: int, *, escapes: bool) -> Tag | None:
    found = _TAG.match(text, start)
    is_common = found is not None
    found = found or _OTHER.match(text, start, start + _LONGEST_OTHER)
    name = _NAME.match(text, start)
    if found is None or name is None:
        return None
    written, small = found[0], name[1].lower()
    is_html = small in ELEMENTS
    if (is_html and not is_common) or (escapes and "\n" in written and _QUOTED.search(written)):
        return None
    return Tag(
        Span(start, found.end()),
        small if is_html else name[1],
        closes=written[1] == "/",
        has_value="=" in written,
        is_empty=written[-2] == "/",
        is_html=is_html,
    )


def _with_foreign(tags: Sequence[Tag]) -> Iterator[Tag]:
    """Yield ``tags``, those in a drawing or a formula that is closed as tags of HTML."""
    last_ends = {tag.name: tag.span.end for tag in tags if tag.closes and tag.name in _FOREIGN}
    inside, depth = "", 0
    for tag in tags:
        if not inside:
            if tag.name in _FOREIGN and tag.opens and tag.span.end < last_ends.get(tag.name, 0):
                inside, depth = tag.name, 1
            yield tag
            continue
        if tag.name == inside:
            depth += tag.opens - tag.closes
        if tag.is_empty:
            yield Tag(tag.span, COMMENT)
        else:
            yield replace(tag, name=tag.name.lower(), is_html=True)
        if not depth or tag.span.end == last_ends[inside]:
            inside = ""
