"""Let a base name the preset of its questions."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0011_figures")]

    operations = [
        migrations.AddField(
            model_name="knowledgebase",
            name="preset",
            field=models.CharField(blank=True, editable=False, max_length=20),
        ),
    ]
