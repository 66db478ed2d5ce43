"""Uploads of whatever a person sends: a file becomes a document, a zip archive one a file in it.

Nothing is left out silently: every entry of an archive but its folders is in the answer.
"""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from django.conf import settings

from accounts.models import Tenant, User
from knowledge.ingest.archive_names import (
    entry_names,
    incidental_refusal,
    is_incidental,
    leads_out,
    refusal_of,
)
from knowledge.ingest.archives import Budget, open_archive, read_entry
from knowledge.ingest.parsers import suffix_of
from knowledge.ingest.preflight import MEGABYTE, Refused, Verdict
from knowledge.models import KnowledgeBase
from knowledge.services.uploads import (
    NAME_MAX_LENGTH,
    Upload,
    UploadRefused,
    document_upload,
    stored_name,
)

ARCHIVE_SUFFIX = ".zip"


@dataclass(frozen=True, slots=True)
class Received:
    """What became of one file: `upload`, or None and a `refusal`, which is a sentence.

    `name` has its folders; `entry` is the name within the archive it came in, '' for a file.
    `is_incidental` says that it was left out and nobody meant to send it.
    """

    name: str
    upload: Upload | None = None
    refusal: str = ""
    entry: str = ""
    is_incidental: bool = False

    @property
    def reason(self) -> str:
        """The refusal as it goes on behind the name, which it may begin with."""
        return self.refusal.removeprefix(self.entry[:NAME_MAX_LENGTH]).removeprefix("…").lstrip()


@dataclass(frozen=True, slots=True)
class _Sender:
    tenant: Tenant
    base: KnowledgeBase
    by: User | None

    def store(self, name: str, content: bytes, entry: str = "") -> Received:
        try:
            upload = document_upload(
                tenant=self.tenant, base=self.base, filename=name, content=content, by=self.by
            )
        except UploadRefused as refused:
            return Received(name, refusal=str(refused), entry=entry)
        return Received(upload.document.filename, upload, entry=entry)


def file_upload(
    *, tenant: Tenant, base: KnowledgeBase, filename: str, content: bytes, by: User | None
) -> Iterator[Received]:
    """Store a file, or the files in an archive, each in a transaction of its own.

    Yields what became of each as soon as it is known; at least one. Raises nothing for a bad file.
    """
    sender = _Sender(tenant, base, by)
    if "/" in filename and leads_out(filename):
        yield Received(filename, refusal="was left out: its path leads out of the folder.")
        return
    if "/" in filename and is_incidental(filename):  # one that is chosen by itself is meant
        yield Received(filename, refusal=incidental_refusal(filename), is_incidental=True)
        return
    if suffix_of(filename) != ARCHIVE_SUFFIX:
        yield sender.store(filename, content)
        return
    if len(content) > settings.UPLOAD_MAX_BYTES:
        limit = settings.UPLOAD_MAX_BYTES // MEGABYTE
        yield Received(filename, refusal=f"The archive is larger than {limit} MB. Please split it.")
        return
    try:
        archive = open_archive(content, max_entries=settings.ARCHIVE_MAX_FILES)
    except Refused as refused:
        yield Received(filename, refusal=refused.sentence)
        return
    with archive:
        yield from _unpacked(sender, archive, filename)


def _unpacked(sender: _Sender, archive: zipfile.ZipFile, filename: str) -> Iterator[Received]:
    """Yield what became of each entry. Names in a folder's archive lie in that folder."""
    folder = PurePosixPath(filename.replace("\\", "/")).parent
    budget = Budget(settings.ARCHIVE_MAX_BYTES)
    entries = archive.infolist()
    taken: set[str] = set()
    is_empty = True
    for entry, name in zip(entries, entry_names(entries), strict=True):
        if name.endswith("/"):
            continue
        is_empty = False
        refusal = refusal_of(entry, name)
        if not refusal and stored_name(name) in taken:
            refusal = "was left out: the archive holds this name twice, and the first was taken."
        wanted = (folder / name).as_posix()
        shown = name if len(name) <= NAME_MAX_LENGTH else f"{name[:NAME_MAX_LENGTH]}…"
        if refusal:
            sentence = f"{shown} {refusal}"
            yield Received(wanted, None, sentence, shown, is_incidental=is_incidental(name))
        else:
            taken.add(stored_name(name))
            yield _stored(sender, archive, entry, budget, Received(wanted, entry=shown))
    if is_empty:
        yield Received(filename, refusal="The archive is empty.")


def _stored(
    sender: _Sender,
    archive: zipfile.ZipFile,
    entry: zipfile.ZipInfo,
    budget: Budget,
    received: Received,
) -> Received:
    try:
        content = _read(archive, entry, budget)
    except Refused as refused:
        sentence = f"{received.entry[:200]} was left out. {refused.sentence}"
        return Received(received.name, refusal=sentence, entry=received.entry)
    return sender.store(received.name, content, received.entry)


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: Budget) -> bytes:
    """Return the bytes of an entry. Raises Refused, at once when the budget is used up."""
    if budget.remaining < 0:
        raise Refused(Verdict.BOMB, "The archive had unpacked to too much data before it.")
    return read_entry(archive, entry, budget, max_bytes=settings.UPLOAD_MAX_BYTES)
