"""Let people choose how the documents of a base are read, and have them read again."""

from django.core.validators import RegexValidator
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0012_base_preset"),
    ]

    operations = [
        migrations.AddField(
            model_name="documentversion",
            name="remarks",
            field=models.JSONField(
                default=list, help_text="what the base's reading options made of it"
            ),
        ),
        migrations.AddField(
            model_name="ingestionrun",
            name="rereads",
            field=models.BooleanField(
                default=False,
                help_text="reads the bytes of a version in use anew, by its base's options",
            ),
        ),
        migrations.AddField(
            model_name="knowledgebase",
            name="ocr",
            field=models.CharField(
                choices=[
                    ("auto", "of scanned pages, where an engine is installed"),
                    ("off", "never"),
                ],
                default="auto",
                max_length=5,
                verbose_name="OCR",
            ),
        ),
        migrations.AddField(
            model_name="knowledgebase",
            name="ocr_languages",
            field=models.CharField(
                default="eng",
                help_text="Tesseract's names of at most five, joined by +: eng, deu+fra.",
                max_length=104,
                validators=[
                    RegexValidator(
                        "\\A[A-Za-z][A-Za-z_]{1,19}(\\+[A-Za-z][A-Za-z_]{1,19}){0,4}\\Z",
                        "Tesseract's names: eng, deu+fra.",
                    )
                ],
                verbose_name="languages of OCR",
            ),
        ),
        migrations.AddField(
            model_name="knowledgebase",
            name="parse_mode",
            field=models.CharField(
                choices=[
                    ("fast", "by their looks"),
                    ("thorough", "by a layout model, about a page a second"),
                ],
                default="fast",
                max_length=10,
                verbose_name="headings of PDF files",
            ),
        ),
        migrations.AddField(
            model_name="knowledgebase",
            name="tracked_changes",
            field=models.CharField(
                choices=[
                    ("accepted", "the text with all changes"),
                    ("original", "the text before the changes"),
                    ("marked", "both, marked as inserted and deleted"),
                ],
                default="accepted",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="knowledgebase",
            name="words_only_since",
            field=models.DateTimeField(
                editable=False,
                help_text="since when that model has not answered searches",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="documentversion",
            name="estimate",
            field=models.JSONField(
                help_text="pages, calls, figures, input_tokens, output_tokens, tokens, price and currency of what a model was about to be paid for; None where nothing was",
                null=True,
            ),
        ),
    ]
