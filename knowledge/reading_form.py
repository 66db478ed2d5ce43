"""How the documents of a base are read, and what abstracts they get: two forms of its settings."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

from knowledge.ingest.ocr import installed_languages
from knowledge.ingest.ocr_languages import language_name
from knowledge.ingest.reading_options import ReadingOptions
from knowledge.models import KnowledgeBase

MOST_LANGUAGES = 5


def _told(title: str, sentence: str) -> SafeString:
    return format_html(
        '<span class="option"><strong>{}</strong> <span class="help">{}</span></span>',
        title,
        sentence,
    )


def _choices(*choices: tuple[str, str, str]) -> list[tuple[str, SafeString]]:
    return [(value, _told(title, sentence)) for value, title, sentence in choices]


class ReadingForm(forms.Form):
    """The reading options of a base, as `KnowledgeBase.reading` has them."""

    parse_mode = forms.ChoiceField(
        label="Headings of PDF files",
        widget=forms.RadioSelect,
        choices=_choices(
            ("fast", "Fast", "Headings are told by their looks: up to about 100 pages a second."),
            (
                "thorough",
                "Thorough",
                "A layout model looks at every page of a file without bookmarks, up to 300: about "
                "1 page a second. For files whose outline comes out wrong.",
            ),
        ),
    )
    tracked_changes = forms.ChoiceField(
        label="Tracked changes in Word files",
        widget=forms.RadioSelect,
        choices=_choices(
            ("accepted", "Accepted", "The text as if every change were accepted."),
            ("original", "Original", "The text as it was before the changes."),
            (
                "marked",
                "Marked",
                "Both texts, each change in brackets: answers see what was proposed.",
            ),
        ),
    )
    ocr = forms.ChoiceField(
        label="Scanned pages of PDF files",
        widget=forms.RadioSelect,
        choices=_choices(
            (
                "auto",
                "Read by OCR",
                "Pages that are pictures are read by machine, up to 25 a file: about 3 seconds a "
                "page, with mistakes.",
            ),
            ("off", "Left out", "The report of the document names the pages that were not read."),
        ),
    )
    ocr_languages = forms.MultipleChoiceField(
        label="Languages of scanned pages",
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text="Only those the documents are in: each one more makes OCR slower and less sure.",
    )

    def __init__(self, base: KnowledgeBase, data: Any = None) -> None:
        chosen = base.ocr_languages.split("+")
        super().__init__(data, initial=asdict(base.reading) | {"ocr_languages": chosen})
        languages = self.fields["ocr_languages"]
        assert isinstance(languages, forms.MultipleChoiceField)  # noqa: S101  declared above
        languages.choices = _languages(chosen)
        if not installed_languages():
            languages.help_text = (
                "No languages of Tesseract are installed on this server, so pages may stay unread; "
                "whoever runs it can add some."
            )

    def clean_ocr_languages(self) -> str:
        chosen = self.cleaned_data["ocr_languages"]
        if not chosen:
            raise forms.ValidationError("Choose at least one language.")
        if len(chosen) > MOST_LANGUAGES:
            raise forms.ValidationError(f"Choose at most {MOST_LANGUAGES} languages.")
        return "+".join(chosen)

    def options(self) -> ReadingOptions:
        """Return what was chosen, of a valid form."""
        return ReadingOptions(**self.cleaned_data)


class AbstractsForm(forms.Form):
    """When documents and sections of a base get the abstract that lists show."""

    abstracts = forms.ChoiceField(
        label="When they are made",
        widget=forms.RadioSelect,
        choices=_choices(
            (
                "lazy",
                "When somebody looks",
                "Sentences of the document itself, made in a moment: no model is paid.",
            ),
            (
                "eager",
                "With every upload",
                "Written by the language model if there is one, else sentences. The model is paid "
                "for every section that is new; large amounts wait for approval.",
            ),
            ("off", "Never", "Lists show the beginnings of sections instead."),
        ),
    )

    def __init__(self, base: KnowledgeBase, data: Any = None) -> None:
        super().__init__(data, initial={"abstracts": base.abstracts})


def _languages(chosen: Iterable[str]) -> list[tuple[str, str]]:
    """Return the languages that can be chosen: those installed, and those chosen before."""
    codes = sorted({*installed_languages(), *chosen}, key=language_name)
    return [(code, language_name(code)) for code in codes]
