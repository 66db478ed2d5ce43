"""What a test reads from a page, by a parser and not by searching its source."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "link", "input", "br", "hr", "img", "rect", "path", "circle", "use"}


@dataclass(slots=True)
class Page:
    """A page's tags with their attributes, and the text inside of each kind of tag."""

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)

    def text(self, tag: str) -> list[str]:
        """Return the text of each such element, spaces folded."""
        return [" ".join(text.split()) for text in self.texts.get(tag, [])]

    def attributes(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def links(self) -> list[str]:
        return [attributes.get("href", "") for attributes in self.attributes("a")]

    def ids_used_twice(self) -> list[str]:
        ids = Counter(attributes["id"] for _, attributes in self.tags if "id" in attributes)
        return [name for name, times in ids.items() if times > 1]


def read_page(html: str) -> Page:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open, f"Never closed: {reader.open}"
    return reader.page


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self.open.append(tag)
            self.page.texts.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> closes <{self.open[-1]}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.page.texts[tag][-1] += data
