"""Let a process claim a run before it searches in order to learn from it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0010_taught_by")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="learning_at",
            field=models.DateTimeField(
                help_text="when a process last began to look it through", null=True
            ),
        )
    ]
