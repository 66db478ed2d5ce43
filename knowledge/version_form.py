"""The form for a new version of one document."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from knowledge.ingest.parsers import suffix_of
from knowledge.models import Document


class VersionForm(forms.Form):
    """One file of the document's own type, under any name; ingestion judges its contents."""

    document = forms.FileField(
        label="File", allow_empty_file=True, error_messages={"required": "Choose a file."}
    )

    def __init__(self, document: Document, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._suffix = suffix_of(document.filename)
        self.fields["document"].widget.attrs["accept"] = self._suffix

    def clean_document(self) -> "UploadedFile[bytes]":
        """Refuse a file of another type: the document's name decides how it is read."""
        file: UploadedFile[bytes] = self.cleaned_data["document"]
        if suffix_of(file.name or "") != self._suffix:
            raise forms.ValidationError(
                f"This document is a {self._suffix} file, and a new version must be one too. "
                "Add another type as a document of its own."
            )
        return file

    def content(self) -> bytes:
        """Return the bytes, one more than allowed at most: enough for the service to refuse it."""
        file: UploadedFile[bytes] = self.cleaned_data["document"]
        return bytes(file.read(settings.UPLOAD_MAX_BYTES + 1))
