"""What a browser carries for us and cannot change: the state of a login that an LMS began, and the choice of content
that it was asked for.

A state holds its nonce, so that nothing is stored for a login that never comes back; what came back is spent in the
store. It opens in the browser in which it began alone, by a cookie.
"""

import hashlib
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from itsdangerous import BadData, URLSafeTimedSerializer

from serving.gateway.lti.claims import LaunchRefused

STATE_SECONDS = 600
"""How long a login at the LMS may take. A choice."""

CHOICE_SECONDS = 3600
"""How long a teacher may think about what to link. A choice."""

LONGEST = 16_000
"""Characters of what is read back; a state with the hints of an LMS has two thousand at most."""

_sha256 = hashlib.sha256


@dataclass(frozen=True)
class LtiState:
    """A login that a platform began. `again` are its parameters, to begin once more in a window of its own."""

    platform_id: str
    nonce: str
    browser_sha256: str
    again: Mapping[str, str]
    began_at: datetime

    @property
    def ends_at(self) -> datetime:
        return self.began_at + timedelta(seconds=STATE_SECONDS)

    def is_of(self, browser: str) -> bool:
        return secrets.compare_digest(self.browser_sha256, digest_of(browser))


@dataclass(frozen=True)
class ContentChoice:
    """What a platform asked a teacher to choose: for which of its courses, and where the choice goes."""

    platform_id: str
    deployment_id: str
    context_id: str
    person: str
    return_url: str
    data: str | None


class Sealer:
    """Signs both, and reads what comes back. `secret` is the home's, shared by its gateways."""

    def __init__(self, secret: bytes) -> None:
        hashing = {"key_derivation": "hmac", "digest_method": _sha256}
        self._states = URLSafeTimedSerializer(secret, salt="coteach.lti.state", signer_kwargs=hashing)
        self._choices = URLSafeTimedSerializer(secret, salt="coteach.lti.choice", signer_kwargs=hashing)

    def begin(self, platform_id: str, *, browser: str, again: Mapping[str, str]) -> tuple[str, str]:
        """A state and its nonce, for a login that begins now in a browser."""
        nonce = secrets.token_urlsafe(24)
        shown = {"p": platform_id, "n": nonce, "b": digest_of(browser), "a": dict(again), "t": time.time()}
        return str(self._states.dumps(shown)), nonce

    def read_state(self, shown: str) -> LtiState:
        """Raises `LaunchRefused` for what was not begun here, or too long ago."""
        said = self._read(self._states, shown, STATE_SECONDS)
        began_at = datetime.fromtimestamp(said["t"], UTC)
        return LtiState(said["p"], said["n"], said["b"], said["a"], began_at)

    def ask(self, choice: ContentChoice) -> str:
        return str(self._choices.dumps(choice.__dict__))

    def read_choice(self, shown: str) -> ContentChoice:
        """Raises `LaunchRefused` for what was not asked here, or too long ago."""
        return ContentChoice(**self._read(self._choices, shown, CHOICE_SECONDS))

    def _read(self, serializer: URLSafeTimedSerializer, shown: str, seconds: int) -> dict[str, Any]:
        try:
            if len(shown) > LONGEST:
                raise BadData("too long")
            said: dict[str, Any] = serializer.loads(shown, max_age=seconds)
        except BadData as error:
            raise LaunchRefused("state") from error
        return said


def new_browser() -> str:
    """What a browser is known by while it logs in."""
    return secrets.token_urlsafe(24)


def digest_of(browser: str) -> str:
    return _sha256(browser.encode("utf-8", "replace")).hexdigest()
