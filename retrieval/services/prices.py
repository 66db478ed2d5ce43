"""What a call of a model cost, at the prices that the operator gave for it."""

from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings

from retrieval.llm.chat import Usage
from retrieval.models import LanguageModel

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """Of a million tokens, in the site's currency; None is unknown."""

    prompt: Decimal | None
    completion: Decimal | None
    cached: Decimal | None = None


def cost_of(model: str, usage: Usage) -> Decimal | None:
    """Return the cost of a call of the model with this name, in the open transaction.

    None where tokens or prices are unknown. Prompt tokens are taken as not cached where nobody
    told: then it is the most that the call can have cost.
    """
    prices = _prices(model)
    if prices.prompt is None or prices.completion is None:
        return None
    if usage.prompt is None or usage.completion is None:
        return None
    cached = min(usage.cached or 0, usage.prompt)
    at_cache = prices.prompt if prices.cached is None else prices.cached
    total = (
        (usage.prompt - cached) * prices.prompt
        + cached * at_cache
        + usage.completion * prices.completion
    )
    return (total / MILLION).quantize(Decimal("0.000001"))


def _prices(model: str) -> Prices:
    """Return the prices of the tenant's model, else those of the installation's."""
    own = LanguageModel.objects.filter(name=model).first()
    if own is not None:
        return Prices(own.price_prompt, own.price_completion, own.price_cached)
    if model not in (settings.LLM_MODEL, settings.LLM_VISION_MODEL):
        return Prices(None, None)
    return Prices(_price(settings.PRICE_INPUT_PER_MTOK), _price(settings.PRICE_OUTPUT_PER_MTOK))


def _price(setting: float | None) -> Decimal | None:
    return None if setting is None else Decimal(str(setting))
