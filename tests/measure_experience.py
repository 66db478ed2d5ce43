"""python -m tests.measure_experience: how far apart paraphrases, traps and other questions are.

The pairs of tests/experience/pairs.jsonl are embedded as queries with the bundled model. Printed
for each language: the cosines of paraphrases, of near-duplicate traps and of unrelated questions
(each question of a paraphrase with those of all others), and at several values of tau how many
fire by cosine alone and with slots.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from knowledge.embedding.bundled import BundledEmbedder
from retrieval.experience import Slots, agree, tau_of
from tests.experience.pairs import LANGUAGES, Pair, pairs

TAUS = (0.8, 0.84, 0.86, 0.88, 0.9, 0.92, 0.94)
PARAPHRASE, TRAP, UNRELATED = "paraphrases", "traps", "unrelated"


@dataclass(frozen=True, slots=True)
class Measured:
    """A pair's cosine, and whether its slots agree."""

    language: str
    kind: str
    cosine: float
    agrees: bool


def main() -> int:
    embedder = BundledEmbedder()
    measured = list(_measure(embedder))
    print(
        "cosine      "
        + "  ".join(f"{name:>5}" for name in ("least", "5 %", "half", "95 %", "most"))
    )
    for language in LANGUAGES:
        for kind in (PARAPHRASE, TRAP, UNRELATED):
            cosines = [
                one.cosine for one in measured if (one.language, one.kind) == (language, kind)
            ]
            row = "  ".join(
                f"{value:5.3f}" for value in np.quantile(cosines, [0, 0.05, 0.5, 0.95, 1])
            )
            print(f"{language} {kind:11} {row}  of {len(cosines)}")
    print("\ntau   " + "".join(f"{kind:>26}" for kind in (PARAPHRASE, TRAP, UNRELATED)))
    for tau in TAUS:
        print(f"{tau:.2f}  " + "".join(_firing(measured, kind, tau) for kind in _KINDS))
    tau = tau_of(embedder.name)
    print(f"\nat tau {tau}, firing by cosine and slots")
    for language in LANGUAGES:
        own = [one for one in measured if one.language == language]
        print(f"{language}    " + "".join(_firing(own, kind, tau) for kind in _KINDS))
    return int(any(one.kind == TRAP and one.agrees and one.cosine >= tau for one in measured))


_KINDS = (PARAPHRASE, TRAP, UNRELATED)


def _measure(embedder: BundledEmbedder) -> Iterable[Measured]:
    asked: dict[str, list[tuple[Slots, np.ndarray]]] = {language: [] for language in LANGUAGES}
    for pair in pairs():
        one, other = pair.slots()
        first, second = embedder.query(pair.one), embedder.query(pair.other)
        kind = TRAP if pair.is_trap else PARAPHRASE
        yield Measured(pair.language, kind, float(first @ second), not agree(one, other))
        if not pair.is_trap and _first_of_its_subject(pair):
            asked[pair.language].append((one, first))
    for language, questions in asked.items():
        for at, (slots, vector) in enumerate(questions):
            for other_slots, other_vector in questions[:at]:
                cosine = float(vector @ other_vector)
                yield Measured(language, UNRELATED, cosine, not agree(slots, other_slots))


def _first_of_its_subject(pair: Pair) -> bool:
    """Return whether no pair before it asks the same: traps and paraphrases share questions."""
    before = [one for one in pairs() if not one.is_trap and one.language == pair.language]
    return next(one for one in before if one.one == pair.one) == pair


def _firing(measured: Sequence[Measured], kind: str, tau: float) -> str:
    own = [one for one in measured if one.kind == kind]
    near = [one for one in own if one.cosine >= tau]
    both = sum(one.agrees for one in near)
    return f"{f'{len(near)} > {both} of {len(own)}':>26}"


if __name__ == "__main__":
    sys.exit(main())
