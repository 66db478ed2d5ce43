"""Taking turns at the processors: few compute at once, and nobody waits for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from retrieval.services.computing import Turns

FAR_S = 30.0


@contextmanager
def threads(count: int, target: Callable[[], None]) -> Iterator[None]:
    started = [threading.Thread(target=target) for _ in range(count)]
    for thread in started:
        thread.start()
    try:
        yield
    finally:
        for thread in started:
            thread.join()


def test_only_so_many_compute_at_once_and_all_come_to_it() -> None:
    turns, counting = Turns(at_once=2, patience_s=FAR_S), threading.Condition()
    at_it: list[int] = []
    now = 0

    def compute() -> None:
        nonlocal now
        with turns.taken():
            with counting:
                now += 1
                at_it.append(now)
                counting.notify_all()
                assert counting.wait_for(lambda: now == 2 or len(at_it) > 2, FAR_S)
            with counting:
                now -= 1

    with threads(6, compute):
        pass
    assert len(at_it) == 6
    assert max(at_it) == 2


def test_who_begins_to_wait_for_a_model_lets_another_compute() -> None:
    turns, answered, other = Turns(at_once=1, patience_s=FAR_S), threading.Event(), []

    def compute() -> None:
        with turns.taken():
            other.append("computed")
            answered.set()

    with turns.taken(), threads(1, compute):
        turns.give_back()
        assert answered.wait(FAR_S)
        with turns.taken():
            assert other == ["computed"]


def test_a_turn_holds_for_what_is_done_within_it_and_is_over_with_it() -> None:
    turns, computed = Turns(at_once=1, patience_s=FAR_S), threading.Event()
    with turns.taken(), turns.taken():
        pass

    def compute() -> None:
        with turns.taken():
            computed.set()

    with threads(1, compute):
        assert computed.wait(FAR_S)


def test_who_waited_for_long_goes_on_though_another_hangs() -> None:
    turns, gone_on = Turns(at_once=1, patience_s=0.01), threading.Event()

    def compute() -> None:
        with turns.taken():
            gone_on.set()

    with turns.taken(), threads(1, compute):
        assert gone_on.wait(FAR_S)


def test_who_has_gone_on_without_a_turn_waits_for_none_within_it() -> None:
    turns, done = Turns(at_once=1, patience_s=0.5), threading.Event()

    def compute() -> None:
        with turns.taken():
            for _ in range(100):
                with turns.taken():
                    pass
        done.set()

    with turns.taken(), threads(1, compute):
        assert done.wait(FAR_S)
