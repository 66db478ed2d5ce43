"""The forms of the knowledge pages."""

from typing import TYPE_CHECKING, Any

from django import forms

from accounts.models import Group
from knowledge.models import KnowledgeBase

if TYPE_CHECKING:
    _BaseModelForm = forms.ModelForm[KnowledgeBase]
else:  # Django's class takes no type parameter while it runs
    _BaseModelForm = forms.ModelForm


class BaseForm(_BaseModelForm):
    """A new knowledge base. Made and validated inside the tenant's transaction: it lists groups."""

    groups = forms.ModelMultipleChoiceField(
        queryset=Group.all_tenants.none(), required=False, widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = KnowledgeBase
        fields = ["name", "description", "visibility"]
        widgets = {
            "description": forms.Textarea(attrs={"rows": 3}),
            "visibility": forms.RadioSelect,
        }
        help_texts = {
            "name": "What people look for: “Company handbook”, “Product manuals”.",
            "description": "One or two sentences about what can be asked here.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups = self.fields["groups"]
        assert isinstance(groups, forms.ModelMultipleChoiceField)  # noqa: S101  declared above
        groups.queryset = Group.objects.all()
        groups.help_text = "Owners and admins see every base."
        if not groups.queryset.exists():
            # Nobody could be chosen, and a base that only admins see is seldom what is meant.
            del self.fields["groups"], self.fields["visibility"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        restricted = cleaned.get("visibility") == KnowledgeBase.Visibility.RESTRICTED
        if restricted and not cleaned.get("groups"):
            self.add_error("groups", "Choose at least one group.")
        if not restricted:
            cleaned["groups"] = Group.objects.none()
        return cleaned


class _ManyFilesInput(forms.FileInput):
    allow_multiple_selected = True


class _ManyFilesField(forms.FileField):
    widget = _ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Return the list of files; raise ValidationError if there is none."""
        check = super().clean
        return [check(file, initial) for file in data or [None]]


class UploadForm(forms.Form):
    """Files for a base; their contents are judged by ingestion, one by one."""

    documents = _ManyFilesField(
        allow_empty_file=True, error_messages={"required": "Choose at least one file."}
    )
