"""Keep how far an answer is trusted, the cut, and for which sections questions were made up."""

import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
from django.db import migrations, models

import accounts.tenancy
from accounts.row_level_security import ComposeForeignKey, IsolateTenant


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_isolation"),
        ("knowledge", "0013_reading_options"),
        ("retrieval", "0006_answer_quotas"),
    ]

    operations = [
        migrations.CreateModel(
            name="GeneratedSection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "content_hash",
                    models.CharField(help_text="of its headings and its own text", max_length=64),
                ),
                ("made", models.PositiveSmallIntegerField(default=0)),
                (
                    "pruned",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="left out, for a search finds their place by itself"
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        migrations.AddField(
            model_name="experiencesettings",
            name="cut",
            field=models.FloatField(
                blank=True,
                help_text="An answer of one round of less confidence goes on to the agent, 0 to 1. Empty: the verdict alone decides. “manage.py experience calibrate” finds it from the checks.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="run",
            name="confidence",
            field=models.FloatField(
                help_text="of an answer of one round, 0 to 1; empty: the agent worked, or none",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="run",
            name="value",
            field=models.TextField(
                blank=True, help_text="the answer in its shortest form, with its unit"
            ),
        ),
        migrations.AddConstraint(
            model_name="experiencesettings",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("cut", None), models.Q(("cut__gte", 0), ("cut__lte", 1)), _connector="OR"
                ),
                name="cut_is_a_confidence",
            ),
        ),
        migrations.AddField(
            model_name="generatedsection",
            name="base",
            field=accounts.tenancy.TenantForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="knowledge.knowledgebase",
            ),
        ),
        migrations.AddField(
            model_name="generatedsection",
            name="tenant",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="accounts.tenant",
            ),
        ),
        migrations.AddConstraint(
            model_name="generatedsection",
            constraint=models.UniqueConstraint(
                fields=("tenant", "base", "content_hash"), name="generated_once_a_section"
            ),
        ),
        IsolateTenant("GeneratedSection"),
        ComposeForeignKey("GeneratedSection", "base"),
    ]
