"""Group commit: one thread takes all the work that waits, does it in one transaction and commits once.

A commit that reaches the disk costs the same for one row as for a hundred, so those that wait together share one.
Nothing waits on purpose: work that comes alone is committed alone, at once.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.orm.session import JoinTransactionMode

from serving.store.database_errors import (
    TROUBLES,
    CommitUnknown,
    StoreClosed,
    StoreOverloaded,
    StoreUnavailable,
    explain_error,
    format_url,
    is_transient,
)
from serving.store.engines import Engines

Result = TypeVar("Result")

MOST_WAITING = 10_000
"""Pieces of work that may wait. A choice: at the slowest measured disk some seconds of it."""

MOST_TOGETHER = 500
"""Pieces of work in one transaction: bounds how long other processes wait, and what a failing commit takes with it."""


@dataclass(frozen=True, eq=False)
class Job:
    """A piece of work and the promise of what it returns."""

    work: Callable[[Session], Any]
    done: "Future[Any]" = field(default_factory=Future)


@dataclass(frozen=True)
class Failed:
    error: BaseException


class StoreWriter:
    """The only one in this process that writes. The thread begins with the first piece of work."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._sessions = sessionmaker(expire_on_commit=False)
        self._waiting: deque[Job] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False
        self.last_trouble: Exception | None = None
        """What the database had against the last write; `None` when it was kept."""

    def submit(self, work: Callable[[Session], Result]) -> "Future[Result]":
        """The result, once it is on the disk. Work may be done twice, the first time in vain: it only touches rows.

        Raises `StoreClosed` and `StoreOverloaded` at once; whatever else goes wrong is in the future.
        """
        job = Job(work)
        with self._changed:
            if self._closed:
                raise StoreClosed(f"The store {format_url(self._engines.url)} is closed: coteach is shutting down.")
            if self._thread is threading.current_thread():
                raise TypeError("Work that writes cannot wait for other work that writes: call the function instead.")
            if len(self._waiting) >= MOST_WAITING:
                raise StoreOverloaded(
                    f"The store {format_url(self._engines.url)} does not keep up: {MOST_WAITING} writes wait. "
                    "Try again."
                )
            self._waiting.append(job)
            self._start()
            self._changed.notify()
        return job.done

    def close(self) -> None:
        """Do what waits, then stop. Waits for it."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while jobs := self._next():
            settle(jobs, self._outcomes(jobs))

    def _next(self) -> list[Job]:
        """All that wait, the first `MOST_TOGETHER` of them; empty at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            count = min(len(self._waiting), MOST_TOGETHER)
            taken = [self._waiting.popleft() for _ in range(count)]
        # A future that its holder cancelled is passed over; from here on none can be cancelled.
        return [job for job in taken if job.done.set_running_or_notify_cancel()] or (self._next() if taken else [])

    def _outcomes(self, jobs: Sequence[Job]) -> list[Any]:
        """The result of each piece of work, or `Failed`. A failure that may pass is tried once more."""
        try:
            try:
                outcomes = self._together(jobs)
            except TROUBLES as error:
                if not is_transient(error):
                    raise
                outcomes = self._together(jobs)
            self.last_trouble = None
            return outcomes
        except Exception as error:  # noqa: BLE001  told to everyone who waits; the thread goes on
            reason = self.last_trouble = explain_error(error, self._engines.url)
            if reason is not None:
                reason.__cause__ = error
            return [Failed(reason or error)] * len(jobs)

    def _together(self, jobs: Sequence[Job]) -> list[Any]:
        with self._engines.writer.connect() as connection:
            try:
                connection.begin()
                outcomes = self._done_together(jobs, connection)
                if connection.in_transaction():
                    self._commit(connection)
            except BaseException:
                # Whatever state it is in, nothing of it is left for the next.
                connection.invalidate()
                raise
        return outcomes

    def _commit(self, connection: Connection) -> None:
        try:
            connection.commit()
        except TROUBLES as error:
            if not getattr(error, "connection_invalidated", False):
                raise
            raise CommitUnknown(
                f"The connection to the store {format_url(self._engines.url)} was lost in a commit. Look whether what "
                "was written is there before you write it again."
            ) from error

    def _done_together(self, jobs: Sequence[Job], connection: Connection) -> list[Any]:
        """All without savepoints, which cost a sixth of the writer's time. Once one undoes the transaction and so what
        the others wrote, all are done anew, each in a savepoint of its own; one that failed alone has failed."""
        outcomes = []
        for job in jobs:
            outcomes.append(self._done(job, connection, join="rollback_only"))
            if not connection.in_transaction():
                break
        else:
            return outcomes
        if len(jobs) == 1 and isinstance(outcomes[0], Failed):
            return outcomes
        connection.begin()
        return [self._done(job, connection, join="create_savepoint") for job in jobs]

    def _done(self, job: Job, connection: Connection, *, join: JoinTransactionMode) -> Any:
        """One piece of work; what fails is undone. Raises when the database undid the work of others with it."""
        try:
            with self._sessions(bind=connection, join_transaction_mode=join) as session, session.begin():
                outcome = job.work(session)
        except BaseException as error:
            if (trouble := self._trouble(error)) is not None:
                raise trouble from error
            outcome = Failed(error)
        if connection.in_transaction():
            self._require_transaction(connection)
        return outcome

    def _trouble(self, error: BaseException | None) -> Exception | None:
        """The database's own failure below an error: a savepoint that went with it fails once more, in other words."""
        while error is not None:
            if isinstance(error, TROUBLES) and explain_error(error, self._engines.url) is not None:
                return error
            error = error.__context__
        return None

    def _require_transaction(self, connection: Connection) -> None:
        """Some errors (a full disk, no memory) make SQLite roll all back; what follows would be outside of it."""
        if self._engines.is_sqlite and not getattr(connection.connection, "in_transaction", True):
            raise StoreUnavailable(
                f"The store {format_url(self._engines.url)} undid a transaction. Nothing was stored."
            )


def settle(jobs: Sequence[Job], outcomes: Sequence[Any]) -> None:
    for job, outcome in zip(jobs, outcomes, strict=True):
        if isinstance(outcome, Failed):
            job.done.set_exception(outcome.error)
        else:
            job.done.set_result(outcome)
