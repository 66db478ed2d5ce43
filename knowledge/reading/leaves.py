"""One leaf of a document as HTML: escaped, sanitised, with an optional highlighted span.

The text of a document is data: raw HTML in it is shown as text, images are named but not loaded,
links are kept only where they lead to a web or mail address: a relative one would lead into Cairn.
Only a file that was written in Markdown is read as such, word by word.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from knowledge.ingest.note_marks import MARK
from knowledge.ingest.tree import NodeKind, Span
from knowledge.reading import highlight
from knowledge.reading.flow import flowed

_TAGS = {
    "a", "blockquote", "br", "code", "em", "hr", "li", "mark", "ol", "p", "pre", "s", "span",
    "strong", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "a": {"href", "title"},
    "ol": {"start"},
    "span": {"class"},
    "td": {"dir", "class"},
    "th": {"dir", "class"},
    "tr": {"class"},
    "p": {"dir"},
    "li": {"dir"},
}
_OUTWARD = re.compile(r"https?://[^/\\]|mailto:", re.IGNORECASE)
"""Without the host a browser reads `https:admin/` as relative to a page of ours."""
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[^\n]*(?:\n|\Z)")
MOST_BRACKETS = 1_000
"""Looking for links is quadratic in these; a leaf with more is shown as it was written."""
_OWN_DIRECTION = {"paragraph_open", "list_item_open", "td_open", "th_open"}


class Markup(StrEnum):
    """How a version's canonical text is written.

    COMPOSED is that of web pages, Word and PDF files: its tables and lists are Markdown, which the
    parser wrote, and its words are the document's and mean nothing but themselves.
    """

    MARKDOWN = "markdown"
    COMPOSED = "composed"
    PLAIN = "plain"

    @classmethod
    def of_parser(cls, parser: str) -> "Markup":
        """Return how a version's canonical text is written, by the name of its parser."""
        return _MARKUP_OF_PARSER.get(parser, cls.COMPOSED)


_MARKUP_OF_PARSER = {"markdown": Markup.MARKDOWN, "text": Markup.PLAIN}


def leaf_html(kind: str, text: str, markup: Markup, cited: Span | None = None) -> SafeString:
    """Return the leaf as HTML; `cited` is a span of `text`, shown in `<mark>`."""
    if cited is not None:
        cited = Span(max(cited.start, 0), min(cited.end, len(text)))
        cited = cited if cited.start < cited.end else None
    is_markdown = markup is Markup.MARKDOWN
    renderer = _MARKDOWN if is_markdown else _COMPOSED
    if kind == NodeKind.TABLE and text.lstrip().startswith("|"):
        return _clean(_table(text, cited, renderer), wrapper="table-scroll")
    if kind == NodeKind.CODE:
        return _code(text, cited, is_fenced=is_markdown)
    if markup is Markup.PLAIN and kind != NodeKind.TABLE:
        return _plain(text, cited, flowed(text))
    if kind == NodeKind.TABLE:
        return _plain(text, cited)
    if is_markdown and text.count("[") > MOST_BRACKETS:
        return _plain(text, cited)
    if kind == NodeKind.LIST or (is_markdown and text.startswith(">")):
        return _clean(_with_mark(text, cited, renderer.render))
    return _clean(f'<p dir="auto">{_with_mark(text, cited, renderer.renderInline)}</p>')


def _with_mark(text: str, cited: Span | None, render: Any) -> str:
    return str(render(text)) if cited is None else highlight.marked(text, cited, render)


def _plain(text: str, cited: Span | None, shown: Sequence[str] = ()) -> SafeString:
    html = _escaped(shown or text, cited)
    return mark_safe(f'<p class="plain" dir="auto">{html}</p>')  # noqa: S308  escaped


def _code(text: str, cited: Span | None, *, is_fenced: bool) -> SafeString:
    """Return a code block without the lines of its fence."""
    start, end = 0, len(text)
    if is_fenced and (opening := _FENCE.match(text)):
        start = opening.end()
        last = text.rstrip().rfind("\n") + 1
        if last >= start and text[last:].strip().startswith(opening[1]):
            end = max(last - 1, start)
    inner = text[start:end]
    if cited is not None:
        cited = Span(max(cited.start - start, 0), min(cited.end - start, len(inner)))
    html = _escaped(inner, cited)
    return mark_safe(f'<pre dir="ltr" tabindex="0"><code>{html}</code></pre>')  # noqa: S308  escaped


