"""What became of a cited passage: where it stands in the current version, if it does."""

from dataclasses import dataclass

from django.db.models import Q

from knowledge.ingest.tree import Span
from knowledge.models import Document, Node


@dataclass(frozen=True, slots=True)
class Continuation:
    """The leaf of the current version that goes on from a cited one.

    `is_same` if its text is the same; otherwise it stands at the same place with another text.
    `first` is the ordinal from which the document page shows it, `ordinal` its own.
    """

    ordinal: int
    first: int
    is_same: bool


def continuation_of(document: Document, version_id: int, span: Span) -> Continuation | None:
    """Return where the leaf at a span of an earlier version goes on, None if nowhere.

    Two queries. Of several leaves with the text the one at the old place is taken, else the first.
    """
    cited = (
        Node.objects.filter(version=version_id)
        .leaves()
        .overlapping(span.start, span.end)
        .order_by("ordinal")
        .values_list("path", "content_hash")
        .first()
    )
    if cited is None or document.current_version_id is None:
        return None
    path, content_hash = cited
    candidates = (
        Node.objects.filter(version=document.current_version_id)
        .leaves()
        .filter(Q(content_hash=content_hash) | Q(path=path))
        .order_by("ordinal")
        .values_list("ordinal", "path", "content_hash", "parent__ordinal")
    )
    found = sorted(candidates, key=lambda row: (row[2] != content_hash, row[1] != path, row[0]))
    if not found:
        return None
    ordinal, _, digest, parent = found[0]
    # A leaf far down in a long section is not in the part of the text that starts with it.
    first = parent if ordinal - parent < 20 else ordinal
    return Continuation(ordinal, first, is_same=digest == content_hash)
