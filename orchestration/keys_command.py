"""What `coteach keys` does and prints. It works on the store, with or without a gateway running."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Column, Table

from serving.access import role_named
from serving.settings import Settings
from serving.store.database import Store, open_store
from serving.store.keys import KeyUnusable, Listed, list_keys, make_key, read_key, revoke_key


def create(
    console: Console,
    *,
    role: str,
    name: str | None,
    label: str | None,
    courses: Sequence[str],
    per_minute: int | None,
    as_json: bool,
) -> int:
    """Make a key and show it: this once, for only its digest is kept. Raises `KeyUnusable`."""
    try:
        named = role_named(role)
    except ValueError as error:
        raise KeyUnusable(str(error)) from None
    with _opened() as store:
        key = store.write(
            lambda db: make_key(
                db, role=named, label=label or "", name=name, courses=courses or None, per_minute=per_minute
            )
        )
    shown = read_key(key)
    if as_json:
        console.print_json(json.dumps({"key": key, "key_id": shown.key_id if shown else "", "role": role}))
        return 0
    console.print(key, highlight=False, soft_wrap=True, markup=False)
    console.print("Keep it: it is not shown again. Send it as `Authorization: Bearer …`.", style="yellow")
    return 0


def show(console: Console, *, as_json: bool) -> int:
    """All keys, revoked ones too; no secrets, which nobody has."""
    with _opened() as store:
        keys = store.read(list_keys)
    if as_json:
        console.print_json(json.dumps([_facts(one) for one in keys], ensure_ascii=False))
        return 0
    table = Table(Column("key id", no_wrap=True), "role", "name", "label", "courses", "per minute", "made", "revoked")
    for one in keys:
        table.add_row(*_cells(one))
    console.print(table)
    return 0


def revoke(console: Console, key: str) -> int:
    """End a key, named by its id or whole, and all logins made with it. Raises `KeyUnknown`."""
    shown = read_key(key)
    key_id = key if shown is None else shown.key_id
    with _opened() as store:
        store.write(lambda db: revoke_key(db, key_id))
    console.print(f"Revoked {key_id}. A gateway that runs notices within two seconds.", highlight=False, markup=False)
    return 0


@contextmanager
def _opened() -> Iterator[Store]:
    """The home's store, closed in the end."""
    settings = Settings()
    if settings.store_url is None:
        settings.home.mkdir(parents=True, exist_ok=True)
    store = open_store(settings)
    try:
        yield store
    finally:
        store.close()


def _facts(key: Listed) -> dict[str, Any]:
    facts = asdict(key)
    for name in ("created_at", "revoked_at"):
        facts[name] = facts[name].isoformat() if facts[name] else None
    return facts


def _cells(key: Listed) -> list[str]:
    return [
        key.key_id,
        key.role,
        key.name or "",
        key.label,
        "all" if key.courses is None else ", ".join(key.courses),
        "" if key.requests_per_minute is None else str(key.requests_per_minute),
        f"{key.created_at:%Y-%m-%d}",
        f"{key.revoked_at:%Y-%m-%d}" if key.revoked_at else "",
    ]
