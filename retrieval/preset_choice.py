"""Which preset a question is answered by: its own choice, the conversation's, the base's, or ours.

"" stands for no choice, all the way down to `automatic`: what fits the models there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import Tenant
from knowledge.models import KnowledgeBase
from retrieval.agent.presets import DEFAULT_PRESET, IN_WORDS, PRESETS, WITHOUT_MODEL
from retrieval.model_resolver import has_model

NO_MODEL = (
    "The other presets need a language model, and none is set up for {tenant}. Answers are "
    "sentences quoted from the documents."
)
UNKNOWN = "There is no preset called {name}; there are {names}."
NEEDS_MODEL = "The preset {name} needs a language model, and none is set up. Choose naive instead."


class PresetRefused(ValueError):
    """The preset cannot be chosen; the message says why."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A preset that can be chosen; ``name`` is '' for no choice, ``words`` say what it does."""

    name: str
    label: str
    words: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What a page offers; ``why_not`` says why there is nothing to choose, '' where there is."""

    offers: tuple[Offer, ...]
    chosen: str
    why_not: str = ""


def automatic(tenant: Tenant | int) -> str:
    """Return the preset of questions that nobody chose one for."""
    return DEFAULT_PRESET if has_model(tenant) else WITHOUT_MODEL


def preset_require(tenant: Tenant | int, name: str) -> None:
    """Raise PresetRefused if the tenant's questions cannot be answered by a preset."""
    if name not in PRESETS:
        raise PresetRefused(UNKNOWN.format(name=repr(name[:40]), names=", ".join(IN_WORDS)))
    if PRESETS[name].needs_model and not has_model(tenant):
        raise PresetRefused(NEEDS_MODEL.format(name=name))


def preset_of(tenant: Tenant | int, *names: str) -> str:
    """Return the first of the names that is a choice, else the automatic one.

    A choice that needs a model that is gone by now counts as none: a question is still answered.
    """
    return _first(automatic(tenant), names)


def in_words(name: str) -> str:
    """Return a preset with what it does, as a line below an answer."""
    words = IN_WORDS.get(name)
    return f"Preset {name}: {words}" if words else f"Preset {name}"


def choice_for_question(tenant: Tenant, base: KnowledgeBase, chosen: str) -> Choice:
    """Return what a question to a base can be answered by; first, as the base is set."""
    fits = automatic(tenant)
    preset = _first(fits, (base.preset,))
    return _choice(tenant, fits, Offer("", preset.capitalize(), "as this base is set"), chosen)


def choice_for_base(tenant: Tenant, base: KnowledgeBase) -> Choice:
    """Return what a base's questions can be answered by; first, what fits the models."""
    fits = automatic(tenant)
    first = Offer("", "Automatic", f"{fits} for now, as fits the models that are set up")
    return _choice(tenant, fits, first, base.preset)


def _first(fits: str, names: Sequence[str]) -> str:
    named = next((name for name in names if name in PRESETS), fits)
    return fits if fits == WITHOUT_MODEL else named


def _choice(tenant: Tenant, fits: str, first: Offer, chosen: str) -> Choice:
    if fits == WITHOUT_MODEL:
        return Choice((first,), "", NO_MODEL.format(tenant=tenant))
    offers = (Offer(name, name.capitalize(), words) for name, words in IN_WORDS.items())
    return Choice((first, *offers), chosen)
