"""A document with several good hits comes first."""

from hypothesis import given
from hypothesis import strategies as st

from retrieval.ranking import Scored, score_fusion, with_document_prior

HITS = score_fusion(
    [[Scored("stray/1", 9.0), Scored("rules/1", 8.9), Scored("rules/2", 8), Scored("rules/3", 0)]]
)


def document_of(id: str) -> str:
    return id.split("/")[0]


def test_a_document_with_three_good_hits_passes_a_stray() -> None:
    assert HITS[0].id == "stray/1"
    assert with_document_prior(HITS, document_of)[0].id == "rules/1"


def test_only_the_three_best_hits_of_a_document_lift_it() -> None:
    legs = [[Scored(f"rules/{number}", 9.0 - number) for number in range(9)]]
    fused = score_fusion(legs)
    lifted = with_document_prior(fused, document_of, weight=1)
    mean = sum(hit.score for hit in fused[:3]) / 3
    assert lifted[0].score == fused[0].score + mean


def test_what_the_legs_said_stays() -> None:
    before = {hit.id: (hit.ranks, hit.scores) for hit in HITS}
    after = {hit.id: (hit.ranks, hit.scores) for hit in with_document_prior(HITS, document_of)}
    assert after == before


def test_no_weight_changes_nothing_and_no_hits_give_none() -> None:
    assert with_document_prior(HITS, document_of, weight=0) == HITS
    assert with_document_prior([], document_of) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10), st.floats(0, 2))
def test_inside_one_document_the_order_stays(scores: list[float], weight: float) -> None:
    ranking = [Scored(f"only/{at}", score) for at, score in enumerate(sorted(scores, reverse=True))]
    fused = score_fusion([ranking])
    lifted = with_document_prior(fused, document_of, weight=weight)
    assert [hit.id for hit in lifted] == [hit.id for hit in fused]
