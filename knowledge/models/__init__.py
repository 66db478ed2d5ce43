from knowledge.models.bases import BaseAccess, KnowledgeBase
from knowledge.models.documents import Document, DocumentVersion, VersionSource, VersionText
from knowledge.models.index import EntryVector, IndexEntry, LexicalTerm
from knowledge.models.ingestion import IngestionRun
from knowledge.models.nodes import Node
from knowledge.models.reembedding import Reembedding

__all__ = [
    "BaseAccess",
    "Document",
    "DocumentVersion",
    "EntryVector",
    "IndexEntry",
    "IngestionRun",
    "KnowledgeBase",
    "LexicalTerm",
    "Node",
    "Reembedding",
    "VersionSource",
    "VersionText",
]
