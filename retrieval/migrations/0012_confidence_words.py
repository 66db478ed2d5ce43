"""Say of which answers a run has a confidence."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0011_learning_at")]

    operations = [
        migrations.AlterField(
            model_name="run",
            name="confidence",
            field=models.FloatField(
                help_text="in the answer of one round, 0 to 1, though it went on to the agent; "
                "empty: there was none, or it was insufficient",
                null=True,
            ),
        )
    ]
