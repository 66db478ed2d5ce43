"""Let a company have models of its own, price what they do, and keep the choice of a preset."""

import django.core.validators
import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
from django.db import migrations, models

from accounts.row_level_security import IsolateTenant


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_isolation"),
        ("retrieval", "0003_usage_and_rewriting"),
    ]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="preset",
            field=models.CharField(
                blank=True, help_text="chosen for its questions; empty: the base's", max_length=20
            ),
        ),
        migrations.AddField(
            model_name="usageentry",
            name="cost",
            field=models.DecimalField(
                decimal_places=6,
                help_text="at the model's prices when it was called; empty: unknown",
                max_digits=14,
                null=True,
            ),
        ),
        migrations.CreateModel(
            name="LanguageModel",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="What answers and the ledger call it, such as “Large, in house”.",
                        max_length=100,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("answer", "answer: writes answers and abstracts"),
                            ("agent", "agent: explores with tools"),
                            ("cheap", "cheap: plans and rewrites questions"),
                            ("vision", "vision: describes figures"),
                        ],
                        default="answer",
                        help_text="agent and cheap are played by the model for answer where there is none of their own.",
                        max_length=10,
                    ),
                ),
                (
                    "base_url",
                    models.CharField(
                        help_text="Of a server that speaks OpenAI's API, mostly ending in /v1.",
                        max_length=500,
                        verbose_name="base URL",
                    ),
                ),
                (
                    "model_id",
                    models.CharField(
                        help_text="The server's own name of the model.",
                        max_length=200,
                        verbose_name="model",
                    ),
                ),
                ("sealed_key", models.TextField(blank=True, editable=False)),
                (
                    "context_tokens",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="The most it reads and writes in one call; longer prompts are shortened by Cairn. Empty: the server says when it is too much. Set it for Ollama, which does not.",
                        null=True,
                        validators=[django.core.validators.MinValueValidator(2000)],
                        verbose_name="context, in tokens",
                    ),
                ),
                (
                    "timeout_s",
                    models.PositiveIntegerField(
                        default=120,
                        help_text="For one call with all its attempts.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3600),
                        ],
                        verbose_name="time-out, in seconds",
                    ),
                ),
                (
                    "price_prompt",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        max_digits=10,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="prompt",
                    ),
                ),
                (
                    "price_cached",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="Empty: as any prompt.",
                        max_digits=10,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="cached prompt",
                    ),
                ),
                (
                    "price_completion",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        max_digits=10,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="completion",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True, help_text="One active model a role.", verbose_name="active"
                    ),
                ),
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
                "ordering": ["role", "name"],
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "name"),
                        name="model_name_once_a_tenant",
                        violation_error_message="This company has a model of this name already.",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("is_active", True)),
                        fields=("tenant", "role"),
                        name="active_model_once_a_role",
                        violation_error_message="Another active model has this role. Make that one inactive first, or this one.",
                    ),
                ],
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("LanguageModel"),
    ]
