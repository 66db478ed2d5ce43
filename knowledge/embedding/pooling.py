"""Vectors of inner nodes from those of their children: bottom-up, no model call."""

from collections.abc import Sequence
from typing import cast

import numpy as np

from knowledge.embedding.embedder import Vectors, unit_vectors


def parent_vector(children: Vectors, tokens: Sequence[int]) -> Vectors:
    """Vector of a node (d, unit length) from its children (n x d) and their lengths in tokens.

    v = sum(t_i v_i) / sum(t_i), normalised (KohakuRAG, arXiv 2603.07612). Children without
    tokens count as one token, so that a parent of empty nodes still has a vector.

    Raises ValueError for no children or as many lengths as there are not children, and
    EmbeddingBadResult when the children cancel out.
    """
    if len(children) == 0 or len(children) != len(tokens):
        raise ValueError(f"{len(children)} children with {len(tokens)} lengths")
    weights = np.maximum(np.asarray(tokens, dtype=np.float32), 1)
    mean = weights @ children / weights.sum()
    return cast(Vectors, unit_vectors(mean[np.newaxis, :], 1, children.shape[1])[0])
