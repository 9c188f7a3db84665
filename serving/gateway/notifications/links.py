"""The signed links of a mail: to confirm an address and to get nothing more. They open without a key or a login."""

import hashlib
from typing import Literal

from itsdangerous import BadSignature, URLSafeSerializer

Purpose = Literal["confirm", "unsubscribe"]

LONGEST = 1000
"""Characters of what may be a token."""


class NoticeLinks:
    """Over the secret of a home; a new secret ends every link. A token names a person and, to confirm, an address."""

    def __init__(self, secret: bytes, base_url: str) -> None:
        self._secret, self._base = secret, base_url.rstrip("/")

    def _signer(self, purpose: Purpose) -> URLSafeSerializer:
        options = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
        return URLSafeSerializer(self._secret, salt=f"coteach.notices.{purpose}", signer_kwargs=options)

    def address(self, purpose: Purpose, person_id: str, email: str = "") -> str:
        return f"{self._base}/{purpose}/{self._signer(purpose).dumps([person_id, email])}"

    def read(self, purpose: Purpose, token: str) -> tuple[str, str] | None:
        """Person and address; `None` for what was not made here for this."""
        if len(token) > LONGEST:
            return None
        try:
            person_id, email = self._signer(purpose).loads(token)
        except (BadSignature, ValueError, TypeError):
            return None
        return str(person_id), str(email)

    def page(self, path: str) -> str:
        """An address on this gateway."""
        return f"{self._base}{path}"
