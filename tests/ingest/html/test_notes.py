"""Footnotes of web pages, as the programs that write pages write them."""

from __future__ import annotations

import pytest

from tests.ingest.trees import outline, read

WORD = """<div class=WordSection1><p class=MsoNormal>Paid in May<a style='mso-footnote-id:ftn1'
href="#_ftn1" name="_ftnref1" title=""><span class=MsoFootnoteReference><span
style='mso-special-character:footnote'><![if !supportFootnotes]><span
class=MsoFootnoteReference>[1]</span><![endif]></span></span></a> or June.<a href="#_edn1"
name="_ednref1" title=""><span class=MsoEndnoteReference>[i]</span></a></p></div>
<div style='mso-element:footnote-list'><br clear=all><hr align=left size=1 width="33%">
<div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText><a href="#_ftnref1"
name="_ftn1" title=""><span class=MsoFootnoteReference>[1]</span></a> By the office.</p>
<p class=MsoFootnoteText>At noon.</p></div></div>
<div style='mso-element:endnote' id=edn1><p class=MsoEndnoteText><a href="#_ednref1"
name="_edn1" title=""><span class=MsoEndnoteReference>[i]</span></a> Or July.</p></div>"""
PANDOC = """<p>Paid in May<a href="#fn1" class="footnote-ref" id="fnref1"
role="doc-noteref"><sup>1</sup></a> or June.<a href="#fn2" class="footnote-ref" id="fnref2"
role="doc-noteref"><sup>2</sup></a></p>
<section id="footnotes" class="footnotes footnotes-end-of-document" role="doc-endnotes"><hr /><ol>
<li id="fn1"><p>By the office.</p><p>At noon.<a href="#fnref1" class="footnote-back"
role="doc-backlink">↩︎</a></p></li>
<li id="fn2"><p>Or July.<a href="#fnref2" class="footnote-back" role="doc-backlink">↩︎</a></p></li>
</ol></section>"""
GITHUB = """<p>Paid in May<sup><a href="#user-content-fn-1-ab" id="user-content-fnref-1-ab"
data-footnote-ref aria-describedby="footnote-label">1</a></sup> or June.<sup><a
href="#user-content-fn-b-ab" id="user-content-fnref-b-ab" data-footnote-ref>2</a></sup></p>
<section data-footnotes class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2>
<ol><li id="user-content-fn-1-ab"><p>By the office.</p><p>At noon. <a
href="#user-content-fnref-1-ab" data-footnote-backref class="data-footnote-backref">↩</a> <a
href="#user-content-fnref-1-2-ab" data-footnote-backref>↩<sup>2</sup></a></p></li>
<li id="user-content-fn-b-ab"><p>Or July. <a href="#user-content-fnref-b-ab"
data-footnote-backref>↩</a></p></li></ol></section>"""
BOOK = """<p>Paid in May<a epub:type="noteref" role="doc-noteref" href="#n1" id="r1">1</a> or
June.<a role="doc-noteref" href="#n2" id="r2">2</a></p>
<aside epub:type="footnote" role="doc-footnote" id="n1"><p><a role="doc-backlink" href="#r1">1</a>.
By the office.</p><p>At noon.</p></aside>
<section role="doc-endnotes"><ol><li role="doc-endnote" id="n2" value="2">Or July.
<a role="doc-backlink" href="#r2">Back to the text</a></li></ol></section>"""
WIKIPEDIA = """<p>Paid in May<sup id="cite_ref-o_1-0" class="reference"><a
href="#cite_note-o-1"><span class="cite-bracket">[</span>1<span>]</span></a></sup> or June.<sup
id="cite_ref-2" class="reference"><a href="#cite_note-2">[note 1]</a></sup></p>
<div class="reflist"><ol class="references"><li id="cite_note-o-1"><span
class="mw-cite-backlink">^ <a href="#cite_ref-o_1-0"><sup><i><b>a</b></i></sup></a> <a
href="#cite_ref-o_1-1"><sup><i><b>b</b></i></sup></a></span> <span class="reference-text">By the
office. At noon.</span></li><li id="cite_note-2"><span class="mw-cite-backlink"><b><a
href="#cite_ref-2">^</a></b></span> <span>Or July.</span></li></ol></div>"""
PLAIN_LINKS = """<p>Paid in May<a href="#a" id="ra">[1]</a> or June.<a href="#b" name="rb">[2]</a>
See part <a href="#c">3</a>.</p><p id="c">Part three.</p>
<p><a id="a" href="#ra">[1]</a> By the office. At noon.</p><p id="b">2. Or July.
<a href="#rb">return</a></p>"""
WRITTEN = {
    "Word": WORD,
    "pandoc": PANDOC,
    "GitHub": GITHUB,
    "a book": BOOK,
    "Wikipedia": WIKIPEDIA,
    "links that lead to each other": PLAIN_LINKS,
}


