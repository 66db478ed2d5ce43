"""Bound the chunk size of a base in forms; the column stays as it is."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0004_indexentry_analysis")]

    operations = [
        migrations.AlterField(
            model_name="knowledgebase",
            name="chunk_max_tokens",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Upper bound of a chunk, in tokens, 50 to 8000; empty: the site's.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(50),
                    django.core.validators.MaxValueValidator(8000),
                ],
            ),
        )
    ]
