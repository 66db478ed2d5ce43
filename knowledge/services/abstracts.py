"""Abstracts of a version's sections, from the leaves upwards.

Eager bases get them at ingestion, by the configured model where there is one; lazy ones when they
are first looked at, from sentences; others none. An abstract is made from its section's text and
the abstracts below, and is taken over from anywhere in the base where that source was equal: after
an edit only the sections above it are made anew, and of those none whose source came out the same.

No failure in here keeps a version from being published.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from accounts.tenancy import tenant_transaction
from knowledge.abstract_writers import writer_for
from knowledge.ingest.abstracts import (
    EXTRACTIVE,
    AbstractWriter,
    Source,
    WriterFailed,
    Written,
    extract,
    fitted,
)
from knowledge.models import Abstract, DocumentVersion, IngestionRun, KnowledgeBase
from knowledge.services.bulk_rows import rows_insert
from knowledge.services.claims import Claim, LostClaim
from knowledge.services.costs import usage_add
from knowledge.services.sections import Level, Section, bottom_up, sections_of_tree
from knowledge.services.trees import StoredTree

logger = logging.getLogger(__name__)

LAZY_MAX_TOKENS = 300_000
"""Tokens that somebody who looks waits for, some two seconds; larger documents get their abstracts
at ingestion."""

FAILURES_IN_A_ROW = 2
"""After so many the model is taken to be away: each of its time-outs takes minutes."""

MODEL_MAX_S = 900
"""The longest that the model is asked for one version: half of what a task may take by default."""

NOT_MADE = "Its abstracts could not be made; lists show the beginnings of its sections."
FELL_BACK = (
    "{count} of the abstracts are sentences of the document, since the language model {reason}."
)


def version_abstract(
    claim: Claim, base: KnowledgeBase, version: DocumentVersion, tree: StoredTree
) -> None:
    """Make the version's abstracts if its base wants them now. Raises LostClaim alone."""
    try:
        writer = wanted_writer(claim, base)
        if not _wanted_now(base, tree):
            return
        _Making(claim, base, version, writer).run(sections_of_tree(version.pk, tree))
    except LostClaim:
        raise
    except Exception:
        logger.exception("The abstracts of version %s could not be made.", version.pk)
        with tenant_transaction(claim.tenant_id):
            claim.hold()
            _warn(version, NOT_MADE)


def wanted_writer(claim: Claim, base: KnowledgeBase) -> AbstractWriter | None:
    """Return the model that may be paid for this run's abstracts, None if sentences are to do."""
    if base.abstracts != KnowledgeBase.Abstracts.EAGER:
        return None
    with tenant_transaction(claim.tenant_id):
        if claim.hold().approval == IngestionRun.Approval.SENTENCES:
            return None
    return writer_for(base)


def known_abstracts(
    base: KnowledgeBase, level: Level, writer: AbstractWriter | None
) -> dict[int, Abstract]:
    """Return an abstract of an equal source for the sections that the base has one for, by ordinal.

    In an open transaction. What the model is to write is not taken over from anybody else.
    """
    digests = {source.digest for _, source in level}
    rows = Abstract.objects.filter(base=base, source_hash__in=digests)
    found = {
        (row.source_hash, row.generator): row
        for row in rows.order_by("source_hash", "generator", "pk").distinct(
            "source_hash", "generator"
        )
    }
    by_hash = {digest: row for (digest, _), row in found.items()}
    known: dict[int, Abstract] = {}
    for section, source in level:
        wanted = _generator(source, writer)
        any_will_do = wanted == EXTRACTIVE
        row = by_hash.get(source.digest) if any_will_do else found.get((source.digest, wanted))
        if row is not None:
            known[section.ordinal] = row
    return known


def _wanted_now(base: KnowledgeBase, tree: StoredTree) -> bool:
    if base.abstracts == KnowledgeBase.Abstracts.EAGER:
        return True
    large = tree.drafts[0].tokens > LAZY_MAX_TOKENS
    return base.abstracts == KnowledgeBase.Abstracts.LAZY and large


def _warn(version: DocumentVersion, sentence: str) -> None:
    """Add a warning to the version, once, in the open transaction."""
    versions = DocumentVersion.objects.filter(pk=version.pk)
    warnings = [told for told in versions.get().warnings if told != sentence]
    versions.update(warnings=[*warnings, sentence])


def _generator(source: Source, writer: AbstractWriter | None) -> str:
    """Return who is to tell about a source: of one that is short enough, itself."""
    return EXTRACTIVE if writer is None or source.is_short else writer.name[:100]


