"""Keep the pictures of figures, with what a model says they show."""

import django.db.models.deletion
import django.db.models.manager
from django.db import migrations, models

import accounts.tenancy
from accounts.row_level_security import ComposeForeignKey, IsolateTenant


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_isolation"),
        ("knowledge", "0010_ingest_quota"),
    ]

    operations = [
        migrations.CreateModel(
            name="Figure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(
                        help_text="place among the version's figures, from 1"
                    ),
                ),
                ("content", models.BinaryField()),
                ("media_type", models.CharField(max_length=20)),
                ("width", models.PositiveIntegerField(help_text="pixels")),
                ("height", models.PositiveIntegerField(help_text="pixels")),
                ("sha256", models.CharField(max_length=64)),
                ("description", models.TextField(blank=True)),
                (
                    "described_by",
                    models.CharField(blank=True, help_text="a model's name", max_length=100),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField(null=True)),
                (
                    "node",
                    accounts.tenancy.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pictures",
                        to="knowledge.node",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.tenant",
                    ),
                ),
                (
                    "version",
                    accounts.tenancy.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pictures",
                        to="knowledge.documentversion",
                    ),
                ),
            ],
            options={
                "ordering": ["version", "number"],
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
                "indexes": [
                    models.Index(fields=["tenant", "sha256"], name="figure_content"),
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["tenant", "due_at"],
                        name="figure_due",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "version", "number"), name="figure_number_once_a_version"
                    ),
                    models.UniqueConstraint(fields=("tenant", "node"), name="figure_once_a_node"),
                ],
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("Figure"),
        ComposeForeignKey("Figure", "version"),
        ComposeForeignKey("Figure", "node"),
    ]
