"""The forms of the knowledge pages."""

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from django import forms

from accounts.models import Group
from accounts.names import NameRefused, clean_name
from knowledge.models import KnowledgeBase

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

    _BaseModelForm = forms.ModelForm[KnowledgeBase]
else:  # Django's class takes no type parameter while it runs
    _BaseModelForm = forms.ModelForm


class BaseForm(_BaseModelForm):
    """A knowledge base, new or as it is.

    Made and validated inside the tenant's transaction: it lists groups.
    """

    without_groups = False

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
        groups.help_text = "Owners and admins see every base. Groups are made on the page People."
        restricted = self.initial.get("visibility") == KnowledgeBase.Visibility.RESTRICTED
        if not groups.queryset.exists() and not restricted:
            # Nobody could be chosen, and a base that only admins see is seldom what is meant.
            del self.fields["groups"], self.fields["visibility"]
            self.without_groups = True

    def clean_name(self) -> str:
        try:
            return clean_name(self.cleaned_data["name"])
        except NameRefused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        restricted = cleaned.get("visibility") == KnowledgeBase.Visibility.RESTRICTED
        if restricted and not cleaned.get("groups"):
            self.add_error("groups", "Choose at least one group.")
        if not restricted:
            # Who has only just ticked groups means them; who opens a restricted base does not.
            if cleaned.get("groups") and "visibility" not in self.changed_data:
                self.add_error(
                    "visibility", "Groups are ticked: choose “chosen groups”, or untick them."
                )
            cleaned["groups"] = Group.objects.none()
        return cleaned


class _ManyFilesInput(forms.FileInput):
    allow_multiple_selected = True


class _ManyFilesField(forms.FileField):
    widget = _ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Return the list of files, empty ones included."""
        check = super().clean
        return [check(file, initial) for file in data or []]


class _PathsField(forms.JSONField):
    """JSON; what Python cannot read for its depth or its digits is refused like what is none."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from error


class UploadForm(forms.Form):
    """Files for a base, or a folder of them; their contents are judged by ingestion, one by one.

    Browsers send a folder's files without their paths, so these come beside them, in their order.
    """

    documents = _ManyFilesField(required=False, allow_empty_file=True)
    folder = _ManyFilesField(required=False, allow_empty_file=True)
    folder_paths = _PathsField(
        required=False, error_messages={"invalid": "The names of the folder cannot be read."}
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "folder_paths" in self.errors:  # its own field is hidden
            self.add_error("documents", self.errors["folder_paths"][0])
        elif not self.named_files():
            self.add_error("documents", "Choose at least one file.")
        return cleaned

    def named_files(self) -> "list[tuple[str, UploadedFile[bytes]]]":
        """Return each file with its name, that of a folder's file with its path."""
        files = [(file.name or "", file) for file in self.cleaned_data.get("documents") or []]
        paths = self.cleaned_data.get("folder_paths")
        paths = paths if isinstance(paths, list) else []
        for number, file in enumerate(self.cleaned_data.get("folder") or []):
            path = paths[number] if number < len(paths) else None
            # What a form sends is anybody's: a path that does not end in the name is none.
            belongs = isinstance(path, str) and PurePosixPath(path).name == file.name
            files.append((path if belongs else file.name or "", file))
        return files
