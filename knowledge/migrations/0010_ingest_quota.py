"""Limit what a tenant takes in, and let runs wait until their cost is approved."""

import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
from django.db import migrations, models

from accounts.row_level_security import IsolateTenant


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_isolation"),
        ("knowledge", "0009_abstracts"),
    ]

    operations = [
        migrations.AddField(
            model_name="documentversion",
            name="estimate",
            field=models.JSONField(
                help_text="pages, calls, input_tokens, output_tokens, tokens, price and currency of what a "
                "model was about to be paid for; None where nothing was",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="ingestionrun",
            name="approval",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "nobody was asked"),
                    ("model", "the model may be paid for"),
                    ("sentences", "sentences of the document are enough"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="knowledgebase",
            name="approval_tokens",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="An upload that will cost more tokens of a model waits for approval; "
                "empty: the company's limit.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="documentversion",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "Queued"),
                    ("running", "Running"),
                    ("approval", "waiting for approval"),
                    ("ready", "Ready"),
                    ("failed", "Failed"),
                ],
                default="queued",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="ingestionrun",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "Queued"),
                    ("running", "Running"),
                    ("approval", "waiting for approval"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                ],
                default="queued",
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="IngestUsage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version_number", models.BigIntegerField(help_text="the version it was for")),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("read", "reading the document"),
                            ("abstract", "abstracts by a model"),
                        ],
                        max_length=10,
                    ),
                ),
                ("tokens", models.PositiveBigIntegerField()),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
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
            ],
            options={
                "verbose_name_plural": "ingest usage",
                "ordering": ["-id"],
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
                "indexes": [
                    models.Index(fields=["tenant", "created_at"], name="ingest_usage_by_time")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "version_number", "purpose"), name="usage_once_a_version"
                    )
                ],
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name="TenantQuota",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "tokens_per_month",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="Tokens of documents read and of models that told about them, in a "
                        "calendar month; empty or 0: unlimited.",
                        null=True,
                    ),
                ),
                (
                    "bytes_stored",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="Bytes of all uploads kept; empty or 0: unlimited.",
                        null=True,
                    ),
                ),
                (
                    "approval_tokens",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="An upload that will cost more tokens of a model waits for "
                        "approval; empty: 200,000. A base may have its own.",
                        null=True,
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
            ],
            options={
                "verbose_name": "ingest quota",
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant",),
                        name="quota_once_a_tenant",
                        violation_error_message="This company has an ingest quota already; "
                        "change that.",
                    )
                ],
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("TenantQuota"),
        IsolateTenant("IngestUsage"),
    ]
