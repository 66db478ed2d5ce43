"""Admin pages: what was asked and spent, and the models that are asked."""

from retrieval.admin.language_models import LanguageModelAdmin
from retrieval.admin.runs import RunAdmin, UsageEntryAdmin

__all__ = ["LanguageModelAdmin", "RunAdmin", "UsageEntryAdmin"]