def _escaped(text: Sequence[str], cited: Span | None) -> str:
    """Return ``text``, or what is shown for each of its characters, with the span marked."""
    if cited is None or cited.start >= cited.end:
        return str(escape("".join(text)))
    parts = text[: cited.start], text[cited.start : cited.end], text[cited.end :]
    before, quote, after = (escape("".join(part)) for part in parts)
    return f"{before}<mark>{quote}</mark>{after}"


def _table(text: str, cited: Span | None, renderer: MarkdownIt) -> str:
    """Return a Markdown table with every row that the span touches marked as a whole."""
    env: dict[str, Any] = {}
    tokens = renderer.parse(text, env)
    if cited is not None:
        first = text.count("\n", 0, cited.start)
        last = text.count("\n", 0, max(cited.end - 1, cited.start))
        _mark_rows(tokens, first, last)
    return str(renderer.renderer.render(tokens, renderer.options, env))


def _mark_rows(tokens: Sequence[Token], first_line: int, last_line: int) -> None:
    marking = False
    for token in tokens:
        if token.type == "tr_open" and token.map:
            marking = first_line <= token.map[0] <= last_line
            if marking:
                token.attrSet("class", "cited-row")
        elif marking and token.type == "inline" and token.children:
            token.children = [
                Token("mark_open", "mark", 1), *token.children, Token("mark_close", "mark", -1)
            ]  # fmt: skip


def _clean(html: str, wrapper: str = "") -> SafeString:
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
    )
    if wrapper:
        clean = (
            f'<div class="{wrapper}" role="region" aria-label="Table" tabindex="0">{clean}</div>'
        )
    return mark_safe(clean)  # noqa: S308  cleaned


def _image(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Name an image: nothing is fetched for a document, and its file is not here anyway."""
    alternative = self.renderInlineAsText(tokens[index].children or [], options, env)
    return f'<span class="image-name">{escape(alternative or "image")}</span>'


def _unlink(state: StateCore) -> None:
    """Leave the text alone of links that do not lead outward; links never nest."""
    for token in state.tokens:
        kept, linked = [], True
        for child in token.children or []:
            if child.type == "link_open":
                linked = _OUTWARD.match(str(child.attrGet("href"))) is not None
            if linked or child.type not in ("link_open", "link_close"):
                kept.append(child)
        if token.children:
            token.children = kept


def _set_direction(state: StateCore) -> None:
    """Let every block find its own direction, and align columns without inline styles."""
    for token in state.tokens:
        if token.type in _OWN_DIRECTION:
            token.attrSet("dir", "auto")
        style = token.attrs.pop("style", "")
        if style:
            token.attrSet("class", f"align-{str(style).rpartition(':')[2]}")


def _note_mark(state: StateInline, silent: bool) -> bool:
    """Read the mark of a footnote: a raised number."""
    match = MARK.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("sup_open", "sup", 1)
        state.push("text", "", 0).content = match[0][2:-1]
        state.push("sup_close", "sup", -1)
    state.pos = match.end()
    return True


def _markdown() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline", "heading", "lheading", "reference"])
    parser.inline.ruler.before("link", "note_mark", _note_mark)
    parser.core.ruler.push("unlink", _unlink)
    parser.core.ruler.push("direction", _set_direction)
    parser.add_render_rule("image", _image)
    return parser


def _composed() -> MarkdownIt:
    """Return what reads tables and lists, and of the words inside of them only their lines."""
    parser = literal_words(MarkdownIt("commonmark", {"html": False}).enable("table"))
    parser.block.ruler.enableOnly(["table", "list", "paragraph"])
    parser.inline.ruler.after("newline", "note_mark", _note_mark)
    parser.core.ruler.push("direction", _set_direction)
    return parser


def literal_words(parser: MarkdownIt) -> MarkdownIt:
    """Return the parser with which every character of a text stands for itself."""
    parser.inline.ruler.enableOnly(["text", "newline"])
    return parser


_MARKDOWN, _COMPOSED = _markdown(), _composed()