@pytest.mark.parametrize("name", WRITTEN)
def test_notes_are_read_whoever_wrote_the_page(name: str) -> None:
    lines = outline(read(WRITTEN[name], "a.html"))
    assert lines[0].startswith("paragraph: Paid in May[^1] or June.[^2]")
    assert lines[-2:] == ["paragraph: [^1] By the office. At noon.", "paragraph: [^2] Or July."]
    assert len(lines) == (4 if name.startswith("links") else 3)


FOUNDED = 'Founded.<sup id="r1"><a href="#n1">[1]</a></sup>'
PUMPS = 'Sells pumps.<sup id="r2"><a href="#n1">[1]</a></sup>'
SEVERAL_BACK = {
    "letters": """<ol><li id="n1">^ <a href="#r1"><sup>a</sup></a> <a href="#r2"><sup>b</sup></a>
Smith.</li></ol>""",
    "letters, raised": """<p><a id="n1"></a>[1] Smith. <sup><a href="#r1">a</a></sup>
<sup><a href="#r2">b</a></sup></p>""",
    "kramdown": """<div class="footnotes"><ol><li id="n1"><p>Smith.&nbsp;<a href="#r1"
class="reversefootnote">↩</a>&nbsp;<a href="#r2" class="reversefootnote">↩<sup>2</sup></a></p></li>
</ol></div>""",
    "numbers": '<p id="n1">Smith. <a href="#r1">[1]</a> <a href="#r2">[2]</a></p>',
}
BODIES = {
    "paragraph": f"<p>{FOUNDED} {PUMPS}</p>",
    "item": f"<ul><li>{FOUNDED} {PUMPS}</li></ul>",
    "div": f"<div>{FOUNDED} {PUMPS}</div>",
    "behind another mark": f"""<p>{FOUNDED} 40 staff.<sup id="r3"><a href="#n2">[2]</a></sup>
{PUMPS}</p>""",
    "names of paragraphs": """<p id="r1">Founded.<sup><a href="#n1">[1]</a></sup></p>
<p id="r2">Sells pumps.<sup><a href="#n1">[1]</a></sup></p>""",
    "names in front of paragraphs": """<p><span id="r1"></span>Founded.<sup><a
href="#n1">[1]</a></sup></p><p><a name="r2"></a>Sells pumps.<sup><a href="#n1">[1]</a></sup></p>""",
    "names in front of marks": """<p>Founded.<span id="r1"></span><sup><a href="#n1">[1]</a></sup>
Sells pumps.<span id="r2"></span><sup><a href="#n1">[1]</a></sup></p>""",
    "marks in front": """<p><sup id="r1"><a href="#n1">[1]</a></sup> Founded.</p>
<p><sup id="r2"><a href="#n1">[1]</a></sup> Sells pumps.</p>""",
}


