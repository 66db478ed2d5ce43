"""Several rankings made one."""

from collections.abc import Sequence
from typing import Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ranking import Fused, Ranking, Scored, reciprocal_rank_fusion, score_fusion
from retrieval.ranking.fusion import Id


class Fuse(Protocol):
    def __call__(
        self, rankings: list[Ranking[int]], *, weights: list[float] | None = None
    ) -> list[Fused[int]]: ...


RANKING = st.lists(
    st.tuples(st.integers(0, 20), st.floats(-5, 5)), unique_by=lambda hit: hit[0], max_size=12
).map(lambda hits: [Scored(id, score) for id, score in sorted(hits, key=lambda hit: -hit[1])])
DENSE = [Scored("a", 0.91), Scored("b", 0.90), Scored("c", 0.71)]
LEXICAL = [Scored("c", 30.0), Scored("b", 21.0), Scored("d", 3.0)]


def order(hits: Sequence[Fused[Id]]) -> list[Id]:
    return [hit.id for hit in hits]


def test_reciprocal_ranks_add_up() -> None:
    fused = reciprocal_rank_fusion([DENSE, LEXICAL], weights=[1, 1])
    scores = {hit.id: hit.score for hit in fused}
    assert scores["b"] == pytest.approx(1 / 62 + 1 / 62)
    assert scores["c"] == pytest.approx(1 / 63 + 1 / 61)
    assert scores["d"] == pytest.approx(1 / 63)
    assert order(fused) == ["c", "b", "a", "d"]


def test_score_fusion_hears_how_much_better_a_hit_is() -> None:
    fused = score_fusion([DENSE, LEXICAL])
    assert fused[0].id == "b"
    assert fused[0].score == pytest.approx((0.19 / 0.20 + 18 / 27) / 2)


def test_a_fused_hit_tells_what_each_leg_had_said() -> None:
    fused = {hit.id: hit for hit in score_fusion([DENSE, LEXICAL])}
    assert fused["c"].ranks == (3, 1)
    assert fused["c"].scores == (0.71, 30.0)
    assert fused["d"].ranks == (None, 3)
    assert fused["d"].scores == (None, 3.0)


@pytest.mark.parametrize("fuse", [reciprocal_rank_fusion, score_fusion])
class TestBoth:
    @given(rankings=st.lists(RANKING, max_size=4))
    def test_every_hit_is_there_once_and_in_order_of_its_score(
        self, fuse: Fuse, rankings: list[Ranking[int]]
    ) -> None:
        fused = fuse(rankings)
        assert sorted(order(fused)) == sorted({hit.id for leg in rankings for hit in leg})
        assert [hit.score for hit in fused] == sorted((hit.score for hit in fused), reverse=True)

    @given(ranking=RANKING)
    def test_one_leg_keeps_its_order(self, fuse: Fuse, ranking: Ranking[int]) -> None:
        assert order(fuse([ranking])) == [hit.id for hit in ranking]

    @given(ranking=RANKING)
    def test_an_empty_leg_changes_no_order(self, fuse: Fuse, ranking: Ranking[int]) -> None:
        assert order(fuse([ranking, []])) == [hit.id for hit in ranking]

    @given(left=RANKING, right=RANKING)
    def test_a_leg_without_weight_adds_its_hits_behind_those_of_the_others(
        self, fuse: Fuse, left: Ranking[int], right: Ranking[int]
    ) -> None:
        fused = fuse([left, right], weights=[1, 0])
        scores = {hit.id: hit.score for hit in fused}
        assert all(scores[hit.id] == 0 for hit in right if hit.id not in {h.id for h in left})

    def test_no_rankings_give_no_hits(self, fuse: Fuse) -> None:
        assert fuse([]) == []

    def test_each_ranking_needs_a_weight(self, fuse: Fuse) -> None:
        with pytest.raises(ValueError, match="1 weights for 2 rankings"):
            fuse([[], []], weights=[1])


@given(ranking=RANKING, factor=st.floats(0.5, 100), shift=st.floats(-50, 50))
def test_score_fusion_does_not_depend_on_the_scale_of_a_leg(
    ranking: Ranking[int], factor: float, shift: float
) -> None:
    moved = [Scored(hit.id, round(hit.score, 2) * factor + shift) for hit in ranking]
    plain = [Scored(hit.id, round(hit.score, 2)) for hit in ranking]
    for left, right in zip(score_fusion([moved]), score_fusion([plain]), strict=True):
        assert left.score == pytest.approx(right.score, abs=1e-6)


def test_equal_scores_are_all_best() -> None:
    fused = score_fusion([[Scored("a", 2.0), Scored("b", 2.0)]])
    assert [hit.score for hit in fused] == [1.0, 1.0]
