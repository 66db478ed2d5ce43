"""Note on an edge which runs have taught it, so that a verdict on any of them finds it."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0009_feedback_name")]

    operations = [
        migrations.AddField(
            model_name="experienceedge",
            name="taught_by",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(),
                blank=True,
                default=list,
                help_text="numbers of the last runs it was learnt from, the latest last",
                size=None,
            ),
        )
    ]
