from knowledge.models.bases import BaseAccess, KnowledgeBase
from knowledge.models.documents import Document, DocumentVersion, VersionSource, VersionText
from knowledge.models.index import IndexEntry, LexicalTerm
from knowledge.models.ingestion import IngestionRun
from knowledge.models.nodes import Node

__all__ = [
    "BaseAccess",
    "Document",
    "DocumentVersion",
    "IndexEntry",
    "IngestionRun",
    "KnowledgeBase",
    "LexicalTerm",
    "Node",
    "VersionSource",
    "VersionText",
]
