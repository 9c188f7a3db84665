"""Errors of the database itself, worded for the operator; never with a password in them."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, ResourceClosedError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from knowledge_graph.lake.problems import CoteachError

TROUBLES = (DBAPIError, PoolTimeout, ResourceClosedError)
"""What SQLAlchemy raises when a database does not do its part."""


class StoreUnavailable(CoteachError):
    """The store cannot be used now. Nothing that was asked of it has been done, unless the message says otherwise."""


class StoreOverloaded(StoreUnavailable):
    """So much waits to be written that no more is taken."""


class StoreClosed(StoreUnavailable):
    """Work came after `close`."""


class StoreForeign(StoreUnavailable):
    """The database was made by a newer coteach, or by another program."""


class CommitUnknown(StoreUnavailable):
    """The connection was lost while the work was committed: it is stored, or it is not."""


class ReadWrote(TypeError):
    """A function given to `read` or `reading` changed something: a mistake in the program."""


def format_url(url: URL) -> str:
    """A URL for people: without its password and without its query, which may hold one too."""
    return url.set(query={}).render_as_string(hide_password=True)


_SQLITE = {
    sqlite3.SQLITE_READONLY: "cannot be written to: {cause}. Give the account that runs coteach the right to write to "
    "the file and to its folder.",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: {cause}. Check that its folder exists and that the account that runs "
    "coteach may read and write in it.",
    sqlite3.SQLITE_PERM: "cannot be opened: {cause}. Check the rights of the file and its folder.",
    sqlite3.SQLITE_NOTADB: "is no SQLite database. Name another file in COTEACH_STORE_URL, or move this one away.",
    sqlite3.SQLITE_CORRUPT: "is damaged: {cause}. Stop coteach and put a copy in its place that `coteach store backup` "
    "made.",
    sqlite3.SQLITE_FULL: "cannot grow: {cause}. Nothing of this was stored. Free space on its disk.",
    sqlite3.SQLITE_IOERR: "cannot be read or written: {cause}. Check its disk, and that it has space.",
    sqlite3.SQLITE_BUSY: "is being written to by another process that does not end: {cause}. Wait for it, or stop it.",
    sqlite3.SQLITE_LOCKED: "is locked by this process: {cause}. Try again.",
}

_POSTGRESQL = {
    "28": "does not let this user in: {cause}. Check user and password in COTEACH_STORE_URL.",
    "3D": "is not there: {cause}. Create the database, or name another in COTEACH_STORE_URL.",
    "25006": "takes no writes: {cause}. Name the primary server in COTEACH_STORE_URL.",
    "40": "has too many writers at once: {cause}. Try again.",
    "42501": "does not allow this user to do what is needed: {cause}. Grant the user the right to create tables.",
    "53": "has no room: {cause}. Nothing of this was stored. Free space or connections on the server.",
    "57P": "is shutting down or starting: {cause}. Try again when it runs.",
    "58": "cannot read or write its own files: {cause}. See the server's log.",
    "XX": "is damaged: {cause}. See the server's log.",
}

_UNREACHABLE = (
    "cannot be reached: {cause}. Check that the server runs, and host, port, user, password and database in "
    "COTEACH_STORE_URL."
)


def explain_error(error: Exception, url: URL) -> StoreUnavailable | None:
    """What `error` means for the person who runs coteach; `None` when the statement was at fault, not the database."""
    if isinstance(error, PoolTimeout):
        return StoreUnavailable(f"The store {format_url(url)} has no free connection: too many requests read at once.")
    if not isinstance(error, DBAPIError) or error.orig is None:
        return None
    sentence = _sentence(error)
    if sentence is None:
        return None
    return StoreUnavailable(f"The store {format_url(url)} {sentence.format(cause=_cause(error.orig))}")


@contextmanager
def explain_troubles(url: URL) -> Iterator[None]:
    """Raises `StoreUnavailable` for a database that does not do its part."""
    try:
        yield
    except TROUBLES as error:
        if (trouble := explain_error(error, url)) is None:
            raise
        raise trouble from error


def is_transient(error: Exception) -> bool:
    """Whether the same work may well succeed when it is done again at once."""
    if not isinstance(error, DBAPIError):
        return False
    if error.connection_invalidated:
        return True
    code, state = _codes(error)
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or state[:2] == "40"


def is_read_only(error: Exception) -> bool:
    code, state = _codes(error) if isinstance(error, DBAPIError) else (None, "")
    return code == sqlite3.SQLITE_READONLY or state == "25006"


def _sentence(error: DBAPIError) -> str | None:
    code, state = _codes(error)
    if code is not None:
        return _SQLITE.get(code)
    for start, sentence in _POSTGRESQL.items():
        if state.startswith(start):
            return sentence
    if error.connection_invalidated or (not state and type(error.orig).__name__ == "OperationalError"):
        return _UNREACHABLE
    return None


def _codes(error: DBAPIError) -> tuple[int | None, str]:
    """SQLite's primary result code and PostgreSQL's SQLSTATE, where there are such."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return (None if code is None else code & 0xFF), getattr(error.orig, "sqlstate", None) or ""


def _cause(orig: BaseException) -> str:
    """The first line of the driver's own message."""
    return (str(orig).strip().splitlines() or [type(orig).__name__])[0].rstrip(".")
