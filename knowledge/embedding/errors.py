"""Errors of the embedding package.

EmbeddingError
├── EmbeddingUnavailable   the model cannot be loaded or its server does not answer; try later
├── EmbeddingBadResult     the model answered with something that is no set of unit vectors
│   ├── TextRefused        the model's server accepts every text of a batch but one
│   └── WrongDimensions    its vectors have another length than the settings say
└── UnknownEmbedder        a setting names an embedder that does not exist
"""


class EmbeddingError(Exception):
    """Base of everything an embedder raises."""


class EmbeddingUnavailable(EmbeddingError):
    """The model cannot be loaded or its server does not answer; the same call may succeed later."""


class EmbeddingBadResult(EmbeddingError):
    """Wrong shape, a non-finite number or a zero vector: nothing of the batch may be stored."""


class TextRefused(EmbeddingBadResult):
    """One text cannot be embedded; the message shows its beginning and what the server said."""


class WrongDimensions(EmbeddingBadResult):
    """The model's vectors have another length than configured; only a change of settings helps."""


class UnknownEmbedder(EmbeddingError):
    """The configured name belongs to no embedder."""
