"""Let a base name the embedding model that serves it, and change to another in the background.

Bases of before are served by the model of most of their entries; what their tables were indexed by
is not known, so those are embedded anew by their text.
"""

import django.db.models.deletion
import django.db.models.manager
import django.utils.timezone
import pgvector.django.halfvec
from django.db import migrations, models

import accounts.tenancy
from accounts.row_level_security import ComposeForeignKey, IsolateTenant

# Row-level security shows a migration no rows without the tenant's setting.
SERVE = """
    DO $$ DECLARE company bigint; BEGIN
        FOR company IN SELECT id FROM accounts_tenant LOOP
            PERFORM set_config('app.tenant_id', company::text, true);
            UPDATE knowledge_knowledgebase base SET serving_model = entries.model FROM (
                SELECT base_id, mode() WITHIN GROUP (ORDER BY embedding_model) AS model
                FROM knowledge_indexentry GROUP BY base_id
            ) entries WHERE entries.base_id = base.id;
        END LOOP;
        PERFORM set_config('app.tenant_id', '', true);
    END $$
"""
FOREIGN_KEY = """
    ALTER TABLE knowledge_entryvector DROP CONSTRAINT knowledge_entryvector_entry_id_tenant_fk,
    ADD CONSTRAINT knowledge_entryvector_entry_id_tenant_fk FOREIGN KEY (tenant_id, entry_id)
    REFERENCES knowledge_indexentry (tenant_id, id) {} DEFERRABLE INITIALLY DEFERRED
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_isolation"),
        ("knowledge", "0007_version_cost"),
    ]

    operations = [
        migrations.AddField(
            model_name="indexentry",
            name="index_text",
            field=models.TextField(
                blank=True,
                help_text="what is indexed below the headings, where it is not the passage",
            ),
        ),
        migrations.AddField(
            model_name="knowledgebase",
            name="serving_model",
            field=models.CharField(blank=True, editable=False, max_length=100),
        ),
        migrations.AddField(
            model_name="knowledgebase",
            name="serving_server",
            field=models.JSONField(editable=False, null=True),
        ),
        migrations.CreateModel(
            name="EntryVector",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("model", models.CharField(max_length=100)),
                (
                    "input_hash",
                    models.CharField(help_text="of the text that was embedded", max_length=64),
                ),
                ("dense", pgvector.django.halfvec.HalfVectorField()),
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
                    "entry",
                    accounts.tenancy.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="knowledge.indexentry",
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
                "abstract": False,
                "base_manager_name": "all_tenants",
                "default_manager_name": "all_tenants",
                "indexes": [
                    models.Index(fields=["tenant", "base", "input_hash"], name="next_vector_input")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "entry"), name="next_vector_once_an_entry"
                    )
                ],
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name="Reembedding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "model",
                    models.CharField(help_text="that the base is to change to", max_length=100),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                (
                    "done",
                    models.PositiveIntegerField(
                        default=0, help_text="entries with their new vector"
                    ),
                ),
                ("total", models.PositiveIntegerField(default=0)),
                ("tokens_done", models.PositiveBigIntegerField(default=0)),
                ("tokens_total", models.PositiveBigIntegerField(default=0)),
                ("message", models.TextField(blank=True)),
                (
                    "attempts",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="since the last progress"
                    ),
                ),
                (
                    "claim",
                    models.CharField(
                        blank=True, help_text="token of the worker at it", max_length=32
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "not_before",
                    models.DateTimeField(
                        help_text="Nobody takes it before; it has no queue message until then.",
                        null=True,
                    ),
                ),
                ("heartbeat_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "base",
                    accounts.tenancy.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reembeddings",
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "base"), name="one_reembedding_a_base"
                    )
                ],
            },
            managers=[
                ("all_tenants", django.db.models.manager.Manager()),
            ],
        ),
        IsolateTenant("EntryVector"),
        IsolateTenant("Reembedding"),
        ComposeForeignKey("EntryVector", "base"),
        ComposeForeignKey("EntryVector", "entry"),
        ComposeForeignKey("Reembedding", "base"),
        migrations.RunSQL(FOREIGN_KEY.format("ON DELETE CASCADE"), FOREIGN_KEY.format("")),
        migrations.RunSQL(SERVE, migrations.RunSQL.noop),
    ]
