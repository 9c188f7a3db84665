"""The tokens that an LMS signs: whose they are and whether they hold now, by PyJWT; and the platforms' key sets.

RS256 alone, which every platform of LTI 1.3 has: what a token's header says of its algorithm chooses nothing.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import jwt
import structlog
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from serving.gateway.lti.claims import LaunchRefused
from serving.gateway.lti.fetching import PlatformUnreachable, fetch_object
from serving.store.tables.lti import LtiPlatform

ALGORITHM = "RS256"
LEEWAY_SECONDS = 60.0
"""How far the clock of an LMS may be from ours. A choice."""

KEPT_SECONDS = 3600.0
"""How long a key set is cached. A choice."""

REFETCH_SECONDS = 60.0
"""A key that a set does not have makes us look again, but not more often: whoever makes up key ids would else have us
ask the LMS as often as they like. A choice."""

FEWEST_BITS = 2048

REQUIRED = ("exp", "iat", "iss", "aud", "nonce")

log = structlog.get_logger(__name__)


@dataclass
class _KeySet:
    keys: dict[str, RSAPublicKey] = field(default_factory=dict)
    fetched_at: float = float("-inf")
    asked_at: float = float("-inf")
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class KeySets:
    """The platforms' public keys by address, fetched when they are needed and remembered for a while."""

    def __init__(self, http: httpx.AsyncClient, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._http, self._clock = http, clock
        self._sets: dict[str, _KeySet] = {}

    async def key(self, address: str, kid: str) -> RSAPublicKey | None:
        """The key with this id; `None` when the platform has none. A set that cannot be fetched anew is believed on.

        Raises `PlatformUnreachable` when there is no set at all.
        """
        known = self._sets.setdefault(address, _KeySet())
        async with known.lock:
            is_old = self._clock() - known.fetched_at > KEPT_SECONDS
            if (is_old or kid not in known.keys) and self._clock() - known.asked_at >= REFETCH_SECONDS:
                await self._fetch(address, known)
            if known.fetched_at == float("-inf"):
                raise PlatformUnreachable(f"The keys of the LMS could not be fetched from {address}.")
            return known.keys.get(kid)

    async def _fetch(self, address: str, known: _KeySet) -> None:
        known.asked_at = self._clock()
        try:
            found = await fetch_object(self._http, address)
        except PlatformUnreachable as error:
            log.warning("lti_keys_not_fetched", reason=str(error))
            return
        known.keys, known.fetched_at = public_keys(found), self._clock()


def public_keys(found: dict[str, Any]) -> dict[str, RSAPublicKey]:
    """The RSA keys of a set that may verify signatures, by id; what else is in it is left out."""
    listed = found.get("keys")
    keys: dict[str, RSAPublicKey] = {}
    for one in listed if isinstance(listed, list) else []:
        if not isinstance(one, dict) or one.get("kty") != "RSA" or one.get("use", "sig") != "sig":
            continue
        try:
            key = jwt.PyJWK(one, algorithm=ALGORITHM).key
        except (jwt.PyJWTError, ValueError, TypeError, KeyError):
            continue
        kid = one.get("kid")
        if isinstance(kid, str) and isinstance(key, RSAPublicKey) and key.key_size >= FEWEST_BITS:
            keys.setdefault(kid, key)
    return keys


async def verify_id_token(token: str, platform: LtiPlatform, key_sets: KeySets, *, nonce: str) -> dict[str, Any]:
    """The claims of a token that this platform signed for this tool, for this login, and that holds now.

    Raises `LaunchRefused`.
    """
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError as error:
        raise LaunchRefused("no_token") from error
    kid = header.get("kid")
    if header.get("alg") != ALGORITHM or not isinstance(kid, str):
        raise LaunchRefused("algorithm")
    try:
        key = await key_sets.key(platform.jwks_url, kid)
    except PlatformUnreachable as error:
        raise LaunchRefused("unreachable", status=503) from error
    if key is None:
        raise LaunchRefused("unknown_key")
    claims = _decode(token, key, platform)
    if claims.get("nonce") != nonce:
        raise LaunchRefused("nonce")
    return claims


def _decode(token: str, key: RSAPublicKey, platform: LtiPlatform) -> dict[str, Any]:
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[ALGORITHM],
            audience=platform.client_id,
            issuer=platform.issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": list(REQUIRED)},
        )
    except jwt.ExpiredSignatureError as error:
        raise LaunchRefused("expired") from error
    except jwt.ImmatureSignatureError as error:
        raise LaunchRefused("not_yet") from error
    except jwt.InvalidAudienceError as error:
        raise LaunchRefused("audience") from error
    except jwt.InvalidIssuerError as error:
        raise LaunchRefused("issuer") from error
    except jwt.InvalidSignatureError as error:
        raise LaunchRefused("signature") from error
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as error:
        raise LaunchRefused("claims") from error
    party, audience = claims.get("azp"), claims["aud"]
    if (party is None and isinstance(audience, list) and len(audience) > 1) or party not in (None, platform.client_id):
        raise LaunchRefused("audience")
    return claims
