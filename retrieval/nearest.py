"""The passages that came nearest when nothing answered a question, as links into the documents.

A run stores them as headings, "document title > section > ...". A link is found again by these,
since the document may have a later version by the time it is looked at, or be gone.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse

from accounts.models import Tenant
from knowledge.ingest.tree import NodeKind
from knowledge.models import Document, KnowledgeBase, Node

SEPARATOR = " > "


@dataclass(frozen=True, slots=True)
class Nearest:
    """Headings of a passage; `url` is '' when no document has them any more."""

    headings: str
    url: str = ""


def nearest_links(
    base: KnowledgeBase, tenant: Tenant, headings: Collection[str]
) -> dict[str, Nearest]:
    """Return each of `headings` with its link, in two queries; in none if there are none."""
    if not headings:
        return {}
    parts = {text: text.split(SEPARATOR) for text in headings}
    ready = Document.objects.ready().filter(base=base)
    documents = {
        document.title: document
        for document in ready.filter(title__in={titles[0] for titles in parts.values()})
    }
    sections = Node.objects.filter(
        version__in=[document.current_version_id for document in documents.values()],
        kind=NodeKind.SECTION,
        title__in={titles[-1] for titles in parts.values()},
    ).values_list("version_id", "title", "ordinal")
    ordinals: dict[tuple[int | None, str], int] = {
        (version, title): ordinal for version, title, ordinal in sections
    }
    links = {}
    for text, titles in parts.items():
        document = documents.get(titles[0])
        url = ""
        if document is not None:
            url = reverse("document", args=[tenant.slug, base.slug, document.pk])
            ordinal = ordinals.get((document.current_version_id, titles[-1]))
            url += f"?from={ordinal}#n{ordinal}" if ordinal is not None else ""
        links[text] = Nearest(text, url)
    return links