@pytest.mark.parametrize("back", SEVERAL_BACK)
@pytest.mark.parametrize("body", BODIES)
def test_a_note_with_several_links_back_leaves_the_text_in_its_section(
    body: str, back: str
) -> None:
    page = f"<h2>Facts</h2>{BODIES[body]}<p>Jones.</p><h2>References</h2>{SEVERAL_BACK[back]}"
    text = " ".join(outline(read(page, "a.html")))
    facts = text[: text.index("Jones.")]
    assert "Founded." in facts
    assert "Sells pumps." in facts
    assert facts.count("[^1]") == 2
    assert text.count("[^1] Smith") == 1
    assert text.count("[^") == 3 + (body == "behind another mark")


def test_a_named_reference_leaves_the_words_behind_another_mark_where_they_are() -> None:
    page = """<p>Founded.<sup id="cite_ref-Müller_1-0"><a href="#cite_note-Müller-1">[1]</a>
</sup></p><p>Sells pumps.<sup id="cite_ref-2"><a href="#cite_note-2">[2]</a></sup> 40 staff.<sup
id="cite_ref-Müller_1-1"><a href="#cite_note-Müller-1">[1]</a></sup></p><ol class="references">
<li id="cite_note-Müller-1"><span>^ <a
href="#cite_ref-M%C3%BCller_1-0"><sup><i><b>a</b></i></sup></a>
<a href="#cite_ref-M%C3%BCller_1-1"><sup><i><b>b</b></i></sup></a></span> Müller.</li>
<li id="cite_note-2"><b><a href="#cite_ref-2">^</a></b> Jones.</li></ol>"""
    assert outline(read(page, "a.html")) == [
        "paragraph: Founded.[^1]",
        "paragraph: Sells pumps.[^2] 40 staff.[^1]",
        "paragraph: [^1] Müller.",
        "paragraph: [^2] Jones.",
    ]


def test_blocks_that_links_in_a_note_lead_back_to_are_no_notes_where_its_marks_are_unknown() -> (
    None
):
    page = (
        "<p id=r1>Founded.<a href='#n1'>[1]</a></p><p id=r2>Sells pumps.<a href='#n1'>[1]</a></p>"
        "<p><span id=n1>[1]</span> Smith <sup><a href='#r1'>a</a></sup> "
        "<sup><a href='#r2'>b</a></sup></p>"
    )
    assert outline(read(page, "a.html")) == [
        "paragraph: Founded.[1]",
        "paragraph: Sells pumps.[1]",
        "paragraph: [1] Smith a b",
    ]


def test_marks_without_a_note_stay_apart_from_the_word() -> None:
    page = (
        "<p>Paid in 30 days<sup>2)</sup>, or<sup>4–6</sup> later<sup>1,3</sup>.</p>"
        "<p>2) Working days.</p>"
        "<p>On the 20<sup>th</sup> of May, M<sup>me</sup> Roy, see n<sup>o</sup> 4.</p>"
        "<table><tr><th>Max<sup><a href='#t1'>a</a></sup></th><th>Mean<sup>b</sup></th></tr>"
        "<tr><td>3</td><td>2</td></tr><tr><td id=t1><sup>a</sup> At noon.</td><td></td></tr>"
        "</table>"
    )
    lines = outline(read(page, "a.html"))
    assert lines[:3] == [
        "paragraph: Paid in 30 days²⁾, or⁴⁻⁶ later¹,³.",
        "paragraph: 2) Working days.",
        "paragraph: On the 20th of May, Mme Roy, see no 4.",
    ]
    assert lines[3].startswith("table: | Max a | Mean b |")
    assert "| a At noon. |" in lines[3]


def test_the_second_mark_of_a_note_by_markdown_it_is_a_mark() -> None:
    page = """<p>Founded.<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup>
Pumps.<sup class="footnote-ref"><a href="#fn1" id="fnref1:1">[1:1]</a></sup></p>
<section class="footnotes"><ol class="footnotes-list"><li id="fn1" class="footnote-item"><p>Smith.
<a href="#fnref1" class="footnote-backref">↩︎</a> <a href="#fnref1:1" class="footnote-backref">↩︎</a>
</p></li></ol></section>"""
    assert outline(read(page, "a.html")) == [
        "paragraph: Founded.[^1] Pumps.[^1]",
        "paragraph: [^1] Smith.",
    ]


