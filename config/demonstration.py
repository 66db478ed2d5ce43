"""The sample company that `make demo` shows: a tenant, an owner, a base and its documents."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import Membership, Role, Tenant, User
from accounts.tenancy import tenant_transaction
from knowledge.ingest.slugs import slug
from knowledge.models import DocumentVersion, IngestionRun, KnowledgeBase
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
    """How many of the sample documents have been read, of how many, and what the worker is at."""

    over: int
    total: int
    doing: str


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
    """Return how far the worker is with the sample; what else there is may be read later."""
    with tenant_transaction(tenant):
        samples = _samples()
        runs = IngestionRun.objects.filter(version__in=samples).unfinished()
        waiting = runs.values("version").distinct().count()
        run = runs.filter(state=IngestionRun.State.RUNNING).select_related("version").last()
        total = samples.count()
    return Progress(total - waiting, total, _doing(run))


def demonstration_password() -> str:
    """Return the demonstration user's password, '' when it is not (or no longer) known here.

    It is not after somebody has changed it, or has put back a back-up of another installation.
    """
    user = User.objects.get(email=EMAIL)
    path = _password_file()
    known = path.read_text(encoding="ascii").strip() if path.exists() else ""
    return known if known and user.is_active and user.check_password(known) else ""


def _samples() -> QuerySet[DocumentVersion]:
    """Return the versions that `demonstration_load` made and nobody has deleted since."""
    names = [path.name for path in DOCUMENTS.iterdir()]
    return DocumentVersion.objects.filter(
        number=1, document__filename__in=names, document__base__slug=slug(BASE_NAME)
    )


def _doing(run: IngestionRun | None) -> str:
    if run is None:
        return "waiting for the worker"
    stage = IngestionRun.Stage(run.stage).label.lower()
    steps = f", {run.done} of {run.total}" if run.total > 1 else ""
    return f"{run.version.filename}: {stage}{steps}"


def _password_file() -> Path:
    return Path(settings.DATA_DIR) / "demo-password"


def _new_password() -> str:
    """Return a password for a user that is not there yet, kept in a file for the later runs."""
    path, password = _password_file(), secrets.token_urlsafe(9)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(password + "\n")
    return password


def _owner(tenant: Tenant) -> User:
    user = User.objects.filter(email=EMAIL).first()
    if user is None:
        user = User.objects.create_superuser(EMAIL, _new_password(), name="Demo Owner")
    with tenant_transaction(tenant):
        Membership.objects.get_or_create(tenant=tenant, user=user, defaults={"role": Role.OWNER})
    return user
