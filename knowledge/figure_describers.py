"""Who describes figures: set by the app that knows language models; knowledge imports none.

Without one, a figure is known by its caption alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from knowledge.models import KnowledgeBase


@dataclass(frozen=True, slots=True)
class FigureView:
    """What a describer is shown: the picture, the words near it, where it stands."""

    data: bytes
    media_type: str
    caption: str
    headings: tuple[str, ...]
    language: str


class NotDescribed(RuntimeError):
    """No description came; `is_final` where asking again would not help."""

    def __init__(self, message: str, *, is_final: bool) -> None:
        super().__init__(message)
        self.is_final = is_final


class FigureDescriber(Protocol):
    """A model that sees; what it spends is its base's tenant's."""

    @property
    def name(self) -> str:
        """The model's name, stored beside what it writes."""
        ...

    def describe(self, figure: FigureView) -> str:
        """Return what the picture shows, never ''. Raises NotDescribed."""
        ...


DescriberFactory = Callable[[KnowledgeBase], FigureDescriber | None]


def _nobody(base: KnowledgeBase) -> FigureDescriber | None:
    return None


_factory: DescriberFactory = _nobody


def set_describers(factory: DescriberFactory) -> None:
    """Let `factory` decide from now on who describes in this process."""
    global _factory
    _factory = factory


def describer_for(base: KnowledgeBase) -> FigureDescriber | None:
    """Return the model that describes the base's figures, None if there is none."""
    return _factory(base)