CHAPTER = """<h2>{0}</h2><p>A claim.<sup><a href="#{0}1" id="{0}r1">1</a></sup></p>
<p>More.<sup><a href="#{0}2" id="{0}r2">2</a></sup></p>"""
NOTES = '<p id="{0}1"><sup>1</sup> First of {0}.</p><p id="{0}2"><sup>2</sup> Second of {0}.</p>'


@pytest.mark.parametrize("apart", [True, False])
def test_numbers_that_begin_anew_in_each_chapter_lead_to_the_notes_of_it(*, apart: bool) -> None:
    if apart:
        page = "".join(part.format(name) for name in "ab" for part in (CHAPTER, NOTES))
    else:
        page = "".join(part.format(name) for part in (CHAPTER, NOTES) for name in "ab")
    assert outline(read(page, "a.html")) == [
        "# a",
        "  paragraph: A claim.[^1]",
        "  paragraph: More.[^2]",
        "  paragraph: [^1] First of a.",
        "  paragraph: [^2] Second of a.",
        "# b",
        "  paragraph: A claim.[^3]",
        "  paragraph: More.[^4]",
        "  paragraph: [^3] First of b.",
        "  paragraph: [^4] Second of b.",
    ]


def test_chapters_with_the_same_names_or_without_links_have_their_own_notes() -> None:
    linked = (
        "<h2>{0}</h2><p>A claim.<sup><a href='#n1' id='r1'>1</a></sup></p>"
        "<p id='n1'><a href='#r1'>1</a> Note of {0}.</p>"
    )
    bare = "<h2>{0}</h2><p>A claim.<sup>1</sup></p><p><sup>1</sup> Note of {0}.</p>"
    for chapter in (linked, bare):
        lines = outline(read(chapter.format("a") + chapter.format("b"), "a.html"))
        assert lines[2] == "  paragraph: [^1] Note of a."
        assert lines[5] == "  paragraph: [^2] Note of b."


@pytest.mark.parametrize(("marks", "is_known"), [(1, True), (2, False)])
def test_numbers_without_links_mean_notes_at_the_end_in_order_or_none(
    marks: int, *, is_known: bool
) -> None:
    page = f"{'<p>First<sup>1</sup> claim.</p>' * marks}<p>Second<sup>1</sup> claim.</p>"
    page += "<p><sup>1</sup> Of part a.</p><p><sup>1</sup> Of part b.</p>"
    lines = outline(read(page, "a.html"))
    if is_known:
        assert lines == [
            "paragraph: First[^1] claim.",
            "paragraph: Second[^2] claim.",
            "paragraph: [^1] Of part a.",
            "paragraph: [^2] Of part b.",
        ]
    else:
        assert lines[3:] == ["paragraph: 1 Of part a.", "paragraph: 1 Of part b."]
        assert "[^" not in "".join(lines)


def test_a_page_that_shows_the_number_of_a_note_otherwise_keeps_both_apart() -> None:
    page = "<p>Write [^1] for it.<a href='#n' class=noteref>1</a></p><p id=n>1. In brackets.</p>"
    assert outline(read(page, "a.html")) == [
        "paragraph: Write [^1] for it.[^2]",
        "paragraph: [^2] In brackets.",
    ]


def test_a_note_that_nothing_refers_to_keeps_its_number_in_the_list() -> None:
    page = (
        "<p>A claim.<sup><a href='#n1'>1</a></sup></p>"
        "<ol><li id=n1>One.<li id=n2>Two, see <sup><a href='#n1'>1</a></sup>.</ol>"
    )
    assert outline(read(page, "a.html")) == [
        "paragraph: A claim.[^1]",
        "list: 2. Two, see [^1].",
        "paragraph: [^1] One.",
    ]


