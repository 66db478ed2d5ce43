"""A tenant's model that sees, as a describer of figures; its calls stand in the tenant's ledger."""

import base64
import time
from dataclasses import dataclass

from knowledge.figure_describers import FigureView, NotDescribed
from knowledge.models import KnowledgeBase
from retrieval.agent.framing import as_data
from retrieval.agent.metering import Spent
from retrieval.agent.prompting import render
from retrieval.llm.chat import ChatModel, ChatRequest, Message, Usage
from retrieval.llm.errors import ModelError
from retrieval.llm.storable import storable
from retrieval.model_resolver import models_for
from retrieval.services.ledger import usage_record

MAX_WORDS = 180
MAX_TOKENS = 800
"""What one description may take: the words of any language, and no page of a model that rambles."""


def describer_of(base: KnowledgeBase) -> "ModelDescriber | None":
    """Return the describer of a base's figures, None while no model is said to see."""
    model = models_for(base.tenant_id).get("vision")
    return ModelDescriber(model, base.tenant_id, base.slug) if model else None


@dataclass(frozen=True, slots=True)
class ModelDescriber:
    """knowledge.figure_describers.FigureDescriber by a chat model, on behalf of a tenant."""

    model: ChatModel
    tenant_id: int
    base_slug: str

    @property
    def name(self) -> str:
        return self.model.name

    def describe(self, figure: FigureView) -> str:
        """Return the model's description. Raises NotDescribed."""
        began = time.monotonic()
        try:
            reply = self.model.complete(_request(figure))
        except ModelError as error:
            self._record(error.usage or Usage(), began, failed=True)
            is_final = bool(getattr(error, "permanent", False))
            raise NotDescribed(error.sentence, is_final=is_final) from error
        self._record(reply.usage, began)
        if reply.refusal:
            raise NotDescribed("The model refused.", is_final=True)
        text = storable(reply.text).strip()
        if not text:
            raise NotDescribed("The model said nothing.", is_final=False)
        return text

    def _record(self, usage: Usage, began: float, *, failed: bool = False) -> None:
        spent = Spent("caption", self.name, usage, time.monotonic() - began, failed)
        usage_record(self.tenant_id, spent, base_slug=self.base_slug)


def _request(figure: FigureView) -> ChatRequest:
    known = figure.language not in ("", "und")
    language = figure.language if known else "the language of the caption"
    words = f"{' > '.join(figure.headings)}\n\nCaption: {figure.caption}"
    picture = base64.b64encode(figure.data).decode("ascii")
    return ChatRequest(
        messages=(
            Message("system", render("caption", words=MAX_WORDS, language=language)),
            Message("user", as_data(words), images=(f"data:{figure.media_type};base64,{picture}",)),
        ),
        purpose="caption",
        max_tokens=MAX_TOKENS,
    )
