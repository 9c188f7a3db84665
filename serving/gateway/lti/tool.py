"""`LtiTool`: what the routes of one app share, and what its pages need to know of the platforms."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, date, datetime

import httpx
import structlog
from fastapi import FastAPI, Request

from serving.gateway.access import own_address
from serving.gateway.lti.claims import LaunchRefused
from serving.gateway.lti.cookies import can_keep_cookies
from serving.gateway.lti.id_tokens import KeySets
from serving.gateway.lti.states import Sealer
from serving.gateway.signed_links import read_secret
from serving.llm.client import tls_context
from serving.settings import Settings
from serving.store.database import Store
from serving.store.lti_keys import LtiKeyUnreadable, SigningKey, rotate_when_due, signing_key
from serving.store.platforms import expects_platforms, framing_origins

log = structlog.get_logger(__name__)

LOOK_SECONDS = 2.0
"""How long a platform that another process registered or removed is unknown to our pages. One small read."""


@dataclass(frozen=True)
class ToolAddresses:
    """The addresses of this tool, as they are typed into an LMS."""

    base: str

    @property
    def login(self) -> str:
        return f"{self.base}/lti/login"

    @property
    def launch(self) -> str:
        return f"{self.base}/lti/launch"

    @property
    def keys(self) -> str:
        return f"{self.base}/lti/jwks"

    def registration(self, token: str) -> str:
        return f"{self.base}/lti/register/{token}"

    def is_launch(self, address: str) -> bool:
        """Whether a link leads to our launch and nowhere else, whatever it asks for there."""
        return address.partition("?")[0] == self.launch and "#" not in address


class LtiTool:
    """The platforms' key sets, the seals of states, our keys, and who may frame our pages. Follows the store."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self.http = httpx.AsyncClient(follow_redirects=False, verify=tls_context())
        self.key_sets = KeySets(self.http)
        self.origins: tuple[str, ...] = ()
        """Whose pages may show ours in a frame; none while no platform is registered."""
        self._sealer: Sealer | None = None
        self._looked_at_keys: date | None = None

    @property
    def sealer(self) -> Sealer:
        if self._sealer is None:
            self._sealer = Sealer(self._secret())
        return self._sealer

    async def require_on(self) -> None:
        """Raise `LaunchRefused` 404 unless a platform is registered or invited."""
        if not await self._store.reading(expects_platforms):
            raise LaunchRefused("off", status=404)

    async def signing_key(self) -> SigningKey:
        """The key that signs now, made when there is none."""
        at, secret = datetime.now(UTC), await asyncio.to_thread(self._secret)
        found = await self._store.reading(lambda db: signing_key(db, secret, at=at))
        if found is None:
            await self.rotate_when_due()
            found = await self._store.reading(lambda db: signing_key(db, secret, at=datetime.now(UTC)))
        if found is None:
            raise LtiKeyUnreadable("No key signs for LTI. Make one: `coteach lti rotate-keys`.")
        return found

    async def rotate_when_due(self) -> None:
        secret = await asyncio.to_thread(self._secret)
        made = await self._store.writing(lambda db: rotate_when_due(db, secret, at=datetime.now(UTC)))
        if made is not None:
            log.info("lti_key_made", kid=made)

    async def refresh(self) -> None:
        """Read whose pages may frame ours; see to our keys once there is somebody to sign for."""
        self.origins = await self._store.reading(framing_origins)
        if self.origins:
            await self._rotate_daily()

    async def follow(self) -> None:
        """Refresh until cancelled. While the store cannot be read, what was known before holds."""
        try:
            while True:
                try:
                    await self.refresh()
                except Exception:
                    log.exception("lti_platforms_unknown", retry_seconds=LOOK_SECONDS)
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            await self.http.aclose()

    async def _rotate_daily(self) -> None:
        today = datetime.now(UTC).date()
        if self._looked_at_keys != today:
            await self.rotate_when_due()
            self._looked_at_keys = today

    def _secret(self) -> bytes:
        return read_secret(self._settings.home, self._settings.link_secret)


def lti_of(app: FastAPI) -> LtiTool:
    tool: LtiTool = app.state.lti
    return tool


def addresses_of(request: Request) -> ToolAddresses:
    """Our addresses. Raises `LaunchRefused` where they are such that no browser would keep a cookie for them."""
    base = own_address(request).rstrip("/")
    if not can_keep_cookies(base):
        raise LaunchRefused("insecure", status=503)
    return ToolAddresses(base)
