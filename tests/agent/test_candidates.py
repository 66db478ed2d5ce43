"""What can be quoted: sentences, rows under their headers, lines of code with their comment."""

from retrieval.agent.candidates import candidates_of
from retrieval.agent.tables import readable_row
from tests.agent.evidence_factories import block, context, leaf

TABLE = leaf("| Tier | Limit (EUR) |\n|---|---|\n| A | 165 |\n| B | 130 |", kind="table", start=50)


def shown(*leaves):
    return [one.shown for one in candidates_of(context(block(1, leaves)))]


def test_every_candidate_is_the_text_at_its_place():
    leaves = [leaf("One here. **Two** there.", start=10), TABLE]
    for one in candidates_of(context(block(1, leaves))):
        offset = one.leaf.start
        assert one.text == one.leaf.text[one.start - offset : one.end - offset]


def test_a_row_is_shown_with_its_headers_and_quoted_as_it_is_written():
    rows = candidates_of(context(block(1, [TABLE])))
    assert [row.shown for row in rows] == ["Tier: A; Limit (EUR): 165", "Tier: B; Limit (EUR): 130"]
    assert rows[1].text == "| B | 130 |"


def test_a_row_of_a_clipped_table_keeps_its_headers():
    start, end = TABLE.sentences[1]
    assert shown(TABLE.clipped(start, end)) == ["Tier: B; Limit (EUR): 130"]


def test_a_table_without_a_rule_or_bars_is_shown_as_it_is():
    assert readable_row(leaf("| a | b |"), "| a | b |") == "a; b"
    assert readable_row(leaf("Cloud   4 hours"), "Cloud   4 hours") == "Cloud 4 hours"


def test_bars_inside_a_cell_do_not_divide_it():
    table = leaf("| Key | Use |\n|---|---|\n| a \\| b | both |", kind="table")
    assert readable_row(table, "| a \\| b | both |") == "Key: a | b; Use: both"


def test_markup_is_not_shown():
    assert shown(leaf("See **the `rate`** in [the list](http://x.example).")) == [
        "See the rate in the list."
    ]


def test_list_items_are_quoted_without_their_marks():
    text = "- Minibar, films\n- Upgrades"
    items = leaf(text, kind="list")
    spans = ((0, 16), (17, 27))
    items = items.__class__(**{**_fields(items), "sentences": spans})
    assert [one.text for one in candidates_of(context(block(1, [items])))] == [
        "Minibar, films",
        "Upgrades",
    ]


def test_a_line_of_code_comes_with_the_comment_above_it():
    text = "```\n# every 15 minutes\nslctl set interval 15m\nslctl start\n```"
    code = leaf(text, kind="code")
    lines = ((4, 22), (23, 45), (46, 57))
    code = code.__class__(**{**_fields(code), "sentences": lines})
    assert shown(code) == ["# every 15 minutes\nslctl set interval 15m", "slctl start"]


def test_a_leaf_without_sentences_is_one_candidate_and_a_rule_is_none():
    assert shown(leaf("!!!", start=5)) == []
    figure = leaf("Figure 1: the meter", kind="figure")
    assert shown(figure.__class__(**{**_fields(figure), "sentences": ()})) == [
        "Figure 1: the meter"
    ]


def _fields(one):
    return {name: getattr(one, name) for name in one.__slots__}
