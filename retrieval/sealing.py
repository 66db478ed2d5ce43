"""Keys of models, encrypted where they are stored.

Fernet (AES-128-CBC with HMAC-SHA256, github.com/fernet/spec) under a key that HKDF (RFC 5869)
derives from the site's secret, which lives outside of the database: in the data directory or in
CAIRN_SECRET_KEY. A copy of the database alone, such as a back-up, gives no key away.
"""

import base64

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

_PURPOSE = b"cairn: keys of language models, 1"


class KeyUnreadable(ValueError):
    """A sealed key cannot be opened: the site's secret is not the one it was sealed with."""


def seal(text: str) -> str:
    """Return the text encrypted; the same text gives another result each time."""
    return _fernet().encrypt(text.encode()).decode("ascii")


def unseal(sealed: str) -> str:
    """Return the text that was sealed. Raises KeyUnreadable."""
    try:
        return _fernet().decrypt(sealed.encode()).decode()
    except InvalidToken as error:
        raise KeyUnreadable("sealed with another secret") from error


def _fernet() -> Fernet:
    derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE)
    return Fernet(base64.urlsafe_b64encode(derivation.derive(settings.SECRET_KEY.encode())))
