"""What a run may spend."""

import pytest

from retrieval.agent.budget import Budget, BudgetExhausted


def test_a_call_that_does_not_fit_is_refused():
    budget = Budget(tokens=5_000, final_reserve=1_000)
    held = budget.reserve(3_000)
    with pytest.raises(BudgetExhausted, match="tokens"):
        budget.reserve(2_000)
    budget.settle(held, 500)
    assert budget.left() == 3_500
    budget.reserve(3_500)


def test_the_reserve_is_there_for_the_final_call_alone():
    budget = Budget(tokens=2_000, final_reserve=1_500)
    with pytest.raises(BudgetExhausted):
        budget.reserve(1_000)
    assert budget.reserve(1_000, final=True) == 1_000


def test_a_use_that_nobody_counted_keeps_its_reservation():
    budget = Budget(tokens=10_000, final_reserve=0)
    budget.settle(budget.reserve(4_000), None)
    assert budget.spent == 4_000


def test_calls_are_limited():
    budget = Budget(calls=1)
    budget.settle(budget.reserve(10), 10)
    with pytest.raises(BudgetExhausted, match="calls"):
        budget.reserve(10)


def test_the_last_of_several_calls_is_there_for_the_final_one():
    budget = Budget(calls=2)
    budget.reserve(10)
    with pytest.raises(BudgetExhausted, match="calls"):
        budget.reserve(10)
    budget.reserve(10, final=True)
    with pytest.raises(BudgetExhausted, match="calls"):
        budget.reserve(10, final=True)


def test_time_is_limited():
    budget = Budget(seconds=-1.0)
    with pytest.raises(BudgetExhausted, match="time"):
        budget.reserve(10)
    assert budget.seconds_left() == 0


def test_without_limits_everything_fits():
    budget = Budget()
    budget.settle(budget.reserve(10**9), 10**9)
    assert budget.left() is None
    assert budget.seconds_left() is None
