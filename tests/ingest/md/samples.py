"""Small Markdown files made for the tests, one fault each, with what it must become."""

from __future__ import annotations

SAMPLES: dict[str, tuple[str, list[str]]] = {
    "breaks": (
        "Main Street 1<br>8010 Graz<br/>\nAustria <br> Europe\n",
        ["paragraph: Main Street 1 8010 Graz Austria Europe"],
    ),
    "breaks_in_cells": (
        "| a | b |\n|---|---|\n| x<br>y | <b>1</b> |\n| `<br>` | H<sub>2</sub>O |\n",
        ["table: | a | b | |---|---| | x y | 1 | | `<br>` | H₂O |"],
    ),
    "row_of_tags_alone": (
        "| a |\n|---|\n| x |\n<i></i>\n\nEnd.\n",
        ["table: | a | |---| | x |", "paragraph: End."],
    ),
    "comments": (
        "Seen <!-- hidden --> text.\n<!-- alone -->\nLast.\n\n"
        "<!-- a\n\nblock -->\n\n## H <!-- x -->\n\nEnd.\n",
        ["paragraph: Seen text.", "paragraph: Last.", "# H", "  paragraph: End."],
    ),
    "comment_that_nothing_closes": (
        "Seen.\n\n<!-- open\n\n# H\n\nMore.\n",
        ["paragraph: Seen.", "paragraph: <!-- open # H More."],
    ),
    "hidden_element_that_nothing_closes": (
        "<template id=x>\n\n<p>Seen.</p>\n",
        ["paragraph: <template id=x>", "paragraph: Seen."],
    ),
    "tags_in_a_line": (
        "Press <kbd>Ctrl</kbd>, H<sub>2</sub>O, 10<sup>6</sup>, <a href='x'>the <b>page</b></a>, "
        "see <img src=a alt='a chart'>.\n",
        ["paragraph: Press Ctrl, H₂O, 10⁶, the page, see a chart."],
    ),
    "tag_over_two_lines": (
        "See <a\nhref='x'>the link</a> and <b>two\nlines</b>.\n",
        ["paragraph: See the link and two lines."],
    ),
    "no_tags": (
        "Below <5 mg, a < b > c, List<String>, <name>, <https://x.org>, run <title> or <b>.\n",
        [
            "paragraph: Below <5 mg, a < b > c, List<String>, <name>, <https://x.org>, run <title>"
            " or <b>."
        ],
    ),
    "placeholder_on_a_line": (
        "<your-name>\n\nYes.\n",
        ["paragraph: <your-name>", "paragraph: Yes."],
    ),
    "code": (
        "Use `<b>x</b>` or \\<b>y</b> and \\<!-- z -->.\n\n```\n<b>c</b>\n```\n\n    <i>d</i>\n",
        [
            "paragraph: Use `<b>x</b>` or \\<b>y</b> and \\<!-- z -->.",
            "code: ``` <b>c</b> ```",
            "code: <i>d</i>",
        ],
    ),
    "table": (
        "# A\n\nOne.\n\n<table>\n<tr><th>Item</th><th>Price</th></tr>\n"
        "<tr><td>Pump</td><td>&lt; 6</td></tr>\n</table>\n\n# B\n\nTwo.\n",
        [
            "# A",
            "  paragraph: One.",
            "  table: | Item | Price | | --- | --- | | Pump | < 6 |",
            "# B",
            "  paragraph: Two.",
        ],
    ),
    "table_with_blank_lines": (
        "<table>\n\n<tr><th>a</th><th>b</th></tr>\n\n<tr><td>c</td><td>d</td></tr>\n\n</table>\n",
        ["table: | a | b | | --- | --- | | c | d |"],
    ),
    "table_with_markdown_in_its_cells": (
        "<table>\n<tr>\n<th>Tier</th>\n<th>Price</th>\n</tr>\n<tr>\n<td>\n\n**Gold**\n\n</td>\n"
        "<td>\n\n`<90>` EUR\n\n- a year\n- net\n\n</td>\n</tr>\n<tr><td>Silver</td>\n<td>\n\n"
        "~~~\nprice: 50\n~~~\n\n</td></tr>\n</table>\n\nEnd.\n",
        [
            "table: | Tier | Price | | --- | --- | | Gold | <90> EUR; a year; net |"
            " | Silver | price: 50 |",
            "paragraph: End.",
        ],
    ),
    "table_that_lays_sections_out": (
        "<table><tr><td>\n\n## One\n\nHere.\n\n</td>\n"
        "<td>\n\n## Two\n\nThere.\n\n</td></tr></table>\n",
        ["# One", "  paragraph: Here.", "# Two", "  paragraph: There."],
    ),
    "details": (
        "<details>\n<summary>More</summary>\n\nThe **rest**.\n\n- x\n\n</details>\n\nEnd.\n",
        ["paragraph: More", "paragraph: The **rest**.", "list: - x", "paragraph: End."],
    ),
    "centred_head": (
        '<p align="center">\n  <img src="l.png" alt="A pump">\n</p>\n\n'
        '<h1 align="center">Tool</h1>\n\n'
        "<p align=center>A <b>fast</b> one.</p>\n\n## Use\n\nRun.\n",
        ["figure: A pump", "paragraph: A fast one.", "# Use", "  paragraph: Run."],
    ),
    "pictures_in_links": (
        "<a href=x><img src=a alt='One'></a> <img src=b alt='Two'>\n\n<img src=c>\n",
        ["figure: One", "figure: Two"],
    ),
    "scripts": (
        "One <script>evil()</script>two.\n\n<script>evil()</script>\n<style>x{}</style>\n\n"
        "<div hidden>hidden</div>\n\nAnd <span style='display:none'>hidden</span> seen.\n",
        ["paragraph: One two.", "paragraph: And seen."],
    ),
    "words_that_look_like_markdown": (
        "<div>\n# no heading\n- no item &lt;script&gt;\n</div>\n\n# A\n\nText.\n\n# B\n",
        ["paragraph: # no heading - no item <script>", "# A", "  paragraph: Text.", "# B"],
    ),
    "block_right_above_text": (
        "Above.\n<pre>\n  if (a &lt; b)\n    x\n</pre>\nBelow.\n",
        ["paragraph: Above.", "code: if (a < b) x", "paragraph: Below."],
    ),
    "in_a_list": (
        "- one <b>x</b><br>y\n- two <!-- c -->\n\n"
        "  <table><tr><th>a<th>b</tr><tr><td>c<td>d</tr></table>\n- <details>three</details>\n",
        ["list: - one x y - two | a | b | | --- | --- | | c | d | - three"],
    ),
    "in_a_quotation": (
        "> one <b>x</b>\n> <!-- c -->\n> two\n>\n> <div>\n> three\n> </div>\n",
        ["paragraph: > one x > two > > three"],
    ),
    "in_a_note": (
        "A claim.[^1]\n\n[^1]: See <i>there</i><br>below.\n",
        ["paragraph: A claim.[^1]", "paragraph: [^1] See there below."],
    ),
    "notes_of_both_kinds": (
        "A claim.<sup>1</sup> Another.[^1]\n\n[^1]: One.\n\n"
        "<p>More<sup><a href='#f'>1</a></sup>.</p><p id=f>1 Two.</p>\n",
        [
            "paragraph: A claim.¹ Another.[^1]",
            "paragraph: More[^2].",
            "paragraph: [^2] Two.",
            "paragraph: [^1] One.",
        ],
    ),
    "note_in_a_quotation": (
        "> Quoted.[^1]\n>\n> [^1]: The source.\n",
        ["paragraph: > Quoted.[^1]", "paragraph: [^1] The source."],
    ),
}
