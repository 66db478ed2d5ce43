"""What plain-text files become."""

from __future__ import annotations

import pytest

from tests.ingest.trees import outline, read


def lines_of(source: str) -> list[str]:
    return outline(read(source, "file.txt"))


def test_numbered_headings_nest_by_their_numbers() -> None:
    assert lines_of(
        "1. Scope\n\nx\n\n1.1 Who is covered\nYou.\n\n1.1.1 Staff\n\nz\n\n2. Fees\n\nw\n"
    ) == [
        "# 1. Scope",
        "  paragraph: x",
        "  # 1.1 Who is covered",
        "    paragraph: You.",
        "    # 1.1.1 Staff",
        "      paragraph: z",
        "# 2. Fees",
        "  paragraph: w",
    ]


def test_a_title_in_capitals_names_the_document_when_nothing_equals_it() -> None:
    document = read("HANDBOOK\n\n1. Scope\n\nx\n\n2. Fees\n\ny\n", "file.txt")
    assert document.title == "HANDBOOK"
    assert outline(document) == ["# 1. Scope", "  paragraph: x", "# 2. Fees", "  paragraph: y"]


def test_capitals_and_underlines_make_headings() -> None:
    assert lines_of("GENERAL TERMS\n\nx\n\nPRICES:\n\ny\n") == [
        "# GENERAL TERMS",
        "  paragraph: x",
        "# PRICES",
        "  paragraph: y",
    ]
    assert lines_of("One\n===\nx\n\nTwo\n---\ny\n\n===\nSix\n===\n\nz\n\nTen\n===\n") == [
        "# One",
        "  paragraph: x",
        "  # Two",
        "    paragraph: y",
        "    # Six",
        "      paragraph: z",
        "# Ten",
    ]


def test_lettered_and_named_headings() -> None:
    source = "Chapter 1. Start\n\nx\n\nA.3 Annexed things\n\ny\n\nAppendix B\n\nz\n"
    assert lines_of(source) == [
        "# Chapter 1. Start",
        "  paragraph: x",
        "  # A.3 Annexed things",
        "    paragraph: y",
        "# Appendix B",
        "  paragraph: z",
    ]


def test_russian_headings_and_clauses() -> None:
    assert lines_of(
        "1. Общие положения\n\n1.1. Настоящий договор действует.\n1.2. Он хорош.\n\n"
        "Статья 5. Ответственность\n\nНет.\n"
    ) == [
        "# 1. Общие положения",
        "  list: 1.1. Настоящий договор действует. 1.2. Он хорош.",
        "  # Статья 5. Ответственность",
        "    paragraph: Нет.",
    ]


def test_chinese_headings_need_no_blank_lines() -> None:
    source = (
        "第一章 总则\n　　第一条 为了规范管理，制定本办法。\n第二章 考勤\n"
        "一、工作时间\n每天八小时。\n二、休假\n员工享有年假。\n"
    )
    assert lines_of(source) == [
        "# 第一章 总则",
        "  paragraph: 第一条 为了规范管理，制定本办法。",
        "# 第二章 考勤",
        "  # 一、工作时间",
        "    paragraph: 每天八小时。",
        "  # 二、休假",
        "    paragraph: 员工享有年假。",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "1. Apples\n2. Pears\n3. Plums\n",
        "1. Apples\n\n2. Pears\n\n3. Plums\n",
        "Buy these:\n\n1. Apples\n\nand nothing else.\n",
        "1. Open the door and let the cat out.\n",
        "1. Take the key\nfrom the desk.\n",
        "1. Intro ........ 3\n2. Terms ........ 7\n",
        "1. Apples\n2. Pears. They are nice.\n\n3. Plums\n",
        "12 Monkeys\n\nA film.\n",
        "3.5 million people came\n\nand went.\n",
        "12.05.21 Meeting\n\nWe met.\n",
        "2021 Annual Report\n\nA year.\n",
        "SELECT NAME FROM USERS\n\nis a query.\n",
        "X = COMPUTE(Y);\n\nis code.\n",
        "    LOAD ACCUMULATOR\n\nis code.\n",
        "THIS WHOLE NOTICE\nIS IN CAPITALS\n",
        "Name   Age\n----------\nBob    3\n",
        "Chapter 3 describes the rules.\n",
        "Section 5 applies to all staff.\n",
        "第一条 为了规范公司管理，制定本办法。\n",
        "一、苹果\n二、梨\n",
        "----------\n\nJust a rule.\n",
    ],
)
def test_what_only_looks_like_a_heading_is_none(source: str) -> None:
    assert not [line for line in lines_of(source) if line.lstrip().startswith("#")]


def test_a_text_mostly_in_capitals_has_no_headings_in_capitals() -> None:
    source = "\n\n".join(["NOTICE TO STAFF", "BRING YOUR KEYS", "CLOSE THE DOORS"] * 3)
    assert not [line for line in lines_of(source) if line.startswith("#")]


def test_blank_lines_part_paragraphs_and_a_list_is_one_leaf() -> None:
    assert lines_of("One\nstill one.\n\nTwo:\n- a\n- b\n\n- c\n\nThree.\n") == [
        "paragraph: One still one.",
        "paragraph: Two:",
        "list: - a - b - c",
        "paragraph: Three.",
    ]


def test_lines_too_long_to_be_wrapped_are_paragraphs_of_their_own() -> None:
    long = "A sentence that nobody wrapped by hand goes on. " * 5
    assert len(lines_of(f"{long}\n{long}\n{long}\n")) == 3


def test_a_log_without_blank_lines_is_cut_at_line_ends() -> None:
    document = read("2024-01-01 10:00:00 INFO started\n" * 1_000, "server.txt")
    leaves = list(document.root.leaves())
    assert 5 < len(leaves) < 20
    assert all(leaf.span.of(document.text).endswith("started") for leaf in leaves)
