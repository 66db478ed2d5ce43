"""Give every owned table its composite key, its policy and its composite foreign keys."""

from django.db import migrations

from accounts.row_level_security import ComposeForeignKey, IsolateTenant


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0001_initial"),
        ("accounts", "0002_isolation"),
    ]

    operations = [
        IsolateTenant("KnowledgeBase"),
        IsolateTenant("BaseAccess"),
        IsolateTenant("Document"),
        IsolateTenant("DocumentVersion"),
        IsolateTenant("VersionSource"),
        IsolateTenant("VersionText"),
        IsolateTenant("Node"),
        IsolateTenant("IndexEntry"),
        IsolateTenant("LexicalTerm"),
        IsolateTenant("IngestionRun"),
        ComposeForeignKey("BaseAccess", "base"),
        ComposeForeignKey("BaseAccess", "group"),
        ComposeForeignKey("Document", "base"),
        ComposeForeignKey("Document", "current_version"),
        ComposeForeignKey("Document", "latest_version"),
        ComposeForeignKey("DocumentVersion", "document"),
        ComposeForeignKey("VersionSource", "version"),
        ComposeForeignKey("VersionText", "version"),
        ComposeForeignKey("Node", "version"),
        ComposeForeignKey("Node", "parent"),
        ComposeForeignKey("IndexEntry", "base"),
        ComposeForeignKey("IndexEntry", "document"),
        ComposeForeignKey("IndexEntry", "version"),
        ComposeForeignKey("IndexEntry", "node"),
        ComposeForeignKey("LexicalTerm", "base"),
        ComposeForeignKey("IngestionRun", "version"),
    ]
