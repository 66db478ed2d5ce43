"""Which tags of a Markdown file count as HTML, and what becomes of those that do."""

from __future__ import annotations

import pytest

from tests.ingest.trees import outline, read

_PLACES = ["{}\n", "- {}\n", "> {}\n", "# {}\n", "| a |\n|---|\n| {} |\n"]


@pytest.mark.parametrize("place", _PLACES)
@pytest.mark.parametrize("tag", ["</img>", "</wbr>", "<img alt=''></img>", "<img src=x></img>"])
def test_the_end_of_an_empty_element_says_nothing(place: str, tag: str) -> None:
    assert read(place.format(f"It opens{tag} at nine.")).text == place.format("It opens at nine.")


@pytest.mark.parametrize("place", _PLACES)
def test_a_picture_that_is_closed_keeps_its_words(place: str) -> None:
    source = place.format("See <img alt='the chart'></img> here.")
    assert read(source).text == place.format("See the chart here.")


def test_a_picture_that_is_closed_is_a_figure() -> None:
    assert outline(read("<img alt=Chart></img>\n")) == ["figure: Chart"]


def test_the_end_of_a_break_is_a_break() -> None:
    assert read("Main Street 1</br>8010 Graz\n").text == "Main Street 1\n8010 Graz\n"
