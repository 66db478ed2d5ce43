"""Uploads: from bytes with a name to a document, a version and a queued ingestion run.

Errors: UploadRefused, with a sentence for the person who sent the file, only for what cannot even
be stored. Anything wrong *inside* a file is found by ingestion and ends as a failed version.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from django.conf import settings

from accounts.models import Tenant, User
from accounts.tenancy import tenant_transaction
from knowledge.ingest.preflight import MEGABYTE
from knowledge.models import Document, DocumentVersion, KnowledgeBase
from knowledge.services.costs import QuotaExceeded, upload_require
from knowledge.services.folders import TooDeep, free_path
from knowledge.services.versions import version_add, version_queue, version_wanted

NAME_MAX_LENGTH = 200
_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")


class UploadRefused(ValueError):
    """The file cannot be stored; the message says why."""


class Outcome(StrEnum):
    NEW = "new"
    NEW_VERSION = "new_version"
    UNCHANGED = "unchanged"
    RETRIED = "retried"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True)
class Upload:
    document: Document
    version: DocumentVersion
    outcome: Outcome


def document_upload(
    *, tenant: Tenant, base: KnowledgeBase, filename: str, content: bytes, by: User | None
) -> Upload:
    """Store a file and queue its ingestion; the file's name decides which document it is.

    The same bytes as the document's latest version change nothing, unless that version failed or
    an earlier one is used instead: then it is tried, or used, again. Raises UploadRefused.
    """
    name = _accepted_name(filename)
    if len(content) > settings.UPLOAD_MAX_BYTES:
        limit = settings.UPLOAD_MAX_BYTES // MEGABYTE
        raise UploadRefused(f"{name} is larger than {limit} MB, the largest file accepted here.")
    digest = hashlib.sha256(content).hexdigest()
    with tenant_transaction(tenant):
        # Two uploads of one name at the same moment: the second waits and finds the first.
        if KnowledgeBase.objects.lock(base.pk) is None:
            raise UploadRefused("This knowledge base was deleted.")
        document = (
            Document.objects.filter(base=base, filename=name)
            .select_related("latest_version")
            .first()
        )
        latest = document.latest_version if document else None
        if document is not None and (same := _same(document, digest)) is not None:
            return same
        try:
            upload_require(len(content))
        except QuotaExceeded as refused:
            raise UploadRefused(f"{name[:60]}: {refused}") from refused
        outcome = Outcome.NEW_VERSION if document else Outcome.NEW
        if document is None:
            try:
                document = _new_document(base, name, by)
            except TooDeep as refused:
                raise UploadRefused(f"{name[:60]}: {refused}") from refused
        version = version_add(document, latest, content, digest, by)
        return Upload(document, version, outcome)


def version_retry(*, tenant: Tenant, version: DocumentVersion) -> bool:
    """Queue a failed version again, with fresh attempts; return whether that was done.

    Left as it is in any other state, and when it has been deleted.
    """
    with tenant_transaction(tenant):
        bases = Document.objects.filter(versions=version).values_list("base_id", flat=True)
        base_id = bases.first()
        # A run that is made while its document is deleted would be in the deletion's way.
        if base_id is None or KnowledgeBase.objects.lock(base_id) is None:
            return False
        return _retry(version)


def stored_name(filename: str) -> str:
    """Return the name, with its folders, in NFC and without control characters or dots-only parts.

    Spaces of any width become plain ones. It decides which document a file is; '' when nothing is
    left.
    """
    name = unicodedata.normalize("NFC", filename).replace("\\", "/")
    name = _SPACE.sub(" ", name)
    name = "".join(character for character in name if character.isprintable())
    parts = [part.strip() for part in name.split("/")]
    return "/".join(part for part in parts if part.strip("."))


def _accepted_name(filename: str) -> str:
    """Return the name that is stored. Raises UploadRefused when nothing is left, or too much."""
    name = stored_name(filename)
    if not name:
        raise UploadRefused("The file has no name.")
    if len(name) > NAME_MAX_LENGTH:
        raise UploadRefused(
            f"The file's name is longer than {NAME_MAX_LENGTH} characters: {name[:60]}…"
        )
    return name


def _new_document(base: KnowledgeBase, name: str, by: User | None) -> Document:
    return Document.objects.create(
        tenant_id=base.tenant_id,
        base=base,
        path=free_path(base, name),
        title=PurePosixPath(name).stem or name,
        filename=name,
        created_by=by,
    )


def _same(document: Document, digest: str) -> Upload | None:
    """Return what becomes of bytes that the document has already, None if they are new to it."""
    latest, wanted = document.latest_version, version_wanted(document)
    if latest is not None and latest.sha256 == digest:
        if _retry(latest):
            return Upload(document, latest, Outcome.RETRIED)
        if wanted is None or wanted.pk == latest.pk:
            return Upload(document, latest, Outcome.UNCHANGED)
        version_queue(latest)
        return Upload(document, latest, Outcome.RESTORED)
    if wanted is not None and wanted.sha256 == digest:
        return Upload(document, wanted, Outcome.UNCHANGED)
    return None


def _retry(version: DocumentVersion) -> bool:
    """Queue the version if it is failed; of two calls at once only one finds it so."""
    failed = DocumentVersion.objects.filter(pk=version.pk, state=DocumentVersion.State.FAILED)
    if not failed.update(state=DocumentVersion.State.QUEUED, verdict="", message=""):
        return False
    version.state = DocumentVersion.State.QUEUED
    version_queue(version)
    return True
