"""What the store says of keys and logins, remembered for a second."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from serving.access import Caller
from serving.store.database import Store
from serving.store.keys import Known, find_key, read_key
from serving.store.logins import Held, find_login, token_digest
from serving.store.people import find_student_of_service, person_of_session, student_of_service
from serving.store.tables import now

BELIEVED_SECONDS = 1.0
"""How long the store is not asked again: a choice, half of the two seconds in which a revoked key must end."""

MOST_REMEMBERED = 10_000

Found = TypeVar("Found")


@dataclass(frozen=True)
class Identity:
    """A caller, under what name their requests are counted, and how many of them their key allows."""

    caller: Caller
    who: str
    per_minute: int | None = None


class Remembered(Generic[Found]):
    """The newest answers of the store, the oldest forgotten first. Only what was found is remembered."""

    def __init__(self, *, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds, self._clock = seconds, clock
        self._found: OrderedDict[str, tuple[float, Found]] = OrderedDict()

    def __contains__(self, name: str) -> bool:
        return name in self._found

    def get(self, name: str) -> Found | None:
        at, found = self._found.get(name, (float("-inf"), None))
        return found if self._clock() - at < self._seconds else None

    def put(self, name: str, found: Found | None) -> Found | None:
        if found is None:
            self._found.pop(name, None)
            return None
        self._found[name] = (self._clock(), found)
        self._found.move_to_end(name)
        if len(self._found) > MOST_REMEMBERED:
            self._found.popitem(last=False)
        return found

    def forget(self, name: str) -> None:
        self._found.pop(name, None)


class Identities:
    """Who is behind a key, a login, a service's student or a session."""

    def __init__(
        self, store: Store, *, seconds: float = BELIEVED_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._keys: Remembered[Known] = Remembered(seconds=seconds, clock=clock)
        self._logins: Remembered[Held] = Remembered(seconds=seconds, clock=clock)
        self._students: Remembered[str] = Remembered(seconds=seconds, clock=clock)
        self._sessions: Remembered[str] = Remembered(seconds=seconds, clock=clock)

    def has_seen(self, text: str) -> bool:
        """Whether this key's id was good a while ago: its holder is not made to wait for others' wrong keys."""
        shown = read_key(text)
        return shown is not None and shown.key_id in self._keys

    async def by_key(self, text: str) -> Identity | None:
        """`None` for what is no key, an unknown or revoked one, or the wrong secret."""
        shown = read_key(text)
        if shown is None:
            return None
        known = self._keys.get(shown.key_id)
        if known is None:
            known = self._keys.put(shown.key_id, await self._store.reading(lambda db: find_key(db, shown.key_id)))
        if known is None or not known.opens_for(shown.secret):
            return None
        caller = Caller(known.person_id, known.role, known.key_id, known.name, known.courses)
        return Identity(caller, f"key:{known.key_id}", known.requests_per_minute)

    async def by_login(self, token: str) -> Identity | None:
        """`None` for an unknown or expired login, or one whose key is revoked."""
        digest = token_digest(token)
        if digest is None:
            return None
        held = self._logins.get(digest)
        if held is None:
            held = self._logins.put(digest, await self._store.reading(lambda db: find_login(db, digest, at=now())))
        if held is None or held.expires_at <= now():
            return None
        caller = Caller(held.person_id, held.role, held.key_id, held.name, held.courses)
        who = f"key:{held.key_id}" if held.key_id else f"person:{held.person_id}"
        return Identity(caller, who, held.requests_per_minute)

    async def student_of(self, service: Identity, user: str) -> Identity:
        """The student whom the service behind a key calls `user`, made when they are new."""
        key_id = service.caller.key_id or ""
        name = f"{key_id} {user}"
        person_id = self._students.get(name) or await self._store.reading(
            lambda db: find_student_of_service(db, key_id=key_id, user=user)
        )
        if person_id is None:
            person_id = await self._store.writing(lambda db: student_of_service(db, key_id=key_id, user=user))
        self._students.put(name, person_id)
        return replace(service, caller=replace(service.caller, person_id=person_id))

    async def by_session(self, session_id: str) -> str | None:
        return self._sessions.get(session_id) or self._sessions.put(
            session_id, await self._store.reading(lambda db: person_of_session(db, session_id))
        )

    def forget_login(self, token: str) -> None:
        if (digest := token_digest(token)) is not None:
            self._logins.forget(digest)
