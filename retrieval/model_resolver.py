"""Which language models work for a company: its own, else those of the installation.

Its own are rows that operators keep in the admin; the installation's are CAIRN_LLM_*.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings

from accounts.connections import release_connection
from accounts.models import Tenant
from accounts.tenancy import require_no_transaction, tenant_transaction
from retrieval.llm.cancellation import Cancellation
from retrieval.llm.chat import ChatModel, ChatRequest, Reply
from retrieval.llm.errors import ModelUnavailable
from retrieval.models import LanguageModel
from retrieval.sealing import KeyUnreadable
from retrieval.services.computing import ANSWERS

KEY_UNREADABLE = (
    "The key of the model “{name}” cannot be read any more, because the secret of this site has "
    "changed. An operator has to enter the key again."
)
CLIENTS_KEPT = 64
"""As many are remembered; beyond, a client is made anew, and learns anew what its server can."""


def models_for(tenant: Tenant | int) -> dict[str, ChatModel]:
    """Return the models that work for a tenant, by role; {} where there are none.

    The roles "agent" and "cheap" are played by "answer" where they are missing; "vision" by nobody.
    """
    models = _of_the_site()
    own = {row.role: model_of(row) for row in _active(tenant)}
    return models | own


def has_model(tenant: Tenant | int) -> bool:
    """Return whether a model answers for the tenant."""
    if settings.LLM_BASE_URL:
        return True
    return any(row.role == LanguageModel.Role.ANSWER for row in _active(tenant))


def longest_call_s(tenant: Tenant | int) -> int:
    """Return the seconds that one call of any of the tenant's models may take."""
    return max([settings.LLM_TIMEOUT_S, *(row.timeout_s for row in _active(tenant))])


def model_of(row: LanguageModel) -> ChatModel:
    """Return the model of a row; one whose key cannot be read says so at every call."""
    try:
        key = row.api_key
    except KeyUnreadable:
        return _Unreadable(row.name)
    return _client(
        row.base_url, key, row.model_id, float(row.timeout_s), row.name, row.context_tokens
    )


def _active(tenant: Tenant | int) -> list[LanguageModel]:
    with tenant_transaction(tenant):
        return list(LanguageModel.objects.filter(is_active=True))


def _of_the_site() -> dict[str, ChatModel]:
    if not settings.LLM_BASE_URL:
        return {}
    names = {"answer": settings.LLM_MODEL, "vision": settings.LLM_VISION_MODEL}
    address, key, timeout_s = settings.LLM_BASE_URL, settings.LLM_API_KEY, settings.LLM_TIMEOUT_S
    return {
        role: _client(address, key, name, float(timeout_s), name, None)
        for role, name in names.items()
        if name
    }


@lru_cache(maxsize=CLIENTS_KEPT)
def _client(
    base_url: str,
    api_key: str,
    model_id: str,
    timeout_s: float,
    name: str,
    context_tokens: int | None,
) -> ChatModel:
    from retrieval.llm.openai_model import OpenAIChatModel  # half a second of imports

    return OpenAIChatModel(
        base_url=base_url,
        api_key=api_key,
        model=model_id,
        name=name,
        timeout_s=timeout_s,
        context_tokens=context_tokens,
        before_call=_hold_nothing,
    )


def _hold_nothing() -> None:
    """Raise when a transaction is open; give connection and turn back before the wait."""
    require_no_transaction("The model")
    release_connection()
    ANSWERS.give_back()


@dataclass(frozen=True, slots=True)
class _Unreadable:
    """A model that nobody can call: its run, abstract or figure fails with the sentence."""

    name: str

    def complete(
        self,
        request: ChatRequest,
        *,
        cancellation: Cancellation | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Raise ModelUnavailable."""
        raise ModelUnavailable(KEY_UNREADABLE.format(name=self.name), permanent=True)
