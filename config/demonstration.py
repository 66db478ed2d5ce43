"""The sample company that `make demo` shows: a tenant, an owner, a base and its documents."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from accounts.models import Membership, Role, Tenant, User
from accounts.tenancy import tenant_transaction
from knowledge.models import IngestionRun, KnowledgeBase
from knowledge.services.bases import base_create
from knowledge.services.uploads import document_upload

TENANT_SLUG, TENANT_NAME = "sondrell", "Sondrell Instruments"
EMAIL = "demo@sondrell.example"
BASE_NAME = "Company documents"
BASE_DESCRIPTION = (
    "Handbook, travel policies, manuals, prices and contracts of a made-up maker of field meters."
)
DOCUMENTS = Path(settings.BASE_DIR) / "sample_company"


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the demonstration's documents have been read, and how many there are."""

    over: int
    total: int


def demonstration_load() -> Tenant:
    """Make what is missing of the demonstration; documents that are there already are kept."""
    tenant, _ = Tenant.objects.get_or_create(slug=TENANT_SLUG, defaults={"name": TENANT_NAME})
    user = _owner(tenant)
    with tenant_transaction(tenant):
        base = KnowledgeBase.objects.first()
    if base is None:
        base = base_create(tenant=tenant, name=BASE_NAME, description=BASE_DESCRIPTION, by=user)
        for path in sorted(DOCUMENTS.iterdir()):
            document_upload(
                tenant=tenant, base=base, filename=path.name, content=path.read_bytes(), by=user
            )
    return tenant


def demonstration_progress(tenant: Tenant) -> Progress:
    """Return how far the worker is."""
    with tenant_transaction(tenant):
        total = IngestionRun.objects.count()
        return Progress(total - IngestionRun.objects.unfinished().count(), total)


def password() -> str:
    """Return the demonstration user's password, made on the first run and kept in a file."""
    path = Path(settings.DATA_DIR) / "demo-password"
    if not path.exists():
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(9) + "\n")
    return path.read_text(encoding="ascii").strip()


def _owner(tenant: Tenant) -> User:
    user = User.objects.filter(email=EMAIL).first()
    if user is None:
        user = User.objects.create_superuser(EMAIL, password(), name="Demo Owner")
    with tenant_transaction(tenant):
        Membership.objects.get_or_create(tenant=tenant, user=user, defaults={"role": Role.OWNER})
    return user
