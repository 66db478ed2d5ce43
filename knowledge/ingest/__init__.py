"""From the bytes of a document to its tree, its addresses and its chunks; imports no Django.

``parsers.parse`` gives a `tree.ParsedDocument`; ``flatten.flatten`` numbers and names its nodes;
``chunking.chunk`` packs their leaves into the passages that are indexed.
"""
