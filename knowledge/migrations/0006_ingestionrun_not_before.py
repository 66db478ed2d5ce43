"""Let a run wait for an embedder that does not answer."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0005_bounded_chunk_size")]

    operations = [
        migrations.AddField(
            model_name="ingestionrun",
            name="not_before",
            field=models.DateTimeField(
                help_text="Nobody takes the run before; it has no queue message until then.",
                null=True,
            ),
        )
    ]
