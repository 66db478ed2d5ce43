"""Slugs, paths and addresses."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.ingest.paths import (
    InvalidUri,
    Uri,
    format_uri,
    is_ancestor,
    parent_path,
    parse_uri,
    subtree_bounds,
)
from knowledge.ingest.slugs import MAX_LENGTH, SiblingNames, is_slug, slug

LEAF_NAMES = [f"{letter}{number}" for letter in "ptfcs" for number in (1, 5, 12)]
PATHS = st.lists(st.text(alphabet="ab0-й", min_size=1, max_size=3), max_size=4).map("/".join)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Getting Started!", "getting-started"),
        ("Общие положения", "общие-положения"),
        ("第一章 总则", "第一章-总则"),
        ("A/B & C", "a-b-c"),
        ("🎉🎉", "section"),
        ("", "section"),
        ("P3", "p3-section"),
        ("c5", "c5-section"),
        ("Straße", "strasse"),
        ("cafe\u0301", "café"),
        ("می‌کنیم", "میکنیم"),
        ("../..", "section"),
    ],
)
def test_titles_become_readable_components(title: str, expected: str) -> None:
    assert slug(title) == expected


@given(st.text(max_size=200))
def test_every_title_has_a_slug_that_is_a_valid_component(title: str) -> None:
    name = slug(title)
    assert is_slug(name)
    assert "/" not in name
    assert name not in LEAF_NAMES
    assert len(name) <= MAX_LENGTH + len("-section")
    assert unicodedata.normalize("NFC", name) == name
    assert slug(name) == name
    assert parse_uri(format_uri("base", "document", name)).path == name


@given(st.lists(st.sampled_from(["a", "a-2", "A", "", "a 2", "P1", "b"]), max_size=30))
def test_siblings_get_different_names(titles: list[str]) -> None:
    names = SiblingNames()
    claimed = [names.claim(title) for title in titles]
    assert len(set(claimed)) == len(titles)
    assert all(is_slug(name) for name in claimed)


def test_ten_thousand_equal_titles_are_numbered() -> None:
    names = SiblingNames()
    assert [names.claim("A") for _ in range(10_000)][-1] == "a-10000"


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("kb://hr", Uri("hr")),
        ("kb://hr/", Uri("hr")),
        ("kb://hr/handbook", Uri("hr", "handbook")),
        ("kb://hr/handbook/leave/p3", Uri("hr", "handbook", "leave/p3")),
        ("kb://hr/handbook/leave/p3/s2", Uri("hr", "handbook", "leave/p3/s2")),
        ("kb://hr/handbook/c5", Uri("hr", "handbook", "c5")),
        ("kb://hr/handbook/.abstract", Uri("hr", "handbook", ".abstract")),
        ("kb://hr/%D0%B4%D0%BE%D0%BC/t1", Uri("hr", "дом", "t1")),
    ],
)
def test_addresses_are_read(uri: str, expected: Uri) -> None:
    assert parse_uri(uri) == expected


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "kb://",
        "hr/handbook",
        "http://hr/handbook",
        "kb://hr//handbook",
        "kb://hr/../other",
        "kb://hr/a b",
        "kb://hr/a%2Fb",
        "kb://hr/a\x00b",
        "kb://hr/%FF",
        "kb://hr/cafe\u0301",
        "kb://hr/p3",
        "kb://p3/handbook",
        "kb://hr/handbook/p3/leave",
        "kb://hr/handbook/p0",
        "kb://hr/handbook/s2",
        "kb://hr/handbook/c5/s2",
        "kb://hr/handbook/.abstract/p1",
        "kb://hr/.abstract",
        "kb://hr/*",
        "kb://hr/" + "a" * 300,
        "kb://hr/" + "a/" * 100,
    ],
)
def test_malformed_addresses_are_errors(uri: str) -> None:
    with pytest.raises(InvalidUri):
        parse_uri(uri)


def test_a_prefix_of_a_component_is_no_ancestor() -> None:
    assert is_ancestor("a", "a/b")
    assert is_ancestor("", "a")
    assert not is_ancestor("a", "ab")
    assert not is_ancestor("a", "a")
    assert not is_ancestor("", "")


@given(PATHS.filter(bool), PATHS)
def test_the_bounds_hold_exactly_the_subtree(top: str, path: str) -> None:
    equal, low, high = subtree_bounds(top)
    # Code points of the basic plane and their UTF-8 bytes are ordered alike, COLLATE "C".
    inside = path.encode() == equal.encode() or low.encode() <= path.encode() < high.encode()
    assert inside == (path == top or is_ancestor(top, path))


@pytest.mark.parametrize("path", ["", "/", "/a", "a/"])
def test_no_bounds_mean_everything(path: str) -> None:
    with pytest.raises(InvalidUri):
        subtree_bounds(path)


def test_the_parent_of_a_top_path_is_the_document() -> None:
    assert parent_path("a/b/p1") == "a/b"
    assert parent_path("a") == ""
