"""A tenant's language model as a writer of abstracts; every call stands in the tenant's ledger."""

import time
from dataclasses import dataclass

from knowledge.ingest.abstracts import MAX_WORDS, Source, WriterFailed, Written
from knowledge.models import KnowledgeBase
from retrieval.agent.framing import as_data, as_title
from retrieval.agent.metering import Spent
from retrieval.agent.prompting import render
from retrieval.llm.chat import ChatModel, ChatRequest, Message, Usage
from retrieval.llm.errors import ModelError
from retrieval.model_resolver import models_for
from retrieval.services.ledger import usage_record

MAX_TOKENS = 400
"""What one abstract may take: sixty words of any language, and no page of a model that rambles."""


def writer_of(base: KnowledgeBase) -> "ModelWriter | None":
    """Return the writer of a base's abstracts, None while no model is configured."""
    model = models_for(base.tenant_id).get("answer")
    return ModelWriter(model, base.tenant_id, base.slug) if model else None


@dataclass(frozen=True, slots=True)
class ModelWriter:
    """knowledge.ingest.abstracts.AbstractWriter by a chat model, on behalf of a tenant."""

    model: ChatModel
    tenant_id: int
    base_slug: str

    @property
    def name(self) -> str:
        return self.model.name

    def write(self, source: Source) -> Written:
        """Return the model's abstract. Raises WriterFailed."""
        began = time.monotonic()
        try:
            reply = self.model.complete(_request(source))
        except ModelError as error:
            self._record(error.usage or Usage(), began, failed=True)
            raise WriterFailed("did not answer") from error
        self._record(reply.usage, began)
        if reply.refusal:
            raise WriterFailed("refused")
        return Written(reply.text, reply.usage.prompt, reply.usage.completion)

    def _record(self, usage: Usage, began: float, *, failed: bool = False) -> None:
        spent = Spent("abstract", self.name, usage, time.monotonic() - began, failed)
        usage_record(self.tenant_id, spent, base_slug=self.base_slug)


def _request(source: Source) -> ChatRequest:
    known = source.language not in ("", "und")
    language = f"the language of the text ({source.language})" if known else "the text's language"
    return ChatRequest(
        messages=(
            Message("system", render("abstract", words=MAX_WORDS, language=language)),
            Message("user", f"{as_title(source.title)}\n\n{as_data(source.text)}"),
        ),
        purpose="abstract",
        max_tokens=MAX_TOKENS,
    )
