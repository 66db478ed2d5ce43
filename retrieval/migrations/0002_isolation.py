"""Give every owned table its composite key, its policy and its composite foreign keys."""

from django.db import migrations

from accounts.row_level_security import ComposeForeignKey, IsolateTenant


class Migration(migrations.Migration):
    dependencies = [
        ("retrieval", "0001_initial"),
        ("knowledge", "0002_isolation"),
    ]

    operations = [
        IsolateTenant("Conversation"),
        IsolateTenant("Run"),
        IsolateTenant("RunEvent"),
        IsolateTenant("Citation"),
        ComposeForeignKey("Conversation", "base"),
        ComposeForeignKey("Run", "base"),
        ComposeForeignKey("Run", "conversation"),
        ComposeForeignKey("RunEvent", "run"),
        ComposeForeignKey("Citation", "run"),
        ComposeForeignKey("Citation", "document"),
        ComposeForeignKey("Citation", "version"),
    ]
