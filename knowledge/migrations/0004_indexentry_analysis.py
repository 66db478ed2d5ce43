"""Tell with each entry which analysis made its lexical vector."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0003_vectors_in_line")]

    operations = [
        migrations.AddField(
            model_name="indexentry",
            name="analysis",
            field=models.CharField(
                default="snowball-3/1",
                help_text="that made the lexical vector",
                max_length=30,
            ),
            preserve_default=False,
        )
    ]
