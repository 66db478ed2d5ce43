"""The index of `slots_key`, built while questions are asked and learnt."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("retrieval", "0014_slots_key")]

    operations = [
        # Such an index stays, valid or not, when the process that builds it is killed.
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS question_slots", migrations.RunSQL.noop
        ),
        AddIndexConcurrently(
            model_name="experiencequestion",
            index=models.Index(
                fields=["tenant", "base", "embedding_model", "slots_key"], name="question_slots"
            ),
        ),
    ]
