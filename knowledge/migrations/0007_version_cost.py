"""Store what a version cost: the tokens that were not embedded again, and the seconds."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0006_ingestionrun_not_before")]

    operations = [
        migrations.AddField(
            model_name="documentversion",
            name="reused_tokens",
            field=models.PositiveIntegerField(default=0, help_text="not embedded again"),
        ),
        migrations.AddField(
            model_name="documentversion",
            name="seconds",
            field=models.FloatField(
                help_text="from the start of the run that published it", null=True
            ),
        ),
    ]
