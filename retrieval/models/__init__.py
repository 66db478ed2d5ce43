from retrieval.models.conversations import Conversation
from retrieval.models.runs import Citation, Run, RunEvent
from retrieval.models.usage import UsageEntry

__all__ = ["Citation", "Conversation", "Run", "RunEvent", "UsageEntry"]
