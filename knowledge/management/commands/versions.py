"""manage.py versions DOCUMENT-URI --tenant T --kb K [--compare A B] [--rollback N] [--json]"""

import time
from typing import Any

from django.core.management.base import CommandParser

from accounts.models import Tenant
from accounts.operator import BadUsage, TenantCommand
from accounts.tenancy import tenant_transaction
from knowledge.ingest.paths import InvalidUri, format_uri, parse_uri
from knowledge.models import Document, DocumentVersion, IngestionRun, KnowledgeBase
from knowledge.reading.comparison import Comparison, SectionChange, versions_compare
from knowledge.reading.report import reuse_json
from knowledge.services.ingestion import run_ingest
from knowledge.services.sweeping import runs_sweep
from knowledge.services.versions import RestoreRefused, version_restore

POLL_S = 0.5


class Command(TenantCommand):
    help = "List the versions of a document, compare two, or go back to one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("uri", metavar="DOCUMENT-URI", help="kb://base/document")
        super().add_arguments(parser)
        does = parser.add_mutually_exclusive_group()
        does.add_argument("--compare", nargs=2, type=int, metavar=("A", "B"), help="by number")
        does.add_argument("--rollback", type=int, metavar="N", help="use version N again")

    def handle(self, *args: Any, **options: Any) -> None:
        tenant = self.tenant(options)
        with tenant_transaction(tenant):
            document = _document(options["kb"], options["uri"])
        if options["compare"]:
            self._compare(tenant, document, options)
            return
        if options["rollback"] is not None:
            self._roll_back(tenant, document, options["rollback"])
        self._list(tenant, document, options)

    def _compare(self, tenant: Tenant, document: Document, options: dict[str, Any]) -> None:
        with tenant_transaction(tenant):
            old, new = (_ready(document, number) for number in options["compare"])
            result = versions_compare(old, new)
        if options["json"]:
            self.print_json(_comparison_json(options["uri"], result))
            return
        for change in result.changes:
            self.stdout.write(f"{', '.join(change.kinds)}: {' > '.join(change.headings)}")
            for edit in change.edits:
                for sign, text in (("-", edit.old), ("+", edit.new)):
                    if text:
                        self.stdout.write(f"  {sign} {' '.join(text.split())}")
            if change.left_out:
                self.stdout.write(f"  ... and {change.left_out} more")
        hidden = result.total - len(result.changes)
        self.stdout.write(
            f"{result.total} section{'s differ' if result.total != 1 else ' differs'}"
            f"{f', {hidden} not shown' * bool(hidden)}."
        )

    def _roll_back(self, tenant: Tenant, document: Document, number: int) -> None:
        """Use a version again and wait until it is. Raises BadUsage; exits with 1 if it failed."""
        with tenant_transaction(tenant):
            version = _version(document, number)
        try:
            run = version_restore(tenant=tenant, version=version)
        except RestoreRefused as refused:
            raise BadUsage(str(refused)) from refused
        while (pending := _unfinished(tenant, document)) is not None:
            run_ingest(tenant_id=tenant.pk, run_id=pending)
            if _unfinished(tenant, document) is not None:
                time.sleep(POLL_S)
                # The worker may be dead, and the sweeper of another worker not there.
                runs_sweep(tenant=tenant)
        with tenant_transaction(tenant):
            run = IngestionRun.objects.filter(version__document=document).order_by("-pk")[0]
        if run.state != IngestionRun.State.DONE:
            self.stderr.write(f"Version {number} cannot be used again: {run.message}")
            raise SystemExit(1)

    def _list(self, tenant: Tenant, document: Document, options: dict[str, Any]) -> None:
        with tenant_transaction(tenant):
            document.refresh_from_db()
            versions = list(DocumentVersion.objects.filter(document=document).order_by("number"))
        current = document.current_version_id
        if options["json"]:
            rows = [_version_json(version, current) for version in versions]
            self.print_json({"uri": options["uri"], "title": document.title, "versions": rows})
            return
        for version in versions:
            mark = "*" if version.pk == current else " "
            made = f"{version.created_at:%Y-%m-%d %H:%M}"
            self.stdout.write(
                f"{mark} {version.number:3} {made} {version.state:7} {version.chunks} passages, "
                f"{version.reused_vectors} reused {version.message}".rstrip()
            )


def _document(kb: str, text: str) -> Document:
    """Return the document at an address of the base. Raises BadUsage."""
    try:
        uri = parse_uri(text)
    except InvalidUri as error:
        raise BadUsage(str(error)) from error
    base = KnowledgeBase.objects.filter(slug=kb).first()
    if base is None:
        raise BadUsage(f"There is no knowledge base {kb}.")
    path = "/".join(part for part in (uri.document, uri.path) if part)
    document = Document.objects.filter(base=base, path=path).first() if uri.kb == kb else None
    if document is None:
        raise BadUsage(
            f"There is no document {text} in the knowledge base {kb}. "
            f"`manage.py tool inventory` tells the addresses of all its documents."
        )
    return document


def _version(document: Document, number: int) -> DocumentVersion:
    version = DocumentVersion.objects.filter(document=document, number=number).first()
    if version is None:
        raise BadUsage(f"The document has no version {number}.")
    return version


def _ready(document: Document, number: int) -> DocumentVersion:
    version = _version(document, number)
    if version.state != DocumentVersion.State.READY:
        raise BadUsage(f"Version {number} was never ready, so there is nothing to compare.")
    return version


def _unfinished(tenant: Tenant, document: Document) -> int | None:
    with tenant_transaction(tenant):
        runs = IngestionRun.objects.unfinished().filter(version__document=document)
        return runs.order_by("pk").values_list("pk", flat=True).first()


def _version_json(version: DocumentVersion, current: int | None) -> dict[str, Any]:
    return {
        "version": version.number,
        "current": version.pk == current,
        "state": version.state,
        "verdict": version.verdict,
        "message": version.message,
        "sha256": version.sha256,
        "size": version.size,
        "created_at": version.created_at.isoformat(),
        "published_at": version.published_at.isoformat() if version.published_at else None,
        "pages": version.pages,
        "sections": version.sections,
        "chunks": version.chunks,
        "tokens": version.tokens,
        "reused": reuse_json(version),
        "seconds": version.seconds,
    }


def _comparison_json(uri: str, result: Comparison) -> dict[str, Any]:
    return {
        "uri": uri,
        "old": result.old.number,
        "new": result.new.number,
        "counts": result.counts,
        "total": result.total,
        "changes": [_change_json(uri, change) for change in result.changes],
    }


def _change_json(uri: str, change: SectionChange) -> dict[str, Any]:
    return {
        "kinds": list(change.kinds),
        "uri": format_uri(parse_uri(uri).kb, *change.path.split("/", 1)),
        "headings": list(change.headings),
        "old_title": change.old_title,
        "edits": [{"old": edit.old, "new": edit.new} for edit in change.edits],
        "left_out": change.left_out,
    }
