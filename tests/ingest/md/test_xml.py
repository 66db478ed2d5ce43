"""Markup in Markdown that is no HTML stays as it is written; of HTML no word is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml.html import defs

from tests.ingest.trees import outline, read

# What a browser shows of other ones; a file of Markdown is no page with scripts and navigation.
_PROGRAMS = ("script", "style", "template")
_DRAWN = ("svg", "math")
_HTML = sorted(defs.tags - {*_PROGRAMS, *_DRAWN, "del", "s", "strike"})
_OTHERS = ("config", "note-text", "xs:element", "my_tag", "Map.Entry", "größe", "Link2")
_PLACES = ["{}\n", "- {}\n", "> {}\n", "# {}\n", "| a |\n|---|\n| {} |\n", "See {} here.\n"]


@pytest.mark.parametrize("place", _PLACES)
@pytest.mark.parametrize(
    "inside",
    [
        "<map>a1</map><template>t2</template><script>s3</script><object>o4</object>",
        "<style>s</style><title>t</title><link>l</link><!-- c --><b>x</b> &amp; <br/>",
        "<a title='x > y' b=\"</config>\">z</a><del>old</del>",
        "<![CDATA[<script>a</script> < b]]>",
        "<?run <b>x</b> ?><map>1</map><span hidden>q</span>",
        "<svg><g/></svg><config><deep><script>d</script></deep></config>",
    ],
)
def test_an_element_that_html_does_not_have_stays_as_it_is_written(inside: str, place: str) -> None:
    for name in _OTHERS:
        source = place.format(f"<{name} a='1 > 0'>{inside}</{name}>")
        assert read(source).text == source


@pytest.mark.parametrize(
    "lines",
    [
        "<config>\n  <map>a1</map>\n  <script>\n    s2\n  </script>\n</config>",
        "<config>\n\n<map>a1</map>\n\n<div>b</div>\n\n<script>c</script>\n\n</config>",
        "<config><map>a1</map>\n\n<p hidden>b</p>\n\n- <b>x</b>\n\n<!-- c -->\n\n</config>",
        "<a:b>\n<c:d>\n\n<title>x</title>\n\n</c:d>\n\n<style>y</style>\n\n</a:b>",
        "- <config>\n\n  <script>a</script>\n\n  </config>\n- b",
        "<config>\n\n<?run <b>x</b> ?><table><tr><td>1</td></tr></table>\n\n</config>",
        "<Config>\n\n<map>a</map>\n\n<script>b</script>\n\n</Config>",
        "<config>\n\n# A <b>head</b>\n\n| a |\n|---|\n| <b>x</b> |\n\n</config>",
        "<config>\n  <template>never closed</template>\n  <p>x</p>",
        "<config> <script>a</script> never closed",
        "text <config> <style>a</style> never closed",
        "<![CDATA[\n<script>a</script>\n]]>",
    ],
)
def test_an_element_over_several_lines_stays_as_it_is_written(lines: str) -> None:
    source = f"Before.\n\n{lines}\n"
    assert read(source).text == source
    assert read(f"{source}\n# A\n\nAnd <b>x</b>.\n").text == f"{source}\n# A\n\nAnd x.\n"


@pytest.mark.parametrize("name", ["Tab", "Link2", "Tabs.Item"])
def test_a_table_or_list_in_a_component_is_read_and_its_tags_stay(name: str) -> None:
    table = "<table><tr><th>Plan</th><th>Price</th></tr><tr><td>Basic</td><td>10</td></tr></table>"
    inside = (
        f'{table}\n<ul><li>one</li><li><a href="x">two</a></li></ul>\n<config><p>a</p></config>'
    )
    for blank in ("\n", "\n\n"):
        for more in ("\n", "\n\nMore.\n\n"):
            source = f'<{name} title="One">{blank}{inside}{more}</{name}>\n'
            document = read(source)
            rows = [row.text for leaf in document.root.leaves() for row in leaf.rows]
            assert rows == ["Basic | Price: 10"], source
            assert "- one\n- two" in document.text, source
            for kept in (f'<{name} title="One">', "<config><p>a</p></config>", f"</{name}>"):
                assert kept in document.text, source


def test_a_component_around_others_is_read_as_these_are() -> None:
    for blank in ("\n", "\n\n"):
        source = blank.join(["<Steps>", "<Step>", "<p>a <b>b</b></p>", "</Step>", "</Steps>"])
        assert read(source).text.split() == ["<Steps>", "<Step>", "a", "b", "</Step>", "</Steps>"]


def test_a_component_in_other_markup_stays_as_it_is_written() -> None:
    for blank in ("", "\n", "\n\n"):
        parts = ["<config>", "<Tab>", "<p>a</p>", "</Tab>", "</config>\n"]
        assert read(blank.join(parts)).text == blank.join(parts)
        parts = ["<Tab>", "<config>", "<p>a</p>", "</config>", "</Tab>\n"]
        assert read(blank.join(parts)).text == blank.join(parts)


def test_html_around_an_element_is_read() -> None:
    source = "<div>\n<b>One</b> <config><b>two</b> &amp; <script>x</script></config> &amp; three\n"
    assert read(f"{source}</div>\n\nEnd.\n").text == (
        "One <config><b>two</b> &amp; <script>x</script></config> & three\n\nEnd.\n"
    )


def test_tags_in_comments_and_programs_are_none() -> None:
    source = "<!-- <config> --> <b>x</b>\n<script>'<config>'</script> <i>y</i> </config>\n"
    assert read(f"Seen {source}").text.split() == ["Seen", "x", "y", "</config>"]


@pytest.mark.parametrize("name", _HTML)
def test_the_words_in_an_element_of_html_are_read(name: str) -> None:
    places = ["{}\n", "| a |\n|---|\n| {} |\n", "See {} here.\n", "<div>\n{}\n</div>\n"]
    for tag in (name, f"{name} id=x"):
        for source in (f"a <{tag}>Word</{name}> b", f"<{tag}>Word</{name}>"):
            for place in places:
                assert re.search(r"\bWord\b", read(place.format(source)).text), (place, source)


def _trees(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Return markup with '@' for each of its words."""
    attributes = st.sampled_from(["", "", " id='x'", ' b="1 > 0"', " open"])
    blank = st.sampled_from(["", " ", "\n", "\n  ", "\n\n"])

    def element(name: str, more: str, begin: str, parts: list[str], end: str) -> str:
        return f"<{name}{more}>{begin}{''.join(parts)}{end}</{name}>"

    def around(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        parts = st.lists(inside, max_size=4)
        return st.builds(element, st.sampled_from(names), attributes, blank, parts, blank)

    leaves = st.sampled_from([" @ ", " @ ", "@", " @\n", "\n\n@ ", "<br>", "<none/>", "\n"])
    return st.recursive(leaves, around, max_leaves=12)


@settings(
    deadline=None, max_examples=400, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(
    parts=st.lists(_trees((*_HTML, *_OTHERS)), min_size=1, max_size=4),
    place=st.sampled_from(["{}\n", "A\n\n{}\n\n# B\n", "- {}\n", "<div>\n{}\n</div>\n"]),
)
def test_no_word_of_a_tree_of_elements_is_lost(parts: list[str], place: str) -> None:
    pieces = place.format("".join(parts)).split("@")
    words = [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}x" for n in range(len(pieces) - 1)]
    source = "".join(map("".join, zip(pieces, [*words, ""], strict=True)))
    text = read(f"first\n\n{source}").text
    assert sorted(re.findall(r"w[a-z]{2}x", text)) == sorted(words)


@settings(
    deadline=None, max_examples=200, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(inside=_trees((*_HTML, *_PROGRAMS, *_DRAWN, *_OTHERS)), name=st.sampled_from(_OTHERS))
def test_an_element_of_no_html_keeps_all_it_holds(inside: str, name: str) -> None:
    source = f"<outer-{name}>{inside.replace('@', 'word')}</outer-{name}>"
    text = read(f"first\n\n{source}\n\nlast\n").text
    assert "".join(text.split()) == "".join(f"first{source}last".split())


@pytest.mark.parametrize(
    "unit",
    ["<config>", "</config>", "<config>\n\n", "<a1 b='", "<![CDATA[", "<?", "<config>\n\n</x>\n\n",
     "<Tab>", "<Tab><p>", "<Tab>\n\n<p>\n\n", "<Tab><p></Tab>\n\n",
     "<svg>", "</svg>", "<svg><g>", "<script>", "<config></config>", "<template>", "<a1 \"<a1 '",
     "- <config>\n"],
)  # fmt: skip
def test_what_stands_behind_much_other_markup_is_read(unit: str) -> None:
    assert "End" in read(f"Start.\n\n{unit * (200_000 // len(unit))}\n\nEnd.\n").text


def test_drawings_and_formulas_are_read_with_the_html_around_them() -> None:
    source = "See <svg viewBox='0 0 1 1'><g><path d='M0'/><text>label</text></g></svg> there.\n"
    assert read(source).text.split() == ["See", "label", "there."]
    assert outline(read("<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>\n")) == [
        "paragraph: (a)/(2)"
    ]
