"""A slice of tests/fuzz_parsers.py, which does the same with ten thousand inputs."""

from itertools import islice

from tests.fuzz_parsers import damaged, fuzz, samples


def test_damaged_files_end_in_a_verdict_and_leave_nothing() -> None:
    tally = fuzz(seed=1, count=120)
    assert sum(tally.verdicts.values()) == 120
    assert (tally.readers_lost, tally.overdue, tally.left) == (0, 0, [])
    assert tally.crashed == {}


def test_a_seed_gives_the_same_inputs_however_many_are_asked_for() -> None:
    assert list(damaged(3, 10)) == list(islice(damaged(3, 50), 10))
    assert {name.partition("/")[0] for name in samples()} >= {"text", "docx"}
