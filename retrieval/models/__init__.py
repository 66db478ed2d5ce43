from retrieval.models.conversations import Conversation
from retrieval.models.language_models import LanguageModel
from retrieval.models.runs import Citation, Run, RunEvent
from retrieval.models.usage import UsageEntry

__all__ = ["Citation", "Conversation", "LanguageModel", "Run", "RunEvent", "UsageEntry"]
