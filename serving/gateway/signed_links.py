"""Signed links: an address of a source that its reader opens without a key, until it expires.

A link is for one path below one course, and for the right of the key that asked: where that key is revoked, its links
end with it. The secret is a file of the home, shared by its gateways, or a setting; another one ends every link.
"""

import hashlib
import os
import secrets
import time
from pathlib import Path
from urllib.parse import unquote

from itsdangerous import BadSignature, Signer

PARAMETER = "s"
SECRET = "link_secret"
_BYTES = 32
_sha256 = hashlib.sha256
_NO_KEY = "-"


def read_secret(home: Path, chosen: str | None = None) -> bytes:
    """The secret of a home, made when there is none; only its owner may read it. `chosen` is `COTEACH_LINK_SECRET`, by
    which gateways with homes of their own sign alike."""
    if chosen is not None:
        return _sha256(chosen.encode()).digest()
    path = home / SECRET
    if not path.is_file():
        home.mkdir(parents=True, exist_ok=True)
        made = path.with_suffix(f".{os.getpid()}-{secrets.token_hex(4)}")  # threads of one gateway may make it at once
        descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
        try:
            os.link(made, path)  # another gateway may have been faster
        except FileExistsError:
            pass
        finally:
            made.unlink()
    return path.read_bytes()


class LinkSigner:
    """Signs paths, and reads what a request shows. `seconds` is how long a link opens."""

    def __init__(self, secret: bytes, *, seconds: float) -> None:
        self._signer = Signer(secret, salt="coteach.sources", key_derivation="hmac", digest_method=_sha256)
        self._seconds = seconds

    def query(self, path: str, key_id: str | None, *, at: float | None = None) -> str:
        """What to add to the address of a path."""
        until = int((time.time() if at is None else at) + self._seconds)
        shown = f"{until:x}.{key_id or _NO_KEY}"
        signature = self._signer.get_signature(f"{shown} {unquote(path)}").decode()
        return f"{PARAMETER}={shown}.{signature}"

    def read(self, path: str, shown: str, *, at: float | None = None) -> str | None:
        """The id of the key that a link was made for (`-` for none); `None` when it does not open this path now."""
        until, _, rest = shown.partition(".")
        key_id, _, signature = rest.rpartition(".")
        try:
            is_signed = self._signer.verify_signature(f"{until}.{key_id} {unquote(path)}", signature)
            is_over = int(until, 16) < (time.time() if at is None else at)
        except (BadSignature, ValueError, UnicodeError):
            return None
        return key_id if is_signed and not is_over else None


class ResponseIds:
    """Ids of `/v1/responses` that nobody makes up: the trace of an answer, signed, so that whoever shows one was given
    it. They stand for the answer as long as it is kept."""

    _PREFIX = "resp_"
    _TRACE = 32

    def __init__(self, secret: bytes) -> None:
        self._signer = Signer(secret, salt="coteach.responses", key_derivation="hmac", digest_method=_sha256)

    def make(self, trace_id: str) -> str:
        return f"{self._PREFIX}{trace_id}{self._signer.get_signature(trace_id).decode()}"

    def read(self, shown: str) -> str | None:
        """The trace of the answer; `None` for an id that was not made here."""
        trace_id, signature = shown.removeprefix(self._PREFIX)[: self._TRACE], shown[len(self._PREFIX) + self._TRACE :]
        try:
            is_signed = shown.startswith(self._PREFIX) and self._signer.verify_signature(trace_id, signature)
        except (BadSignature, UnicodeError):
            return None
        return trace_id if is_signed else None
