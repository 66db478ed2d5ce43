"""A base with documents of which every tool can find something."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from accounts.models import Membership
from knowledge.models import Document, KnowledgeBase
from retrieval.services.scopes import Reader, Scope
from retrieval.tools import Toolbox
from tests.factories import Company, ingested

HANDBOOK = """# Handbook

Welcome to the company.

## Hours

The office opens at nine. The kitchen closes at ten.

| Day | Opens |
|---|---|
| Monday | 9 |
| Sunday | never |

### Summer

In July the office opens at eight.

## Hoursmith

The smith works by the hour.
"""
RUSSIAN = "# Отпуск\n\n## Правила\n\nКаждому сотруднику положено двадцать восемь дней отпуска.\n"
CHINESE = "# 保修\n\n## 期限\n\n所有设备的保修期为三年。电池的保修期为一年。\n"


@dataclass(frozen=True, slots=True)
class Library:
    """The company's open base with its documents, read by its plain member."""

    company: Company
    base: KnowledgeBase
    documents: dict[str, Document]

    def scope(self, membership: Membership | None = None) -> Scope:
        reader = Reader(self.company.tenant.pk, membership or self.company.member)
        return Scope(reader, self.base)

    def toolbox(self, budget: int | None = None) -> Toolbox:
        return Toolbox(self.scope(), budget)


def library_of(company: Company) -> Library:
    texts = {
        "handbook.md": HANDBOOK,
        "handbook-2.md": "# Handbook 2\n\nThe second office opens at seven.\n",
        "otpusk.md": RUSSIAN,
        "baoxiu.md": CHINESE,
    }
    documents = {
        name: ingested(company.tenant, company.base, name, text) for name, text in texts.items()
    }
    return Library(company, company.base, documents)


@pytest.fixture
def library(a: Company) -> Library:
    return library_of(a)
