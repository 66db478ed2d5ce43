"""What pages of the layers below show of experience."""

from typing import Any

from django import template
from django.template import RequestContext

from knowledge.models import KnowledgeBase
from retrieval.experience_forms import ExperienceForm
from retrieval.experience_sentences import statistics_lines
from retrieval.services.experience.statistics import statistics_of

register = template.Library()


@register.inclusion_tag("retrieval/_base_experience.html", takes_context=True)
def base_experience(context: RequestContext, base: KnowledgeBase) -> dict[str, Any]:
    """Render the section of a base's settings about experience, in an open transaction.

    The form that was just sent, if it was this one, stands in the context as `experience_form`.
    """
    form = context.get("experience_form") or ExperienceForm(base)
    request = context["request"]
    return {
        "tenant": request.tenant,
        "base": base,
        "form": form,
        "lines": statistics_lines(statistics_of(base)),
        "csrf_token": context.get("csrf_token"),
    }
