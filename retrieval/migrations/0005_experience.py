"""Keep experience: questions answered before, edges to what answered them, verdicts, audits."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
import pgvector.django.halfvec
from django.conf import settings
from django.db import migrations, models

import accounts.tenancy
from accounts.row_level_security import ComposeForeignKey, IsolateTenant


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_isolation"),
        ("knowledge", "0013_reading_options"),
        ("retrieval", "0004_language_models"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="learned_at",
            field=models.DateTimeField(
                help_text="when it was looked through for experience, once", null=True
            ),
        ),
        migrations.CreateModel(
            name="ExperienceQuestion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                ("text_hash", models.CharField(help_text="of the text, folded", max_length=64)),
                (
                    "origin",
                    models.CharField(
                        choices=[
                            ("live", "Live"),
                            ("synthetic", "Synthetic"),
                            ("import", "imported"),
                        ],
                        default="live",
                        max_length=10,
                    ),
                ),
                (
                    "run_number",
                    models.BigIntegerField(
                        help_text="the latest run it was learnt from", null=True
                    ),
                ),
                ("embedding_model", models.CharField(max_length=100)),
                ("dense", pgvector.django.halfvec.HalfVectorField()),
                ("tokens", models.PositiveIntegerField(null=True)),
                ("rounds", models.PositiveSmallIntegerField(default=0)),
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
                "ordering": ["-id"],
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name="ExperienceEdge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("path", models.TextField(help_text="of the target, a leaf")),
                ("stable_key", models.CharField(max_length=64)),
                ("content_hash", models.CharField(max_length=64)),
                (
                    "sources",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), default=list, size=None
                    ),
                ),
                (
                    "hop",
                    models.PositiveSmallIntegerField(
                        default=1, help_text="0 where the first search has found the target as well"
                    ),
                ),
                (
                    "trace",
                    models.JSONField(default=list, help_text="the tools that led to it, in order"),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("suspect", "suspect: its target has changed"),
                            ("stale", "stale: its target is gone"),
                            ("blocked", "blocked by a reader's verdict"),
                            ("disabled", "disabled by an operator"),
                        ],
                        default="active",
                        max_length=10,
                    ),
                ),
                ("successes", models.FloatField(default=0.0, help_text="verified uses, decayed")),
                (
                    "failures",
                    models.FloatField(
                        default=0.0, help_text="uses that nothing was cited of, decayed"
                    ),
                ),
                ("uses", models.PositiveIntegerField(default=0)),
                (
                    "credited_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, help_text="of the decay"
                    ),
                ),
                ("used_at", models.DateTimeField(null=True)),
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
                    "document",
                    accounts.tenancy.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.document",
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
                (
                    "question",
                    accounts.tenancy.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="edges",
                        to="retrieval.experiencequestion",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name="ExperienceSettings",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "policy",
                    models.CharField(
                        choices=[
                            ("off", "off: neither learnt nor used"),
                            ("record", "record: learnt, not used yet"),
                            ("learn", "learn: learnt and used"),
                            ("frozen", "frozen: used, nothing new is learnt"),
                        ],
                        default="learn",
                        max_length=10,
                    ),
                ),
                (
                    "audit_share",
                    models.FloatField(
                        default=0.0,
                        help_text="Share of the answers given without the agent that are checked by it in the background, 0 to 1. Each check costs what the agent costs.",
                    ),
                ),
                (
                    "base",
                    accounts.tenancy.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="experience",
                        to="knowledge.knowledgebase",
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
                "verbose_name_plural": "experience settings",
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name="Feedback",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("good", "Good"),
                            ("bad", "Bad"),
                            ("wrong_source", "wrong source"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "run",
                    accounts.tenancy.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feedback",
                        to="retrieval.run",
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
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name="ShadowAudit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "agrees",
                    models.BooleanField(
                        help_text="whether the agent found the same; empty: not known (yet)",
                        null=True,
                    ),
                ),
                (
                    "confidence",
                    models.FloatField(
                        help_text="of the answer without the agent, as the cut is calibrated by it",
                        null=True,
                    ),
                ),
                ("answer", models.TextField(blank=True, help_text="of the agent")),
                ("paths", models.JSONField(default=list, help_text="that the agent cited")),
                (
                    "reason",
                    models.TextField(blank=True, help_text="in what they differ, or why it failed"),
                ),
                ("tokens", models.PositiveIntegerField(null=True)),
                ("heartbeat_at", models.DateTimeField(null=True)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "run",
                    accounts.tenancy.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="audits",
                        to="retrieval.run",
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
                "ordering": ["-id"],
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        migrations.AddConstraint(
            model_name="experiencequestion",
            constraint=models.UniqueConstraint(
                fields=("tenant", "base", "text_hash"), name="experience_question_once_a_base"
            ),
        ),
        migrations.AddIndex(
            model_name="experienceedge",
            index=models.Index(fields=["tenant", "base", "state"], name="edge_state"),
        ),
        migrations.AddIndex(
            model_name="experienceedge",
            index=models.Index(fields=["tenant", "document", "version"], name="edge_document"),
        ),
        migrations.AddConstraint(
            model_name="experienceedge",
            constraint=models.UniqueConstraint(
                fields=("tenant", "question", "path"), name="edge_once_a_question_and_target"
            ),
        ),
        migrations.AddConstraint(
            model_name="experiencesettings",
            constraint=models.UniqueConstraint(
                fields=("tenant", "base"), name="experience_once_a_base"
            ),
        ),
        migrations.AddConstraint(
            model_name="experiencesettings",
            constraint=models.CheckConstraint(
                condition=models.Q(("audit_share__gte", 0), ("audit_share__lte", 1)),
                name="audit_share_is_a_share",
            ),
        ),
        migrations.AddConstraint(
            model_name="feedback",
            constraint=models.UniqueConstraint(
                fields=("tenant", "run"), name="feedback_once_a_run"
            ),
        ),
        migrations.AddConstraint(
            model_name="shadowaudit",
            constraint=models.UniqueConstraint(fields=("tenant", "run"), name="audit_once_a_run"),
        ),
        IsolateTenant("ExperienceSettings"),
        IsolateTenant("ExperienceQuestion"),
        IsolateTenant("ExperienceEdge"),
        IsolateTenant("Feedback"),
        IsolateTenant("ShadowAudit"),
        ComposeForeignKey("ExperienceSettings", "base"),
        ComposeForeignKey("ExperienceQuestion", "base"),
        ComposeForeignKey("ExperienceEdge", "base"),
        ComposeForeignKey("ExperienceEdge", "question"),
        ComposeForeignKey("ExperienceEdge", "document"),
        ComposeForeignKey("ExperienceEdge", "version"),
        ComposeForeignKey("Feedback", "run"),
        ComposeForeignKey("ShadowAudit", "run"),
    ]
