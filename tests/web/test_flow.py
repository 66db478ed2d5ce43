"""Plain text as it is shown: wrapped prose flows, what was broken on purpose keeps its lines."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.ingest.tree import NodeKind, Span
from knowledge.reading.flow import flowed
from knowledge.reading.leaves import Markup, leaf_html

PROSE = (
    "Trips within the country need the approval of the team lead. Trips abroad need the approval\n"
    "of the head of department at least ten working days before departure. Trips that cost more\n"
    "than 3,500 euros also need the approval of the managing director."
)
CHINESE = (
    "公司实行每周五天工作制，每天工作八小时。上班时间为上午九点至下午六点，午休一小时，\n"
    "员工工作满一年后享有带薪年假十天，工作满十年的员工享有带薪年假十五天，年假须提前两周\n"
    "申请。"
)
KEPT = {
    "verse": "Of all the rivers that I ever crossed, the widest one was mine,\n"
    "And all the boats that ever sailed, they sailed in front of me,\n"
    "And every ferryman I met, he asked me for a sign of life,\n"
    "But none of them would tell me how the morning was to be.",
    "sentences": "Orders of ten machines or more get a discount of eight per cent.\n"
    "Accessories never do.",
    "address": "Brio GmbH\nLange Gasse 12\n1080 Wien",
    "list": "- one thing that is needed for the journey on the river to the sea\n- another",
    "table": "Room            Seats     Price of a day for guests who come in\n"
    "Aurora          8         120 euros and the same for all others",
    "tabs": "Room\tSeats of the room on the ground floor beside the lift\nAurora\t8",
    "code": "result = first_of_the_rows(connection, statement, parameters);\nreturn result;",
    "rule": "Something that is underlined with a rule from side to side\n" + "-" * 58,
    "keys and values": "Name of the contact: Dr. Maria Theresia Huber-Schmid the second\n"
    "Telephone in business hours: +43 1 234 56 78 extension 90",
    "a wrapped value": "Name of the firm: Brio Maschinenbau Gesellschaft mbH of\n"
    "the city of Vienna, founded a long time ago by the family\n"
    "Place: Lange Gasse 12, second floor, door number seventeen",
    "Chinese keys": "联系人姓名：王小明先生，公司总部人力资源部门的高级经理以及负责人\n"
    "联系电话：零一零一二三四五六七八，工作日上午九点至下午五点之间可以拨打",
    "a long address": "Institute of Mechanical Engineering and Production\n"
    "Faculty of Engineering, University of the Danube City\n1080 Wien",
    "two short lines": "One line\ntwo lines.",
    "an early end": "The first line ends early here.\n" + PROSE.replace("\n", " ")[:120],
}


def shown(text: str) -> str:
    return "".join(flowed(text))


def test_wrapped_prose_flows() -> None:
    assert shown(PROSE) == PROSE.replace("\n", " ")


def test_prose_with_an_indent_flows_without_it() -> None:
    assert shown(PROSE.replace("\n", "\n    ")) == PROSE.replace("\n", " ")


def test_chinese_flows_without_spaces() -> None:
    assert shown(CHINESE) == CHINESE.replace("\n", "")


def test_a_word_cut_at_its_hyphen_gets_no_space() -> None:
    text = "We have looked for a plan that would hold for many years, a long-\nterm one."
    assert shown(text).endswith("a long-term one.")


def test_items_stay_apart_and_their_wrapped_lines_flow() -> None:
    items = "- " + PROSE.replace("\n", "\n  ") + "\n- Another item."
    assert shown(items) == f"- {PROSE.replace(chr(10), ' ')}\n- Another item."


@pytest.mark.parametrize("name", KEPT)
def test_what_was_broken_on_purpose_keeps_its_lines(name: str) -> None:
    assert shown(KEPT[name]) == KEPT[name]


def test_prose_with_a_colon_in_it_flows() -> None:
    text = (
        "Note: what is said here about the trips of staff holds for the guests of the company and\n"
        "their families as well, with one exception: those who pay for themselves are free to go\n"
        "wherever they like. There is a rule for these cases: nobody pays twice, and nobody pays\n"
        "for others: the one who asks for a trip is the one who pays for it, whatever the reason."
    )
    assert shown(text) == text.replace("\n", " ")


@pytest.mark.parametrize("unit", [" ", "{ ", "a   ", "`", "a:", "- ", "a\n"])
def test_long_lines_take_time_in_proportion(unit: str) -> None:
    text = f"a{unit * (200_000 // len(unit))}\nb"
    assert shown(text).endswith("b")


@given(st.text(alphabet="aB 中-.\n\t", max_size=300))
def test_only_white_space_is_ever_shown_differently(text: str) -> None:
    parts = flowed(text)
    assert len(parts) == len(text)
    assert all(part == letter or (letter.isspace() and part in ("", " "))
               for part, letter in zip(parts, text, strict=True))  # fmt: skip


def test_a_quote_over_a_wrapped_line_is_marked_exactly() -> None:
    quote = "need the approval\nof the head of department"
    start = PROSE.index(quote)
    html = leaf_html(NodeKind.PARAGRAPH, PROSE, Markup.PLAIN, Span(start, start + len(quote)))
    assert re.findall("<mark>(.*?)</mark>", html, re.DOTALL) == [quote.replace("\n", " ")]
    assert "\n" not in html


def test_code_keeps_its_lines_whatever_their_lengths() -> None:
    assert PROSE in leaf_html(NodeKind.CODE, PROSE, Markup.PLAIN)
