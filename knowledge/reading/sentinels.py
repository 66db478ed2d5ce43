"""Strings put into a text to be found again in what is made from it.

Fixed ones can be forged: a document may hold them as they are, as `&#xE000;`, as `%EE%80%80` in an
address, or as whatever else the renderer decodes.
"""

import secrets

_FIRST, _COUNT = 0xE000, 6_400
_LENGTH = 8


def sentinel() -> str:
    """Return a string that no text holds: 8 random characters for private use, 101 bits.

    To Markdown they are neither space nor punctuation, and HTML does not escape them.
    """
    return "".join(chr(_FIRST + secrets.randbelow(_COUNT)) for _ in range(_LENGTH))
