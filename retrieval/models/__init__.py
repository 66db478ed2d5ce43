from retrieval.models.conversations import Conversation
from retrieval.models.runs import Citation, Run, RunEvent

__all__ = ["Citation", "Conversation", "Run", "RunEvent"]
