"""What lies at or below a path, for every model that has one."""

from django.db.models import Q

from knowledge.ingest.paths import subtree_bounds


def under_path(path: str) -> Q:
    """Return the condition for `path` and everything below it, one range of a b-tree.

    Raises InvalidUri for the empty path.
    """
    here, low, high = subtree_bounds(path)
    return Q(path=here) | Q(path__gte=low, path__lt=high)
