"""Which words of a page are read: those that a browser shows."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml.html import defs

from tests.ingest.trees import outline, read

_SHOWN = {
    # Controls.
    "<p>Pick <select><option>A<option>B</select> here": ["paragraph: Pick A B here"],
    "<select><optgroup label=Fruit><option>Fig<option label=Kiwi></option></optgroup></select>": [
        "paragraph: Fruit Fig Kiwi"
    ],
    "<fieldset><legend>Who</legend><label>Name <input value='Ann  Lee'></label></fieldset>": [
        "paragraph: Who",
        "paragraph: Name Ann Lee",
    ],
    "<p>Or<input type=submit value=Send>now": ["paragraph: Or Send now"],
    "<p>x<input type=image alt=Go value=y>": ["paragraph: x Go"],
    "<textarea>One\n<b>two</b></textarea>": ["paragraph: One <b>two</b>"],
    "<p><input type=checkbox checked disabled> done<br><input type=checkbox disabled> open": [
        "paragraph: ☒ done ☐ open"
    ],
    "<table><tr><th>a<th>b<tr><td>c<td><input value=5></table>": [
        "table: | a | b | | --- | --- | | c | 5 |"
    ],
    "<p>x<h2><select><option>A<option>B</select></h2><p>y": [
        "paragraph: x",
        "# A B",
        "  paragraph: y",
    ],
    # What opens, and what stands for what is not there.
    "<details><summary>More</summary>inside</details>": ["paragraph: More", "paragraph: inside"],
    "<dialog open>asked</dialog><p>x": ["paragraph: asked", "paragraph: x"],
    "<object data=a.pdf><p>See the file.</p></object>": ["paragraph: See the file."],
    "<applet>No Java.</applet>": ["paragraph: No Java."],
    "<map><p>Plan <area alt=A> of it</p></map>": ["paragraph: Plan of it"],
    "<p>x <img src=a alt='A pump'>": ["paragraph: x", "figure: A pump"],
    # Behind the end of the page, as where files were put together.
    "<html><body><p>One</p></body></html> Two<p>Three</p>": [
        "paragraph: One",
        "paragraph: Two",
        "paragraph: Three",
    ],
    "<html><body><p>One</body></HTML >\n<!DOCTYPE html><html><body><p>Two</body></html>": [
        "paragraph: One",
        "paragraph: Two",
    ],
    # Within words.
    "<p>Donau<wbr>dampf<wbr>schiff": ["paragraph: Donaudampfschiff"],
    "<p><ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう</rt></ruby>へ": [
        "paragraph: 東(とう)京(きょう)へ"
    ],
    "<p><ruby>K<rp>(<rt>kan<rp>)</ruby> x": ["paragraph: K(kan) x"],
    "<p>so <math><mi>x</mi><mo>=</mo><mn>2</mn></math>.": ["paragraph: so x=2 ."],
    # Drawings.
    "<p>See<svg><title>t</title><desc>d</desc><path d='M0'/><g><text>One <tspan>way</tspan></text>"
    "<text>Two<tspan dy=1>lines</tspan></text></g></svg> here": [
        "paragraph: See here",
        "figure: One way Two lines",
    ],
    "<svg><foreignObject><div>Box</div></foreignObject></svg>": ["figure: Box"],
    "<p>x<h2>A <svg><text>mark</text></svg></h2>": ["paragraph: x", "# A mark"],
    "<p>x<svg><title>Close</title><path d='M0'/></svg>": ["paragraph: x"],
}
_UNSEEN = (
    "<dialog>word</dialog>", "<canvas>word</canvas>", "<noscript>word</noscript>",
    "<datalist><option>word</datalist>", "<video>word</video>", "<audio>word</audio>",
    "<iframe>word</iframe>", "<template>word</template>", "<input type=hidden value=word>",
    "<input type=password value=word>", "<input placeholder=word>", "<input value=word hidden>",
    "<select hidden><option>word</select>", "<svg style='display:none'><text>word</text></svg>",
    "<input type=radio value=word>", "<input type=checkbox value=word checked>",
)  # fmt: skip
# Shown by no browser, or not to whoever reads the page.
_DROPPED = {
    "script", "style", "template", "title", "noscript", "nav", "dialog", "iframe", "frameset",
    "canvas", "audio", "video", "datalist", "del", "s", "strike", "svg", "math",
    "header", "footer", "aside", "article", "main",
}  # fmt: skip


@pytest.mark.parametrize("page", _SHOWN)
def test_a_word_that_a_browser_shows_is_read_where_it_stands(page: str) -> None:
    assert outline(read(page, "a.html")) == _SHOWN[page]


@pytest.mark.parametrize("part", _UNSEEN)
def test_a_word_that_a_browser_shows_nowhere_is_not_read(part: str) -> None:
    assert outline(read(f"<p>a {part} b", "a.html")) == ["paragraph: a b"]


def _trees() -> st.SearchStrategy[str]:
    """Return markup with '@' for each of its words."""
    names = st.sampled_from([*sorted(defs.tags - _DROPPED), "dialog open", "my-own", "other"])

    def element(name: str, parts: list[str]) -> str:
        return f"<{name}>{''.join(parts)}</{name.split()[0]}>"

    return st.recursive(
        st.sampled_from([" @ ", "@", " @\n", "<br>", "<input value=' @ '>", "<img alt=' @ '>"]),
        lambda inside: st.builds(element, names, st.lists(inside, max_size=4)),
        max_leaves=12,
    )


@pytest.mark.parametrize(
    "unit",
    ["<svg>", "<svg><text>x</text></svg>", "<svg><g><text>", "<ruby>a<rt>b", "<rp>",
     "<input value=5>", "<select><option>x", "<optgroup label=x>", "<table><form><tr><td>x",
     "<table><tr><form><td>x", "<figure><img alt=x>", "</html>", "<html>", "<table><div>",
     "<form>", "<svg><title>x</title>"],
)  # fmt: skip
def test_what_stands_behind_much_of_it_is_read(unit: str) -> None:
    closed = "".join(f"</{name}>" for name in reversed(re.findall(r"<(\w+)", unit)))
    for page in (unit * 400, f"{unit}{closed}" * 5_000):
        assert "End" in read(f"<p>Start</p>{page}<p>End", "a.html").text


@settings(
    deadline=None, max_examples=400, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.lists(_trees(), min_size=1, max_size=4))
def test_no_word_of_a_tree_of_shown_elements_is_lost(parts: list[str]) -> None:
    pieces = "".join(parts).split("@")
    words = [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}x" for n in range(len(pieces) - 1)]
    source = "".join(map("".join, zip(pieces, [*words, ""], strict=True)))
    for begin in ("<p>first</p>", "<html>first"):
        text = read(f"{begin}{source}", "a.html").text
        assert sorted(re.findall(r"w[a-z]{2}x", text)) == sorted(words)
