"""Documents that a question calls by their name: "In the Travel Policy 2024, who approves ...?"."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from retrieval.ranking.fusion import Fused, Id

# Scripts without spaces are read character by character.
_WORD = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]|[^\W_\u0e00-\u0eff\u3040-\u9fff]+")
_JOINED_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[А-ЯЁ]?[а-яё]+")
# Measured: a lift of .8 puts documents named in passing before better ones.
SINGLED_OUT_BONUS = 0.5
SHARED_NAME_BONUS = 0.3
FIRST_BONUS = 2.0
"""More than any score without it."""
_SENTENCE_BEGINS = re.compile(r"(?:\A|[.?!:;\n]|\d[.)])[\s\"'„“”«»(\[*–—-]*\Z")
_WITHIN_PHRASE = " -‐–&/"
_EMPTY_QUOTES = re.compile(r"[\"“”„«(\[']\s*[\"“”»)\]']")


@dataclass(frozen=True, slots=True)
class NamedDocuments(Generic[Id]):
    """The documents that a question names and the question without their names.

    Those in `singled_out` are named by what no other document is called. `rest` is the whole
    question where no document is named or nothing else would be left.
    """

    documents: frozenset[Id]
    rest: str
    singled_out: frozenset[Id] = frozenset()


def named_documents(question: str, names: Iterable[tuple[Id, str]]) -> NamedDocuments[Id]:
    """Which of the documents the question names.

    `names` are pairs of a document and what it is called; a document may have several (its title,
    its file name without the suffix). A name counts when all its words stand in the question in
    a row, whatever the case and punctuation, the longest first; a name of one word only when it
    has a digit or three characters of a script without spaces, since `oxygen` in a question is
    seldom a document's name. A part of a name counts when it is a word with a capital (`Consider
    Kerber's agreement`) that is in the names of one document alone, be it in `KerberAgreement`,
    and most of the capitalised words it stands among are in names too: `Boxing Gas Supply` is no
    document called `Supply`.

    Inside the named documents `rest` finds the passage: a title in front of every passage and in
    the question drowns the words that tell passages apart
    (docs/decisions/0002-retrieval-ranking.md).
    """
    found = list(_WORD.finditer(question))
    folded = tuple(match[0].casefold() for match in found)
    phrases = _capitalised(question, found)
    capitals = {word for phrase in phrases for word in phrase}
    called: defaultdict[tuple[str, ...], set[Id]] = defaultdict(set)
    parts: defaultdict[tuple[str, ...], set[Id]] = defaultdict(set)
    for document, name in names:
        words = tuple(match[0].casefold() for match in _WORD.finditer(name))
        if _tells(words):
            called[words].add(document)
        for word in capitals and capitals.intersection([*words, *_joined(name)]):
            parts[word,].add(document)
    for phrase in phrases:
        if 2 * sum((word,) in parts for word in phrase) > len(phrase):
            called |= {(word,): parts[word,] for word in phrase if len(parts[word,]) == 1}
    return _without_names(question, found, folded, called)


def _without_names(
    question: str,
    found: Sequence[re.Match[str]],
    folded: tuple[str, ...],
    called: Mapping[tuple[str, ...], set[Id]],
) -> NamedDocuments[Id]:
    longest = max(map(len, called), default=0)
    documents: set[Id] = set()
    singled_out: set[Id] = set()
    rest, kept_from, at = "", 0, 0
    while at < len(folded):
        length = _longest_name(folded, at, longest, called)
        if length:
            own = called[folded[at : at + length]]
            documents |= own
            singled_out |= own if len(own) == 1 else set()
            rest += question[kept_from : found[at].start()] + " "
            kept_from = found[at + length - 1].end()
        at += max(1, length)
    rest = " ".join(_EMPTY_QUOTES.sub(" ", rest + question[kept_from:]).split())
    return NamedDocuments(
        frozenset(documents), rest if _WORD.search(rest) else question, frozenset(singled_out)
    )


def _joined(name: str) -> list[str]:
    """Return the words of a name that are only told apart by their capitals."""
    return [match[0].casefold() for match in _JOINED_WORD.finditer(name)]


def _capitalised(question: str, found: Sequence[re.Match[str]]) -> list[list[str]]:
    """Return the words that are spelt like names, those beside each other together.

    None where all words have a capital: then it tells nothing.
    """
    if all(match[0][0].isupper() for match in found):
        return []
    phrases: list[list[str]] = []
    end = None
    for match in found:
        if not _is_name(match):
            continue
        if end is None or question[end : match.start()].strip(_WITHIN_PHRASE):
            phrases.append([])
        phrases[-1].append(match[0].casefold())
        end = match.end()
    return phrases


def _is_name(word: re.Match[str]) -> bool:
    """Return whether a word is spelt like a name: a capital not only because a sentence begins."""
    if any(map(str.isupper, word[0][1:])):
        return True
    begins = _SENTENCE_BEGINS.search(word.string, max(0, word.start() - 20), word.start())
    return len(word[0]) > 1 and word[0][0].isupper() and not begins


def is_telling(name: str) -> bool:
    """Return whether a name that stands in a text is likely to mean the document."""
    return _tells(tuple(_WORD.findall(name)))


def _tells(words: tuple[str, ...]) -> bool:
    if len(words) == 1:
        return len(words[0]) > 3 and any(char.isdigit() for char in words[0])
    return len(words) > 2 or len("".join(words)) > 2


def _longest_name(
    folded: tuple[str, ...], at: int, longest: int, called: Mapping[tuple[str, ...], set[Id]]
) -> int:
    for length in range(min(longest, len(folded) - at), 0, -1):
        if folded[at : at + length] in called:
            return length
    return 0


def with_named_documents(
    hits: Sequence[Fused[Id]],
    inside: Sequence[Fused[Id]],
    document_of: Callable[[Id], Hashable],
    singled_out: Collection[Hashable] = (),
    *,
    first: int = 0,
) -> list[Fused[Id]]:
    """The hits with those of named documents ordered by `inside` and lifted, best first.

    `hits` are found by the whole question anywhere; `inside` by `rest` in the named documents
    only, fused in the same way. A document keeps the scores it has among the hits, but its
    passages take them in the order of `inside`: a name in passing (Berlin, a person) then costs
    little, and one document that is asked about is ordered by what is asked. Passages that only
    `inside` knows follow with the document's lowest score. Documents that are singled out rise
    more than those that share their name, and their best ``first`` passages above all others.
    Nothing changes without `inside`.
    """
    kept = {hit.id: hit for hit in inside} | {hit.id: hit for hit in hits}
    passages: defaultdict[Hashable, dict[Id, None]] = defaultdict(dict)
    scores: defaultdict[Hashable, list[float]] = defaultdict(list)
    for hit in inside:
        passages[document_of(hit.id)][hit.id] = None
    for hit in hits:
        scores[document_of(hit.id)].append(hit.score)
        if document_of(hit.id) in passages:
            passages[document_of(hit.id)][hit.id] = None
    result = [hit for hit in hits if document_of(hit.id) not in passages]
    for document, ordered in passages.items():
        taken = sorted(scores[document], reverse=True) or [0.0]
        taken += taken[-1:] * (len(ordered) - len(taken))
        bonus = SINGLED_OUT_BONUS if document in singled_out else SHARED_NAME_BONUS
        result += [
            replace(kept[id], score=score + bonus)
            for id, score in zip(ordered, taken, strict=False)
        ]
    result.sort(key=lambda hit: -hit.score)
    leading = [hit for hit in result if document_of(hit.id) in singled_out][:first]
    ahead = {hit.id for hit in leading}
    return [
        *(replace(hit, score=hit.score + FIRST_BONUS) for hit in leading),
        *(hit for hit in result if hit.id not in ahead),
    ]
