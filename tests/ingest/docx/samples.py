"""Every small Word document made for the tests, one fault each, with what it must become."""

from __future__ import annotations

from collections.abc import Callable

from knowledge.ingest.preflight import Verdict
from tests.ingest.docx.attacks import ATTACKS
from tests.ingest.docx.inlines import INLINES
from tests.ingest.docx.structure import STRUCTURE

SAMPLES: dict[str, tuple[Callable[[], bytes], list[str] | Verdict]] = {
    **STRUCTURE,
    **INLINES,
    **ATTACKS,
}
