from retrieval.models.answer_quotas import AnswerQuota
from retrieval.models.conversations import Conversation
from retrieval.models.experience import (
    ExperienceEdge,
    ExperienceQuestion,
    ExperienceSettings,
    GeneratedSection,
)
from retrieval.models.language_models import LanguageModel
from retrieval.models.runs import Citation, Run, RunEvent
from retrieval.models.usage import UsageEntry
from retrieval.models.verdicts import Feedback, ShadowAudit

__all__ = [
    "AnswerQuota",
    "Citation",
    "Conversation",
    "ExperienceEdge",
    "ExperienceQuestion",
    "ExperienceSettings",
    "Feedback",
    "GeneratedSection",
    "LanguageModel",
    "Run",
    "RunEvent",
    "ShadowAudit",
    "UsageEntry",
]
