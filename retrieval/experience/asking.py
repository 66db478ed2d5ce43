"""What kind of answer a question asks for: a person, a time, a reason, yes or no."""

from __future__ import annotations

from retrieval.agent.constraints import AnswerType, constraints_of
from retrieval.experience.lexicon import pattern, word_list

_WORDS = word_list("asking")
_OPEN = pattern(_WORDS.pop("open"))
_POLITE = pattern(_WORDS.pop("polite"))
# What stands first in an English question is a verb: in German, "was" is what.
_VERB_FIRST = pattern(_WORDS["yes or no"].pop("en"))
_YES_NO = pattern(_WORDS.pop("yes or no"))
_KINDS = {kind: pattern(words) for kind, words in _WORDS.items()}
_OF_MONEY = frozenset(["price", "how many", "how"])


def answers_asked(question: str, language: str) -> frozenset[str]:
    """Return the kinds of answer that would do; none when the question does not tell.

    Kinds are who, where, when, how long, how often, price, how many, why, how, which and yes or
    no. The words that stand first decide: "who is told when ..." asks who. An open "what" may ask
    how as well: "what is to be done", "what are the steps".
    """
    decided = _YES_NO.search(question) or (language == "en" and _VERB_FIRST.search(question))
    if decided and not _POLITE.search(question):
        return frozenset({"yes or no"})
    matches = {kind: found for kind, one in _KINDS.items() if (found := one.search(question))}
    first = min((found.start() for found in matches.values()), default=0)
    kinds = {kind for kind, found in matches.items() if found.start() == first}
    if kinds <= _OF_MONEY and constraints_of(question).answer_type is AnswerType.MONEY:
        return frozenset({"price"})
    if not kinds:
        if _OPEN.search(question):
            return frozenset({"which", "how"})
        return frozenset({"yes or no"} if question.rstrip().endswith(("?", "？")) else ())
    if "how often" in kinds:
        return frozenset({"how often"})
    return frozenset(kinds - {"price"} if "how long" in kinds else kinds)


def without_asking(question: str) -> str:
    """Return ``question`` without the words that ask, for a language that is written unspaced."""
    for words in (_POLITE, _YES_NO, *_KINDS.values(), _OPEN):
        question = words.sub(" ", question)
    return question