@dataclass(slots=True)
class _Making:
    """One run over one version. `writer` becomes None when the model is given up for this run."""

    claim: Claim
    base: KnowledgeBase
    version: DocumentVersion
    writer: AbstractWriter | None
    done: int = field(default=0, init=False)
    total: int = field(default=0, init=False)
    _fallbacks: int = field(default=0, init=False)
    _in_a_row: int = field(default=0, init=False)
    _reason: str = field(default="", init=False)
    _deadline: float = field(default_factory=lambda: time.monotonic() + MODEL_MAX_S, init=False)

    def run(self, sections: Sequence[Section]) -> None:
        self.total = len(sections)
        self.claim.report(IngestionRun.Stage.ABSTRACT, 0, self.total)
        bottom_up(sections, self._make)
        self._settle()

    def _make(self, level: Level) -> dict[int, str]:
        """Store the abstracts of a level, and return them by ordinal."""
        with tenant_transaction(self.claim.tenant_id):
            known = known_abstracts(self.base, level, self.writer)
        texts: dict[int, str] = {}
        rows: list[Abstract] = []
        fresh: dict[str, Abstract] = {}
        for section, source in level:
            # Sections that say the same are told about once.
            row = known.get(section.ordinal) or fresh.get(source.digest)
            if row is None:
                row = fresh[source.digest] = self._written(section, source)
            elif row.node_id != section.node_id:
                row = self._row(section, source, row.text, row.generator, reused=True)
            texts[section.ordinal] = row.text
            if row._state.adding:
                rows.append(row)
        self._save(rows)
        self.done += len(level)
        self.claim.report(IngestionRun.Stage.ABSTRACT, self.done, self.total)
        return texts

    def _written(self, section: Section, source: Source) -> Abstract:
        """Return a new abstract: stored already if a model was paid for it, else without a key."""
        generator = _generator(source, self.writer)
        if self.writer is None or generator == EXTRACTIVE:
            return self._row(section, source, extract(source), EXTRACTIVE)
        try:
            if time.monotonic() > self._deadline:
                self.writer = None
                raise WriterFailed("took too long")
            written = self.writer.write(source)
            if not (text := fitted(written.text)):
                raise WriterFailed("gave an empty reply")
        except WriterFailed as failure:
            self._note(failure)
            return self._row(section, source, extract(source), EXTRACTIVE)
        self._in_a_row = 0
        row = self._row(section, source, text, generator, written=written)
        self._save([row])
        self.claim.report(IngestionRun.Stage.ABSTRACT, self.done, self.total)
        return row

    def _note(self, failure: WriterFailed) -> None:
        logger.warning("Version %s: an abstract failed: %s", self.version.pk, failure)
        self._fallbacks += 1
        self._in_a_row += 1
        self._reason = self._reason or str(failure)
        if self._in_a_row >= FAILURES_IN_A_ROW:
            self.writer = None

    def _row(
        self,
        section: Section,
        source: Source,
        text: str,
        generator: str,
        *,
        reused: bool = False,
        written: Written | None = None,
    ) -> Abstract:
        return Abstract(
            tenant_id=self.claim.tenant_id,
            base=self.base,
            version=self.version,
            node_id=section.node_id,
            text=text,
            language=section.language,
            generator=generator,
            source_hash=source.digest,
            reused=reused,
            input_tokens=written.input_tokens if written else None,
            output_tokens=written.output_tokens if written else None,
        )

    def _save(self, rows: Sequence[Abstract]) -> None:
        if not rows:
            return
        with tenant_transaction(self.claim.tenant_id):
            self.claim.hold()
            # Of an earlier attempt, from another source: the model was away, or is another now.
            Abstract.objects.filter(node__in=[row.node_id for row in rows]).delete()
            if len(rows) > 1:
                rows_insert(rows)
            else:
                rows[0].save(force_insert=True)
            spent = sum((row.input_tokens or 0) + (row.output_tokens or 0) for row in rows)
            usage_add(self.version, spent)

    def _settle(self) -> None:
        """Store what the version's abstracts took, and what went wrong with them."""
        with tenant_transaction(self.claim.tenant_id):
            self.claim.hold()
            rows = Abstract.objects.filter(version=self.version)
            DocumentVersion.objects.filter(pk=self.version.pk).update(
                abstracts=rows.count(),
                reused_abstracts=rows.filter(reused=True).count(),
                abstract_tokens=rows.spent(),
            )
            if self._fallbacks:
                told = FELL_BACK.format(count=self._fallbacks, reason=self._reason)
                _warn(self.version, told)
