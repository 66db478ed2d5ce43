"""Conversations: a user's questions to one base, in order. Nobody else sees them."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.models import Membership
from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from knowledge.models import KnowledgeBase


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def of(self, membership: Membership) -> "ConversationQuerySet":
        """The member's own conversations in bases that they may still read."""
        bases = KnowledgeBase.objects.visible_to(membership)
        return self.filter(user_id=membership.user_id, base__in=bases)

    def closed_to(self, membership: Membership) -> "ConversationQuerySet":
        """The member's own conversations in bases that they may read no more."""
        bases = KnowledgeBase.objects.visible_to(membership)
        return self.filter(user_id=membership.user_id).exclude(base__in=bases)


ConversationManager = TenantManager.from_queryset(ConversationQuerySet)


class Conversation(TenantOwned):
    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="conversations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="conversations"
    )
    title = models.CharField(max_length=200)
    preset = models.CharField(
        max_length=20, blank=True, help_text="chosen for its questions; empty: the base's"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ConversationManager()

    class Meta(TenantOwned.Meta):
        ordering = ["-updated_at", "-id"]
        indexes = [
            models.Index(fields=["tenant", "user", "-updated_at"], name="conversation_recent")
        ]

    def __str__(self) -> str:
        """Not the title, which is a question of its asker's own."""
        return f"Conversation {self.pk}"
