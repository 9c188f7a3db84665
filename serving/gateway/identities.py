"""What the store says of keys and logins, remembered for a second."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from serving.store.caller import Caller
from serving.store.database import Store
from serving.store.database_errors import StoreUnavailable
from serving.store.keys import KnownKey, find_key, note_use, read_key
from serving.store.logins import Held, find_login, token_digest
from serving.store.people import find_student_of_service, person_of_answer, person_of_session, student_of_service
from serving.store.tables.base import now

BELIEVED_SECONDS = 1.0
"""How long the store is not asked again: a choice, half of the two seconds in which a revoked key must end."""

GRACE_SECONDS = 60.0
"""How long recently seen keys, logins and students are trusted while the store does not answer. A choice."""

LAST_USE_SECONDS = 60.0
"""How often it is stored when keys were last used. A choice."""

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

    def find_recent(self, name: str) -> Found | None:
        """What was found a short while ago, for when the store does not answer."""
        at, found = self._found.get(name, (float("-inf"), None))
        return found if self._clock() - at < GRACE_SECONDS else None

    def put(self, name: str, found: Found | None) -> Found | None:
        if found is None:
            self._found.pop(name, None)
            return None
        self._found[name] = (self._clock(), found)
        self._found.move_to_end(name)
        if len(self._found) > MOST_REMEMBERED:
            self._found.popitem(last=False)
        return found

    async def ask(self, store: Store, name: str, find: Callable[[Session], Found | None]) -> Found | None:
        """What the store says; while it does not answer, what it said a short while ago."""
        try:
            return self.put(name, await store.reading(find))
        except (StoreUnavailable, SQLAlchemyError):
            if (kept := self.find_recent(name)) is None:
                raise
            return kept

    def forget(self, name: str) -> None:
        self._found.pop(name, None)

    def forget_where(self, is_gone: Callable[[Found], bool]) -> None:
        for name in [name for name, (_, found) in self._found.items() if is_gone(found)]:
            self.forget(name)


class Identities:
    """Who is behind a key, a login, a service's student or a session."""

    def __init__(
        self, store: Store, *, seconds: float = BELIEVED_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._keys: Remembered[KnownKey] = Remembered(seconds=seconds, clock=clock)
        self._logins: Remembered[Held] = Remembered(seconds=seconds, clock=clock)
        self._students: Remembered[str] = Remembered(seconds=seconds, clock=clock)
        self._sessions: Remembered[str] = Remembered(seconds=seconds, clock=clock)
        self._used: dict[str, datetime] = {}

    def has_seen(self, text: str) -> bool:
        """Whether this key's id was good a while ago: its holder is not made to wait for others' wrong keys."""
        shown = read_key(text)
        return shown is not None and shown.key_id in self._keys

    async def by_key(self, text: str) -> Identity | None:
        """`None` for what is no key, an unknown, revoked or ended one, or the wrong secret."""
        shown = read_key(text)
        if shown is None:
            return None
        known = self._keys.get(shown.key_id)
        if known is None:
            known = await self._keys.ask(self._store, shown.key_id, lambda db: find_key(db, shown.key_id))
        if known is None or not known.opens_for(shown.secret):
            return None
        self._used[known.key_id] = now()
        caller = Caller(known.person_id, known.role, known.key_id, known.name, known.courses, scopes=known.scopes)
        return Identity(caller, f"key:{known.key_id}", known.requests_per_minute)

    async def is_key(self, key_id: str) -> bool:
        """Whether links made for this key still open: it is not revoked, or no key was needed (`-`)."""
        if key_id == "-":
            return True
        known = self._keys.get(key_id)
        if known is None:
            known = self._keys.put(key_id, await self._store.reading(lambda db: find_key(db, key_id)))
        return known is not None and not known.is_over

    async def keep_last_use(self, pause: float = LAST_USE_SECONDS) -> None:
        """Store when keys were last used, every while and at the end."""
        try:
            while True:
                await asyncio.sleep(pause)
                await self._store_last_use()
        finally:
            await self._store_last_use()

    async def _store_last_use(self) -> None:
        used, self._used = self._used, {}
        if not used:
            return
        try:
            await self._store.writing(lambda db: note_use(db, used))
        except (StoreUnavailable, SQLAlchemyError):
            self._used = used | self._used

    async def by_login(self, token: str) -> Identity | None:
        """`None` for an unknown or expired login, or one whose key is revoked."""
        digest = token_digest(token)
        if digest is None:
            return None
        held = self._logins.get(digest)
        if held is None:
            held = await self._logins.ask(self._store, digest, lambda db: find_login(db, digest, at=now()))
        if held is None or held.expires_at <= now():
            return None
        caller = Caller(held.person_id, held.role, held.key_id, held.name, held.courses)
        is_of_key = held.key_id is not None and not held.is_launched
        who = f"key:{held.key_id}" if is_of_key else f"person:{held.person_id}"
        return Identity(caller, who, held.requests_per_minute)

    async def student_of(self, service: Identity, user: str) -> Identity:
        """The student whom the service behind a key calls `user`, made when they are new."""
        key_id = service.caller.key_id or ""
        name = f"{key_id} {user}"
        person_id = self._students.get(name) or await self._students.ask(
            self._store, name, lambda db: find_student_of_service(db, key_id=key_id, user=user)
        )
        if person_id is None:
            person_id = await self._store.writing(lambda db: student_of_service(db, key_id=key_id, user=user))
        self._students.put(name, person_id)
        return replace(service, caller=replace(service.caller, person_id=person_id))

    async def by_session(self, session_id: str) -> str | None:
        return self._sessions.get(session_id) or await self._sessions.ask(
            self._store, session_id, lambda db: person_of_session(db, session_id)
        )

    async def by_answer(self, trace_id: str) -> str | None:
        """Who was given an answer and shows it by an id that cannot be made up."""
        return self._sessions.get(trace_id) or await self._sessions.ask(
            self._store, trace_id, lambda db: person_of_answer(db, trace_id)
        )

    def forget_person(self, person_id: str) -> None:
        """Somebody was deleted: nobody is taken for them any more."""
        self._logins.forget_where(lambda held: held.person_id == person_id)
        for known in (self._students, self._sessions):
            known.forget_where(lambda one: one == person_id)

    def forget_login(self, token: str) -> None:
        if (digest := token_digest(token)) is not None:
            self._logins.forget(digest)
