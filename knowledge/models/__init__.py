from knowledge.models.abstracts import Abstract
from knowledge.models.bases import BaseAccess, KnowledgeBase
from knowledge.models.documents import Document, DocumentVersion, VersionSource, VersionText
from knowledge.models.figures import Figure
from knowledge.models.index import EntryVector, IndexEntry, LexicalTerm
from knowledge.models.ingestion import IngestionRun
from knowledge.models.nodes import Node
from knowledge.models.quotas import IngestUsage, TenantQuota
from knowledge.models.reembedding import Reembedding

__all__ = [
    "Abstract",
    "BaseAccess",
    "Document",
    "DocumentVersion",
    "EntryVector",
    "Figure",
    "IndexEntry",
    "IngestUsage",
    "IngestionRun",
    "KnowledgeBase",
    "LexicalTerm",
    "Node",
    "Reembedding",
    "TenantQuota",
    "VersionSource",
    "VersionText",
]
