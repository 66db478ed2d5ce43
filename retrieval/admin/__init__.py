"""Admin pages: what was asked, spent and learnt, and the models that are asked."""

from retrieval.admin.experience import (
    ExperienceEdgeAdmin,
    ExperienceQuestionAdmin,
    ExperienceSettingsAdmin,
)
from retrieval.admin.language_models import LanguageModelAdmin
from retrieval.admin.runs import RunAdmin, UsageEntryAdmin
from retrieval.admin.verdicts import FeedbackAdmin, ShadowAuditAdmin

__all__ = [
    "ExperienceEdgeAdmin",
    "ExperienceQuestionAdmin",
    "ExperienceSettingsAdmin",
    "FeedbackAdmin",
    "LanguageModelAdmin",
    "RunAdmin",
    "ShadowAuditAdmin",
    "UsageEntryAdmin",
]
