"""The index of `slots_key`, built while questions are asked and learnt."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("retrieval", "0014_slots_key")]

    operations = [
        AddIndexConcurrently(
            model_name="experiencequestion",
            index=models.Index(
                fields=["tenant", "base", "embedding_model", "slots_key"], name="question_slots"
            ),
        ),
    ]
