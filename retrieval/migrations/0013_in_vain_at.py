"""When the edges that a run was given in vain were counted against, so that it happens once.

Of runs that were looked through before nobody knows it; they count as not counted.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0012_confidence_words")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="in_vain_at",
            field=models.DateTimeField(
                help_text="when the edges that it was given in vain were counted against, once",
                null=True,
            ),
        ),
    ]
