"""The question box."""

from django import forms


class QuestionForm(forms.Form):
    """A question; what may be asked is decided by `run_create`, with its own sentences."""

    question = forms.CharField(
        required=False,
        strip=True,
        label="Your question",
        widget=forms.Textarea(attrs={"rows": 1, "dir": "auto"}),
    )
