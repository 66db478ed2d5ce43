"""An answer's Markdown as HTML that is safe to show, its [n] markers as links to the passages.

The answer may hold words of documents and of a model, so nothing in it is trusted: no raw HTML, no
links or images of its own, and a marker becomes a link only if its citation exists.
"""

import re
from collections.abc import Callable, Collection
from typing import Any

import nh3
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from knowledge.reading.sentinels import sentinel
from retrieval.agent.answer_markdown import answer_parser

_TAGS = {
    "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre",
    "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "ol": {"start"},
    "td": {"dir", "class"},
    "th": {"dir", "class"},
    "p": {"dir"},
    "li": {"dir"},
}
_OWN_DIRECTION = {"paragraph_open", "list_item_open", "td_open", "th_open"}

_MARKER = re.compile(r"\[(\d{1,3})\]")


def answer_html(
    markdown: str,
    *,
    cited: Collection[int],
    citation_url: Callable[[int], str],
    is_over: bool = False,
) -> SafeString:
    """Return the answer as HTML; markers without a citation are removed.

    `is_over` says that the run has ended. The markers of a stored answer were all verified, so one
    without a citation has lost its source since: it stays, and leads to a page that says so.
    """
    # A marker passes the sanitiser as text, so that no `<a>` has to be let through.
    sign = sentinel()
    rendered = _MARKDOWN.render(markdown, {"sign": sign})
    html = nh3.clean(rendered, tags=_TAGS, attributes=_ATTRIBUTES)
    # From the beginning of the space on: a search from each of its characters would take for ever.
    placeholder = rf"((?<![ \t])[ \t]*|){sign}(\d{{1,3}}){sign}"

    def link(match: re.Match[str]) -> str:
        space, number = match[1], int(match[2])
        if number in cited:
            return space + _link(number, citation_url(number), "Source {}", "cite")
        if is_over:
            return space + _link(
                number, citation_url(number), "Source {}, deleted since", "cite cite-gone"
            )
        return ""

    return mark_safe(re.sub(placeholder, link, html))  # noqa: S308  cleaned above, links are ours


def _link(number: int, url: str, label: str, css_class: str) -> str:
    return format_html(
        '<a class="{}" href="{}" hx-get="{}" hx-target="#passage" aria-label="{}">[{}]</a>',
        css_class,
        f"{url}#cited",
        url,
        label.format(number),
        number,
    )


def _marker(state: StateInline, silent: bool) -> bool:
    """Inline rule for `[n]`; an escaped `\\[n\\]`, as in a quoted text, is none."""
    match = _MARKER.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("citation", "", 0).content = match[1]
    state.pos = match.end()
    return True


def _placeholder(
    self: RendererHTML, tokens: list[Token], index: int, options: Any, env: Any
) -> str:
    return f"{env['sign']}{int(tokens[index].content)}{env['sign']}"


def _adapt(state: StateCore) -> None:
    """Give blocks their own direction, and headings a level below the page's own."""
    for token in state.tokens:
        if token.type in _OWN_DIRECTION:
            token.attrSet("dir", "auto")
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 2, 6)}"
        style = str(token.attrs.pop("style", ""))
        if style:
            token.attrSet("class", f"align-{style.rpartition(':')[2]}")


def _markdown() -> MarkdownIt:
    parser = answer_parser()
    parser.inline.ruler.before("link", "citation", _marker)
    parser.core.ruler.push("adapt", _adapt)
    parser.add_render_rule("citation", _placeholder)
    return parser


_MARKDOWN = _markdown()
