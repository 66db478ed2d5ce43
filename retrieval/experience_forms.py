"""The form of what a base does with experience."""

from typing import Any

from django import forms
from django.utils.html import format_html

from knowledge.models import KnowledgeBase
from retrieval.models import ExperienceSettings
from retrieval.models.experience import settings_of

Policy = ExperienceSettings.Policy
CHOICES = (
    (Policy.LEARN, "Learn", "Answered questions are learnt from, and similar ones use it."),
    (Policy.RECORD, "Record", "Answered questions are learnt from, but nothing is used yet."),
    (Policy.FROZEN, "Frozen", "What was learnt is used, and nothing new is learnt."),
    (Policy.OFF, "Off", "Nothing is learnt and nothing is used; what there is stays."),
)
AUDIT = (
    "This share of the answers that one search gave is asked again of the full agent, in the "
    "background, to learn how often the short way was wrong. Each check costs what the agent costs."
)


class ExperienceForm(forms.Form):
    """Policy, and how many answers are audited, in percent. Made in an open transaction."""

    policy = forms.ChoiceField(
        label="Learning from answers",
        widget=forms.RadioSelect,
        choices=[
            (
                value,
                format_html(
                    '<span class="option"><strong>{}</strong> <span class="help">{}</span></span>',
                    name,
                    sentence,
                ),
            )
            for value, name, sentence in CHOICES
        ],
    )
    audit_percent = forms.FloatField(
        label="Answers that are checked by the agent, in percent",
        min_value=0,
        max_value=100,
        help_text=AUDIT,
        widget=forms.NumberInput(attrs={"inputmode": "decimal", "step": "any"}),
    )

    def __init__(self, base: KnowledgeBase, data: Any = None) -> None:
        now = settings_of(base)
        percent = f"{100 * now.audit_share:.4g}"
        super().__init__(data, initial={"policy": now.policy, "audit_percent": percent})

    @property
    def audit_share(self) -> float:
        """The share, 0 to 1, of a valid form."""
        return float(self.cleaned_data["audit_percent"]) / 100
