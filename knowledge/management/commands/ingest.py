"""manage.py ingest PATH... --tenant T --kb K [--parse-mode M] [...] [--no-wait] [--json]"""

import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.db import InterfaceError, OperationalError
from psycopg import errors

from accounts.models import Tenant
from accounts.operator import BadUsage, TenantCommand
from accounts.tenancy import tenant_transaction
from knowledge.ingest.paths import format_uri
from knowledge.ingest.plurals import counted
from knowledge.ingest.slugs import slug
from knowledge.management.reading_arguments import options_add, options_chosen
from knowledge.models import DocumentVersion, IngestionRun, KnowledgeBase
from knowledge.reading.report import abstracts_json, estimate_json, reuse_json
from knowledge.services.archives import file_upload
from knowledge.services.bases import base_create, base_read_as
from knowledge.services.ingestion import run_ingest
from knowledge.services.sweeping import runs_sweep
from knowledge.services.uploads import Upload

POLL_S = 0.5
BAR = 24
UNFINISHED = ("queued", "running", "approval")
DATABASE_ERRORS = (OperationalError, InterfaceError)


@dataclass(frozen=True, slots=True)
class _File:
    """A file on disk and what it is called here, in characters that every program can read."""

    path: Path
    name: str
    shown: str


class Command(TenantCommand):
    help = "Ingest files and folders into a knowledge base, made if it is missing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", help="files or folders")
        parser.add_argument(
            "--no-wait",
            action="store_true",
            help="leave to a worker what waits for the embedding model or is being read by another",
        )
        options_add(parser)
        super().add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if "" in options["paths"]:
            # An unset variable of the shell; as a path it would be the current folder.
            raise BadUsage("A PATH is empty.")
        chosen = options_chosen(options)
        files = [file for path in options["paths"] for file in self._files(Path(path))]
        began = time.monotonic()
        reports = self._reports(files, options, chosen)
        self._finish(options, reports, time.monotonic() - began)

    def _reports(
        self, files: list[_File], options: dict[str, Any], chosen: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """Store all files, so that they are safe, then read one after the other."""
        try:
            tenant = self._tenant_or_new(options["tenant"])
            base = _base_or_new(tenant, options["kb"])
            if chosen:
                reading = replace(base.reading, **chosen)
                base_read_as(tenant=tenant, base=base, options=reading)
        except DATABASE_ERRORS as error:
            return [_refusal(file, _database_sentence(error)) for file in files]
        uploads = [pair for file in files for pair in self._upload(tenant, base, file)]
        reports = []
        for number, (file, upload) in enumerate(uploads, start=1):
            if isinstance(upload, Upload):
                reports.append(self._ingest(tenant, base, file, upload, options["no_wait"]))
            else:
                reports.append(_refusal(file, upload))
            self._progress(number, len(uploads), reports[-1])
        return reports

    def _files(self, path: Path) -> Iterator[_File]:
        """Yield the files at or below a path. Raises BadUsage for one that does not exist."""
        if path.is_file():
            yield _file(path, path.name)
        elif path.is_dir():
            for below in sorted(path.rglob("*")):
                relative = below.relative_to(path)
                if why := _left_out(below, relative):
                    self.note(f"Left out, {why}: {_readable(str(relative))}")
                elif below.is_file():
                    yield _file(below, relative.as_posix())
        else:
            raise BadUsage(f"There is no file or folder {_readable(str(path))}.")

    def _tenant_or_new(self, name: str) -> Tenant:
        """Return the tenant; a new one has no members until the admin gives it some."""
        _require_slug(name, "--tenant")
        tenant, made = Tenant.objects.get_or_create(slug=name, defaults={"name": name})
        if made:
            self.note(f"Made the tenant {name}; give it members in the admin.")
        return tenant

    def _upload(
        self, tenant: Tenant, base: KnowledgeBase, file: _File
    ) -> Iterator[tuple[_File, Upload | str]]:
        """Yield the file, or each one in an archive, with what became of it."""
        try:
            content = file.path.read_bytes()
        except OSError as error:
            yield file, f"The file cannot be read: {error.strerror}."
            return
        try:
            for received in file_upload(
                tenant=tenant, base=base, filename=file.name, content=content, by=None
            ):
                shown = f"{file.shown}/{received.entry}" if received.entry else file.shown
                if received.is_incidental:
                    self.note(f"Left out, made by a system: {shown}")
                    continue
                one = _File(file.path, received.name, shown)
                yield one, received.upload or received.refusal
        except DATABASE_ERRORS as error:
            yield file, _database_sentence(error)

    def _ingest(
        self, tenant: Tenant, base: KnowledgeBase, file: _File, upload: Upload, no_wait: bool
    ) -> dict[str, Any]:
        """Take the file to its end, here or by waiting for whoever has it; report how it stands."""
        began = time.monotonic()
        try:
            run = self._take(tenant, file, upload, no_wait)
            with tenant_transaction(tenant):
                versions = DocumentVersion.objects.select_related("document")
                version = versions.get(pk=upload.version.pk)
        except DATABASE_ERRORS as error:
            return _refusal(file, _database_sentence(error))
        report = _report(base, file, version, time.monotonic() - began)
        return report if run is None else report | {"message": run.message}

    def _take(
        self, tenant: Tenant, file: _File, upload: Upload, no_wait: bool
    ) -> IngestionRun | None:
        """Return the run that is left unfinished, with `no_wait` or for approval, else None."""
        told = ""
        while (run := _unfinished(tenant, upload)) is not None:
            run_ingest(tenant_id=tenant.pk, run_id=run.pk)
            run = _unfinished(tenant, upload)
            if run is None or no_wait or run.state == IngestionRun.State.APPROVAL:
                return run
            reason = run.message or "Waiting for the worker that reads it."
            if reason != told:
                self.note(f"{file.shown}: {reason}")
                told = reason
            time.sleep(POLL_S)
            # The worker may be dead, and the sweeper of another worker not there.
            runs_sweep(tenant=tenant)
        return None

    def _progress(self, number: int, total: int, report: dict[str, Any]) -> None:
        filled = BAR * number // total
        bar = "#" * filled + "." * (BAR - filled)
        line = f"[{bar}] {number}/{total} {report['state']:7} {report['file']}"
        if sys.stderr.isatty():
            self.note(f"\r\033[K{line[:100]}", ending="" if number < total else "\n")
        else:
            self.note(line)

    def _finish(
        self, options: dict[str, Any], reports: list[dict[str, Any]], seconds: float
    ) -> None:
        failed = [report for report in reports if report["state"] == "failed"]
        left = [report for report in reports if report["state"] in UNFINISHED]
        if options["json"]:
            summary = {"tenant": options["tenant"], "kb": options["kb"]}
            self.print_json(summary | {"seconds": round(seconds, 3), "files": reports})
        else:
            for report in [*failed, *left]:
                self.stdout.write(f"{report['file']}: {report['message']}")
            ready = len(reports) - len(failed) - len(left)
            total = counted(len(reports), "file")
            self.stdout.write(f"{ready} of {total} ready in {seconds:.1f} s.")
        if failed:
            sys.exit(1)


def _file(path: Path, name: str) -> _File:
    return _File(path, _readable(name), _readable(str(path)))


def _left_out(file: Path, relative: Path) -> str:
    """Return why something in a folder is not read, '' for a file that is and for a folder."""
    if file.is_dir():
        return "a link to a folder" if file.is_symlink() else ""
    if any(part.startswith(".") for part in relative.parts):
        return "a hidden file"
    if not file.exists():
        return "a link that leads nowhere"
    return "" if file.is_file() else "no file"


def _readable(name: str) -> str:
    """Return a file's name with its bytes that are no UTF-8 as in addresses: `caf%E9.md`.

    Python hands them over as lone surrogates (PEP 383), which no database and no JSON takes.
    """
    return re.sub(r"[\udc80-\udcff]", lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", name)


def _database_sentence(error: Exception) -> str:
    """Return what has become of the database; the file stays where it is and can be sent again."""
    if isinstance(error.__cause__, errors.DiskFull):
        return "The disk of the database is full. Free some space, then ingest the file again."
    return "The database does not answer. Ingest the file again when it does."


def _require_slug(name: str, option: str) -> None:
    """Raise BadUsage for a name that would be stored under another spelling."""
    if slug(name) != name:
        raise BadUsage(f"{option} {name} cannot be the slug; use {slug(name)}.")


def _base_or_new(tenant: Tenant, name: str) -> KnowledgeBase:
    _require_slug(name, "--kb")
    with tenant_transaction(tenant):
        base = KnowledgeBase.objects.filter(slug=name).first()
    return base or base_create(tenant=tenant, name=name, by=None)


def _unfinished(tenant: Tenant, upload: Upload) -> IngestionRun | None:
    with tenant_transaction(tenant):
        return IngestionRun.objects.unfinished().filter(version=upload.version).first()


def _report(
    base: KnowledgeBase, file: _File, version: DocumentVersion, seconds: float
) -> dict[str, Any]:
    return {
        "file": file.shown,
        "document": version.document.title,
        "uri": format_uri(base.slug, version.document.path),
        "version": version.number,
        "state": version.state,
        "verdict": version.verdict,
        "message": version.message,
        "pages": version.pages,
        "sections": version.sections,
        "paragraphs": version.paragraphs,
        "tables": version.tables,
        "figures": version.figures,
        "chunks": version.chunks,
        "tokens": version.tokens,
        "reused_vectors": version.reused_vectors,
        "reused": reuse_json(version),
        "estimate": estimate_json(version),
        "abstracts": abstracts_json(version),
        "seconds": round(seconds, 3),
        "warnings": version.warnings,
        "remarks": version.remarks,
    }


def _refusal(file: _File, sentence: str) -> dict[str, Any]:
    """Return the report of a file that could not even be stored, with the keys of the others."""
    return {
        "file": file.shown,
        "document": None,
        "uri": None,
        "version": None,
        "state": "failed",
        "verdict": "refused",
        "message": sentence,
        "pages": None,
        **dict.fromkeys(["sections", "paragraphs", "tables", "figures", "chunks", "tokens"], 0),
        "reused_vectors": 0,
        "reused": {"vectors": 0, "entries": 0, "share": None, "tokens": 0},
        "estimate": None,
        "abstracts": {"made": 0, "reused": 0, "share": None, "tokens": 0},
        "seconds": 0.0,
        "warnings": [],
        "remarks": [],
    }
