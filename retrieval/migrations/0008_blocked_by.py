"""Note on an edge which runs' readers have blocked it, so that each can take it back."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0007_audits")]

    operations = [
        migrations.AddField(
            model_name="experienceedge",
            name="blocked_by",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(),
                blank=True,
                default=list,
                help_text="numbers of the runs whose readers have blocked it",
                size=None,
            ),
        )
    ]
