"""The form of a language model: the key can be written and not read."""

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminPasswordWidget, UnfoldBooleanSwitchWidget

from accounts.admin_base import TenantModelForm
from knowledge.model_server.base_url import InvalidBaseUrl, check_base_url
from retrieval.agent.extractive import ExtractiveReasoner
from retrieval.models import LanguageModel

STORED = "A key is stored, encrypted; it is not shown again. Leave this empty to keep it."
NOT_STORED = "Stored encrypted and not shown again. Leave it empty where the server wants none."
ELSEWHERE = "The address has changed: enter the key again, so that the stored one goes to no other."
NOT_A_NAME = "This is what answers without a model are called; choose another name."


class LanguageModelForm(TenantModelForm):
    """Takes a new key, or keeps or forgets the stored one, which it never holds."""

    api_key = forms.CharField(
        label="API key",
        required=False,
        max_length=1_000,
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}),
    )
    forget_key = forms.BooleanField(
        label="Forget the stored key", required=False, widget=UnfoldBooleanSwitchWidget
    )

    class Meta:
        model = LanguageModel
        fields = "__all__"  # the admin's fieldsets choose

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["api_key"].help_text = STORED if self.instance.has_key else NOT_STORED
        self._address = self.instance.base_url

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name == ExtractiveReasoner.name:
            raise forms.ValidationError(NOT_A_NAME)
        return name

    def clean_base_url(self) -> str:
        try:
            return check_base_url(self.cleaned_data["base_url"])
        except InvalidBaseUrl as error:
            raise forms.ValidationError(f"The address {error}.") from error

    def clean_api_key(self) -> str:
        key: str = self.cleaned_data["api_key"]
        if not key.isascii() or not key.isprintable():
            raise forms.ValidationError("A key has no letters with accents and no line breaks.")
        return key

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        keeps = self.instance.has_key and not cleaned.get("api_key")
        moved = cleaned.get("base_url") not in (None, self._address)
        if keeps and moved and not cleaned.get("forget_key"):
            self.add_error("api_key", ELSEWHERE)
        return cleaned

    def save(self, commit: bool = True) -> Any:
        """Return the row, with the new key sealed in it."""
        if self.cleaned_data.get("forget_key"):
            self.instance.api_key = ""
        if key := self.cleaned_data.get("api_key"):
            self.instance.api_key = key
        return super().save(commit)
