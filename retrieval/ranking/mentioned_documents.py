"""Documents that a text calls by their name: "... as the Travel Policy 2024 says"."""

import re
from collections import defaultdict
from collections.abc import Iterable

from retrieval.ranking.fusion import Id
from retrieval.ranking.named_documents import is_telling

_ASIDE = re.compile(r"\s*\([^()]*\)\s*\Z")
"""What tells namesakes apart, which texts leave out: "Mike Perry (DJ)"."""
MOST_NAMESAKES = 3


def mentioned_documents(text: str, names: Iterable[tuple[Id, str]]) -> frozenset[Id]:
    """Return the documents whose name stands in the text, whatever the case.

    ``names`` are as for `named_documents`, and one of a single word counts as little. A name that
    more than `MOST_NAMESAKES` documents share tells none of them.
    """
    folded = _folded(text)
    called: defaultdict[str, set[Id]] = defaultdict(set)
    for document, name in names:
        plain = _folded(_ASIDE.sub("", name))
        if plain and plain in folded:
            called[plain].add(document)
    kept = [
        documents
        for name, documents in called.items()
        if len(documents) <= MOST_NAMESAKES and is_telling(name) and _stands_in(name, folded)
    ]
    return frozenset().union(*kept)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _stands_in(name: str, text: str) -> bool:
    """Whether the name is no part of a longer word; scripts without spaces have no such end."""
    before = r"(?<![^\W\u0e00-\u0eff\u3040-\u9fff])" if name[0].isalnum() else ""
    after = r"(?![^\W\u0e00-\u0eff\u3040-\u9fff])" if name[-1].isalnum() else ""
    return re.search(before + re.escape(name) + after, text) is not None
