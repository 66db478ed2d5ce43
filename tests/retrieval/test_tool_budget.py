"""What a toolbox spends is told, and no more than it was given."""

from __future__ import annotations

import pytest

from knowledge.ingest.tokens import count_tokens
from retrieval.tools import Toolbox, finding
from tests.retrieval.conftest import Library


def test_a_call_when_the_budget_is_spent_says_so_and_does_nothing(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = Toolbox(library.toolbox().scope, budget=60)
    while box.spent < 60:
        box.read("kb://handbook/handbook/hours/p1")
    monkeypatch.setattr(finding, "search_items", lambda *args: pytest.fail("was called"))
    result = box.search("office")
    assert (result.items, result.left) == ((), 0)
    assert "budget of tokens is spent" in result.text


def test_a_result_is_cut_to_what_is_left_of_the_budget(library: Library) -> None:
    whole = library.toolbox().search("office")
    assert len(whole.items) > 1
    box = Toolbox(library.toolbox().scope, budget=whole.spent - 1)
    result = box.search("office")
    assert 0 < len(result.items) < len(whole.items)
    assert result.spent <= whole.spent - 1
    assert f"of {len(whole.items)} fit the budget" in result.text


def test_a_text_larger_than_the_budget_is_refused_with_its_size(library: Library) -> None:
    box = Toolbox(library.toolbox().scope, budget=5)
    result = box.read("kb://handbook/handbook/hours/p1")
    assert result.items == ()
    assert "5 are left" in result.error


def test_every_result_states_what_it_cost_and_what_is_left(library: Library) -> None:
    box = library.toolbox(budget=200)
    spent = 0
    for result in (box.search("office"), box.list("nowhere"), box.grep("zzz"), box.list()):
        body, _, line = result.text.rpartition("\n")
        assert result.spent == count_tokens(body)
        spent += result.spent
        assert result.left == max(0, 200 - spent)
        assert line == f"[{result.spent} tokens, {result.left} left]"
    assert box.spent == spent
    unlimited = library.toolbox().list()
    assert unlimited.left is None
    assert unlimited.text.endswith(f"[{unlimited.spent} tokens]")
