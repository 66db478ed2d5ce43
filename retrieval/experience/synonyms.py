"""Words of working life that stand for each other in questions."""

from __future__ import annotations

from knowledge.lexical import terms
from retrieval.experience.lexicon import word_list

_CANONICAL = {
    term: f"={number}"
    for number, group in enumerate(word_list("synonyms")["groups"])
    for language, words in group.items()
    for word in words.split()
    for term in terms(word, language)[:1]
}


def canonical_word(term: str) -> str:
    """Return one name for all terms of `knowledge.lexical` that mean the same, else the term."""
    return _CANONICAL.get(term, term)
