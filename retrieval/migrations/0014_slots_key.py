"""What two questions must have alike, so that a look-up need not scan all of a base.

It is empty of those that are stored; the sweep fills it, and until then each is looked at.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0013_in_vain_at")]

    operations = [
        migrations.AddField(
            model_name="experiencequestion",
            name="slots_key",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="the same for questions that may mean the same; empty: not read yet",
                max_length=50,
            ),
        ),
    ]
