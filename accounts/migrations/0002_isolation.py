"""Give every owned table its composite key, its policy and its composite foreign keys."""

from django.db import migrations

from accounts.row_level_security import ComposeForeignKey, IsolateTenant


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        IsolateTenant("Membership", own_rows_of_user=True),
        IsolateTenant("Group"),
        IsolateTenant("GroupMember"),
        ComposeForeignKey("GroupMember", "group"),
        ComposeForeignKey("GroupMember", "membership"),
    ]
