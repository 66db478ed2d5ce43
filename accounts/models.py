"""Tenants, the people in them and the groups a knowledge base can be restricted to."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.utils import timezone

from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned


class Tenant(models.Model):
    """A company; everything it keeps is invisible to every other."""

    slug = models.SlugField(max_length=60, unique=True, allow_unicode=True)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Return a new user; without a password they must set one by e-mail."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Return a new operator of the whole installation."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").lower())


class User(AbstractBaseUser, PermissionsMixin):
    """A person, signed in by e-mail; what they may see depends on their memberships alone."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200, blank=True)
    is_staff = models.BooleanField("may use the admin", default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        ordering = ["email"]

    def __str__(self) -> str:
        return self.name or self.email

    def clean(self) -> None:
        """Lower the address before its uniqueness is checked, as it will be stored."""
        super().clean()
        self.email = self.email.lower()

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.email = self.email.lower()
        super().save(*args, **kwargs)


class Role(models.TextChoices):
    OWNER = "owner"
    ADMIN = "admin"
    EDITOR = "editor"
    MEMBER = "member"


class Membership(TenantOwned):
    """A user's place in a tenant. Readable in all tenants by its own user, for signing in."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TenantManager["Membership"]()

    class Meta(TenantOwned.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "user"], name="membership_once_a_tenant")
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class Group(TenantOwned):
    """A set of members that a knowledge base can be restricted to."""

    name = models.CharField(max_length=100)

    objects = TenantManager["Group"]()

    class Meta(TenantOwned.Meta):
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "name"], name="group_name_once_a_tenant")
        ]

    def __str__(self) -> str:
        return self.name


class GroupMember(TenantOwned):
    group = TenantForeignKey(Group, on_delete=models.CASCADE, related_name="members")
    membership = TenantForeignKey(Membership, on_delete=models.CASCADE, related_name="groups")

    objects = TenantManager["GroupMember"]()

    class Meta(TenantOwned.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "group", "membership"], name="member_once_a_group"
            )
        ]

    def __str__(self) -> str:
        return f"{self.membership} in {self.group}"
