"""What pages of the layers below show of presets."""

from typing import Any

from django import template
from django.template import RequestContext

from knowledge.models import KnowledgeBase
from retrieval.preset_choice import choice_for_base

register = template.Library()


@register.inclusion_tag("retrieval/_base_preset.html", takes_context=True)
def base_preset(context: RequestContext, base: KnowledgeBase) -> dict[str, Any]:
    """Render the section of a base's settings that chooses its preset, in an open transaction."""
    tenant = context["request"].tenant
    return {"tenant": tenant, "base": base, "choice": choice_for_base(tenant, base)}
