"""No visible word of a Markdown file is lost or fused, whatever tags stand around it."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.ingest.parsers import parse

_NAMES = [
    *("b", "i", "a", "sup", "kbd", "span", "p", "div", "ul", "li", "table", "tr", "td", "h2"),
    *("details", "summary", "pre", "button", "title", "option", "section", "blockquote"),
    *("img", "br", "hr", "wbr", "input", "link", "source", "col", "base"),
    *("name", "T", "your-name", "g-emoji", "Link"),
]
_TAGS = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["<", "</"]),
        st.sampled_from(_NAMES),
        st.sampled_from(["", "", " class='x'", ' href="#y"', " file", "\n"]),
        st.sampled_from([">", ">", "/>"]),
    ),
)
_SIGNS = st.sampled_from(
    [
        *(
            "< ",
            "<",
            "<b, ",
            "</div; ",
            "<!-- -->",
            "<!",
            "<?",
            "a<b ",
            "&lt;",
            "&",
            "`",
            "\\",
            "*",
            "[x](",
            ")",
        ),
        *("\n", "\n\n", "\n- ", "\n> ", "\n\n# ", "\n\n| a | b |\n|---|---|\n| ", " | ", "  "),
    ]
)


@st.composite
def _files(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Return a file and its words, each with a blank at both sides."""
    pieces: list[str] = ["first "]
    words: list[str] = ["first"]
    for letter in "abcdefghij"[: draw(st.integers(1, 10))]:
        pieces += draw(st.lists(st.one_of(_TAGS, _SIGNS), max_size=4))
        words.append(f"word{letter}x")
        pieces.append(f" {words[-1]} ")
    return "".join(pieces), words


@settings(
    deadline=None, max_examples=300, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(_files())
def test_every_word_between_tags_is_in_the_text(file: tuple[str, list[str]]) -> None:
    source, words = file
    text = parse(source.encode(), "file.md").text
    assert re.findall(r"first|word[a-j]x", text) == words