def test_a_note_inside_of_a_note_is_read_once() -> None:
    page = (
        "<p>A claim.<sup><a href='#n1'>1</a></sup></p>"
        "<div id=n1>One.<sup><a href='#n2'>2</a></sup><p id=n2>Two.</p></div>"
    )
    assert outline(read(page, "a.html")) == [
        "paragraph: A claim.[^1]",
        "paragraph: [^1] One.[^2]",
        "paragraph: [^2] Two.",
    ]


def test_notes_one_below_the_other_are_two() -> None:
    page = (
        "<p>A<a href='#n1'><sup>1</sup></a> claim.<a href='#n2'><sup>2</sup></a></p><div id=notes>"
        "<p><a name=n1></a>1 One.</p><p>More of one.</p><p><a name=n2></a>2 Two.</p></div>"
    )
    lines = outline(read(page, "a.html"))
    assert lines[-2:] == ["paragraph: [^1] One.", "paragraph: [^2] Two."]


def test_marks_behind_a_word_that_is_marked_up_begin_no_note() -> None:
    page = (
        "<p><b>A claim.</b> <sup>1</sup> It goes on.</p><p>B<sup><a href='#n1'>1</a>,"
        "<a href='#n2'>2</a></sup></p><p id=n1>1 One.</p><p id=n2>2 Two.</p>"
    )
    lines = outline(read(page, "a.html"))
    assert lines[0] == "paragraph: A claim. ¹ It goes on."
    assert lines[1] == "paragraph: B[^1],[^2]"


def test_a_raised_number_behind_another_one_is_no_power() -> None:
    page = "<p>Paid<sup>1</sup><sup>2</sup> in May.</p><p><sup>1</sup> A.</p><p><sup>2</sup> B.</p>"
    assert outline(read(page, "a.html"))[0] == "paragraph: Paid[^1][^2] in May."


def test_code_of_a_page_is_left_as_it_is() -> None:
    page = (
        "<p>A claim.<sup><a href='#n1'>1</a></sup> <code>x<sup>2</sup>[^1]</code></p>"
        "<pre>y = <a href='#n1' class=noteref>1</a>\nz = x<sup>2</sup></pre><p id=n1>1 One.</p>"
    )
    text = read(page, "a.html").text
    assert "x2[^1]" in text
    assert "y = 1\nz = x2" in text


def test_thousands_of_marks_and_notes_are_read() -> None:
    marks = "".join(f"<p>x<sup><a href='#n{n}' id=r{n}>{n % 9}</a></sup>" for n in range(9_000))
    notes = "".join(f"<li id=n{n}>Note {n}. <a href='#r{n}'>^</a>" for n in range(9_000))
    assert "Note 8999." in read(f"{marks}<ol>{notes}</ol>", "a.html").text


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("25<sup>1</sup><sup>,</sup><sup>2</sup>", "25¹,²"),
        ("25<sup>1</sup>,<sup>2</sup>", "25¹,²"),
        ("25<sup>1,2</sup>", "25¹,²"),
        ("25<sup>6</sup>.<sup>5</sup>", "25⁶.⁵"),
        ("5 m<sup>2</sup>.<sup>7</sup>", "5 m².⁷"),
        ("3,<sup>99</sup> € at 10:<sup>30</sup>", "3,⁹⁹ € at 10:³⁰"),
        ("in the yard.<sup>7</sup>", "in the yard.[^7]"),
        ("in (room 25.)<sup>7</sup>", "in (room 25.)[^7]"),
    ],
)
def test_raised_parts_of_a_number_are_no_marks_of_notes_that_are_not_there(
    source: str, written: str
) -> None:
    assert read(f"<p>It is {source}</p>", "a.html").text == f"It is {written}"
