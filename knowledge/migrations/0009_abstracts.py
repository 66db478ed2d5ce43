"""Keep an abstract of each document and section, and say when a base makes them."""

import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
from django.db import migrations, models

import accounts.tenancy
from accounts.row_level_security import ComposeForeignKey, IsolateTenant


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_isolation"),
        ("knowledge", "0008_embedding_model_change"),
    ]

    operations = [
        migrations.AddField(
            model_name="documentversion",
            name="abstract_tokens",
            field=models.PositiveIntegerField(default=0, help_text="that a model took for them"),
        ),
        migrations.AddField(
            model_name="documentversion",
            name="abstracts",
            field=models.PositiveIntegerField(default=0, help_text="made when it was ingested"),
        ),
        migrations.AddField(
            model_name="documentversion",
            name="reused_abstracts",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="knowledgebase",
            name="abstracts",
            field=models.CharField(
                choices=[
                    ("eager", "with every upload, by the language model if there is one"),
                    ("lazy", "sentences of the document, when somebody looks"),
                    ("off", "none"),
                ],
                default="lazy",
                help_text="When documents and sections get the abstract that lists show.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="ingestionrun",
            name="stage",
            field=models.CharField(
                choices=[
                    ("waiting", "Waiting for a worker"),
                    ("parse", "Reading the document"),
                    ("tree", "Building its outline"),
                    ("embed", "Indexing its passages"),
                    ("abstract", "Writing its abstracts"),
                    ("publish", "Publishing"),
                ],
                default="waiting",
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="Abstract",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                ("language", models.CharField(blank=True, max_length=10)),
                (
                    "generator",
                    models.CharField(
                        help_text="extractive, or the model that wrote it", max_length=100
                    ),
                ),
                (
                    "source_hash",
                    models.CharField(help_text="of what it was made from", max_length=64),
                ),
                (
                    "reused",
                    models.BooleanField(
                        default=False, help_text="taken over from an equal section"
                    ),
                ),
                ("input_tokens", models.PositiveIntegerField(null=True)),
                ("output_tokens", models.PositiveIntegerField(null=True)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "base",
                    accounts.tenancy.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.knowledgebase",
                    ),
                ),
                (
                    "node",
                    accounts.tenancy.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="abstracts",
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
                        related_name="+",
                        to="knowledge.documentversion",
                    ),
                ),
            ],
            options={
                "ordering": ["version", "node"],
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
                "indexes": [
                    models.Index(fields=["tenant", "base", "source_hash"], name="abstract_source"),
                    models.Index(fields=["tenant", "version"], name="abstract_version"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "node"), name="abstract_once_a_node")
                ],
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("Abstract"),
        ComposeForeignKey("Abstract", "base"),
        ComposeForeignKey("Abstract", "version"),
        ComposeForeignKey("Abstract", "node"),
    ]
