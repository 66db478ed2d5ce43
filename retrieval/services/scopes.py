"""Who asks, and of what: resolved strictly, before anything is searched.

Errors, all ScopeError with a sentence for the person or model that gave the address:
UnknownBase, UnknownAddress (also for a malformed one; never read as "everything").
Absent and forbidden give the same sentence.
"""

from dataclasses import dataclass

from accounts.models import Membership
from knowledge.ingest.paths import InvalidUri, Uri, format_uri, parse_uri
from knowledge.models import KnowledgeBase
from knowledge.models.bases import KnowledgeBaseQuerySet
from retrieval.services.places import abstract_of, is_folder, place_at


class ScopeError(ValueError):
    """The address cannot be used; the message says why."""


class UnknownBase(ScopeError):
    """There is no such base, or the reader may not see it."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"There is no knowledge base {slug}.")


class UnknownAddress(ScopeError):
    """The address is malformed, or nothing the reader may see stands there."""


@dataclass(frozen=True, slots=True)
class Reader:
    """On whose behalf: a member, or (membership None) the operator at the command line."""

    tenant_id: int
    membership: Membership | None = None

    def bases(self) -> KnowledgeBaseQuerySet:
        """The bases this reader may see, in an open transaction of the tenant."""
        if self.membership is None:
            return KnowledgeBase.objects.all()
        return KnowledgeBase.objects.visible_to(self.membership)

    def may_see(self, base: KnowledgeBase) -> bool:
        """Return whether a base, as it was just read, is one of `bases`."""
        return self.membership is None or base.is_visible_to(self.membership)


@dataclass(frozen=True, slots=True)
class Scope:
    """A base and a path below it; the path '' is the whole base."""

    reader: Reader
    base: KnowledgeBase
    path: str = ""

    @property
    def uri(self) -> str:
        return uri_of(self.base, self.path)


def uri_of(base: KnowledgeBase, path: str) -> str:
    """Return the address of a path in a base."""
    document, _, rest = path.partition("/")
    return format_uri(base.slug, document, rest)


def base_scope(reader: Reader, slug: str) -> Scope:
    """Return the scope of a whole base, in an open transaction. Raises UnknownBase."""
    base = reader.bases().filter(slug=slug).first()
    if base is None:
        raise UnknownBase(slug)
    return Scope(reader, base)


def base_of(scope: Scope) -> KnowledgeBase:
    """Return the scope's base as it is now, in an open transaction.

    Raises UnknownBase when it was deleted or its reader may not see it (any more): a scope is
    made by a caller, and may be older than a change of access.
    """
    base = KnowledgeBase.objects.filter(pk=scope.base.pk).first()
    if base is None or not scope.reader.may_see(base):
        raise UnknownBase(scope.base.slug)
    return base


def scope_narrow(scope: Scope, uri: str) -> Scope:
    """Return the part of `scope` at an address, in an open transaction.

    '' is the scope itself. Raises UnknownAddress, also for an address outside of the scope, and
    UnknownBase when the reader may not see the scope's base.
    """
    base_of(scope)
    if not uri:
        return scope
    address = _parse(uri)
    path = "/".join(part for part in (address.document, address.path) if part)
    inside = not scope.path or path == scope.path or path.startswith(f"{scope.path}/")
    if address.kb != scope.base.slug or not inside or not _exists(scope.base, path):
        raise UnknownAddress(f"There is nothing at {uri[:200]}.")
    return Scope(scope.reader, scope.base, path)


def _exists(base: KnowledgeBase, path: str) -> bool:
    if not path or place_at(base, path) is not None or is_folder(base, path):
        return True
    return abstract_of(base, path) is not None


def _parse(uri: str) -> Uri:
    try:
        return parse_uri(uri)
    except InvalidUri as error:
        raise UnknownAddress(f"{error}.") from error
