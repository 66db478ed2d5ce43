"""From the features of a sentence to one number, and how high it must be to be quoted.

Where the constants come from: docs/decisions/0004-extractive-reasoner.md.
"""

from __future__ import annotations

from retrieval.agent.features import Features

SUFFICIENT = 4.75
"""The relevance from which the best sentence of a question is taken for an answer."""

UNSHARED = 1.75
"""What a sentence loses when next to nothing of the question is in it, its leaf or its headings.

Other words may ask for the same thing, but then the likeness has to be beyond doubt.
"""

WHOLE = 1.0
"""What a sentence gains that holds every word of the question itself, two and more."""


def preliminary(features: Features) -> float:
    """Return the relevance as far as words tell it: higher is better."""
    shared = 1.5 * features.own + features.near + 1.5 * features.place + 3 * features.amount
    # What contradicts the question outweighs any likeness: last year's rate reads like this year's.
    conflict = 2 * (1 - features.kind) + 3 * (1 - features.year) + 3 * (1 - features.code)
    return shared - conflict


def relevance(features: Features) -> float:
    """Return how well the sentence answers the question: 0 for a stray hit, 12 for its words."""
    likeness = 3 * features.under + 4 * features.alone + 0.7 * features.around
    words = WHOLE * features.is_whole - UNSHARED * (not features.shared)
    return preliminary(features) + likeness + words


def answers(features: Features) -> bool:
    """Return whether the best sentence of a question is good enough to be quoted."""
    return not features.contradicts and relevance(features) >= SUFFICIENT
