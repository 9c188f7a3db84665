"""What `coteach keys` and `coteach audit` do and print. They work on the store, with or without a gateway running."""

import getpass
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table
from sqlalchemy.orm import Session

from serving.settings import Settings
from serving.store.audit import acts, record
from serving.store.caller import parse_role
from serving.store.database import Store, open_store
from serving.store.keys import KeyUnusable, ListedKey, list_keys, make_key, read_key, revoke_key, rotate_key

_TOLD = ("by", "act", "subject", "details")


def create(
    console: Console,
    *,
    role: str,
    name: str | None,
    label: str | None,
    courses: Sequence[str],
    per_minute: int | None,
    tokens_per_day: int | None = None,
    days: float | None,
    scopes: Sequence[str],
    as_json: bool,
) -> int:
    """Make a key and show it: this once, for only its digest is kept. Raises `KeyUnusable`."""
    try:
        named = parse_role(role)
    except ValueError as error:
        raise KeyUnusable(str(error)) from None

    def work(db: Session) -> str:
        key = make_key(
            db,
            role=named,
            label=label or "",
            name=name,
            courses=courses or None,
            per_minute=per_minute,
            tokens_per_day=tokens_per_day,
            days=days,
            scopes=scopes or None,
        )
        about = {"role": role, "courses": list(courses) or None, "scopes": list(scopes) or None, "days": days}
        record(db, "key.create", _id_of(key), by=whoami(), **about)
        return key

    with open_own_store() as store:
        key = store.write(work)
    _tell(console, key, as_json=as_json, role=role)
    return 0


def rotate(console: Console, key: str, *, grace_hours: float, days: float | None, as_json: bool) -> int:
    """Give a key another secret and show it, this once; the old one opens for a while yet. Raises `KeyUnknown`."""
    key_id = _id_of(key)

    def work(db: Session) -> str:
        made = rotate_key(db, key_id, grace_hours=grace_hours, days=days)
        record(db, "key.rotate", key_id, by=whoami(), grace_hours=grace_hours, days=days)
        return made

    with open_own_store() as store:
        made = store.write(work)
    _tell(console, made, as_json=as_json)
    return 0


def audit(console: Console, *, limit: int, as_json: bool) -> int:
    """The newest administrative acts, the last one first."""
    with open_own_store() as store:
        rows = store.read(lambda db: acts(db, limit=limit))
    if as_json:
        told = [{"at": row.at.isoformat(), **{name: getattr(row, name) for name in _TOLD}} for row in rows]
        console.print_json(json.dumps(told, ensure_ascii=False))
        return 0
    table = Table(Column("at, UTC", no_wrap=True), "by", "act", "subject", "details")
    for row in rows:
        details = ", ".join(f"{name} {value}" for name, value in row.details.items())
        table.add_row(*map(escape, (f"{row.at:%Y-%m-%d %H:%M:%S}", row.by, row.act, row.subject, details)))
    console.print(table)
    return 0


def whoami() -> str:
    """Whose login of this machine runs the command."""
    try:
        return f"login {getpass.getuser()}"
    except (KeyError, OSError):  # a container may run as a number that has no name
        return f"login {os.getuid()}"


def _id_of(key: str) -> str:
    """The id of a key that is named by it or whole."""
    shown = read_key(key)
    return key if shown is None else shown.key_id


def _tell(console: Console, key: str, *, as_json: bool, **more: str) -> None:
    if as_json:
        console.print_json(json.dumps({"key": key, "key_id": _id_of(key), **more}))
        return
    console.print(key, highlight=False, soft_wrap=True, markup=False)
    console.print("Keep it: it is not shown again. Send it as `Authorization: Bearer …`.", style="yellow")


def show(console: Console, *, as_json: bool) -> int:
    """All keys, revoked ones too; no secrets, which nobody has."""
    with open_own_store() as store:
        keys = store.read(list_keys)
    if as_json:
        console.print_json(json.dumps([_facts(one) for one in keys], ensure_ascii=False))
        return 0
    named = ("role", "name", "label", "courses", "scopes", "per minute", "made", "last used", "ends", "revoked")
    table = Table(Column("key id", no_wrap=True), *named)
    for one in keys:
        table.add_row(*_cells(one))
    console.print(table)
    return 0


def revoke(console: Console, key: str) -> int:
    """End a key, named by its id or whole, and all logins made with it. Raises `KeyUnknown`."""
    key_id = _id_of(key)

    def work(db: Session) -> None:
        revoke_key(db, key_id)
        record(db, "key.revoke", key_id, by=whoami())

    with open_own_store() as store:
        store.write(work)
    console.print(f"Revoked {key_id}. A gateway that runs notices within two seconds.", highlight=False, markup=False)
    return 0


@contextmanager
def open_own_store() -> Iterator[Store]:
    """The home's store, closed in the end."""
    settings = Settings()
    if settings.store_url is None:
        settings.home.mkdir(parents=True, exist_ok=True)
    store = open_store(settings)
    try:
        yield store
    finally:
        store.close()


def _facts(key: ListedKey) -> dict[str, Any]:
    facts = asdict(key)
    for name in ("created_at", "revoked_at", "expires_at", "last_used_at"):
        facts[name] = facts[name].isoformat() if facts[name] else None
    return facts


def _cells(key: ListedKey) -> list[str]:
    return [
        key.key_id,
        key.role,
        key.name or "",
        key.label,
        "all" if key.courses is None else ", ".join(key.courses),
        "all" if key.scopes is None else ", ".join(key.scopes),
        "" if key.requests_per_minute is None else str(key.requests_per_minute),
        *(f"{at:%Y-%m-%d}" if at else "" for at in (key.created_at, key.last_used_at, key.expires_at, key.revoked_at)),
    ]
