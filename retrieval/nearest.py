"""The passages that came nearest when nothing answered a question, as links into the documents.

The document may have a later version by the time a link is looked at, or be gone: it leads to the
section of the current version that stands at the same path, else to the document, else nowhere.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse

from accounts.models import Tenant
from knowledge.models import Document, KnowledgeBase, Node
from retrieval.agent.events import Nearest


@dataclass(frozen=True, slots=True)
class NearestLink:
    """Headings of a passage; `url` is '' when its document cannot be read in the base any more."""

    headings: str
    url: str = ""


def nearest_links(
    base: KnowledgeBase, tenant: Tenant, passages: Collection[Nearest]
) -> dict[Nearest, NearestLink]:
    """Return each of `passages` with its link, in two queries; in none if there are none."""
    if not passages:
        return {}
    versions = dict(
        Document.objects.ready()
        .filter(base=base, pk__in={passage.document_id for passage in passages})
        .values_list("pk", "current_version")
    )
    ordinals = {
        (version, path): ordinal
        for version, path, ordinal in Node.objects.filter(
            version__in=versions.values(), path__in={passage.path for passage in passages}
        ).values_list("version", "path", "ordinal")
    }
    links = {}
    for passage in passages:
        url, version = "", versions.get(passage.document_id)
        if version is not None:
            url = reverse("document", args=[tenant.slug, base.slug, passage.document_id])
            # 0 is the document itself, whose page starts there anyway.
            if ordinal := ordinals.get((version, passage.path)):
                url += f"?from={ordinal}#n{ordinal}"
        links[passage] = NearestLink(passage.headings, url)
    return links
