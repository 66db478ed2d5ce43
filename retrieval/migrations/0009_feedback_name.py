"""Call verdicts of readers what they are called in the singular too."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0008_blocked_by")]

    operations = [
        migrations.AlterModelOptions(
            name="feedback",
            options={
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
                "ordering": ["-id"],
                "verbose_name_plural": "feedback",
            },
        )
    ]
