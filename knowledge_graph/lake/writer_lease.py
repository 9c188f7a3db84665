"""The write lease of a shared home: one machine at a time builds it.

    writers/<id>.json       one for each machine that builds or wants to; written again as long as that process lives

Object stores have no locks. A machine that wants to build writes a file of its own and then lists the folder: where
another one lives, it removes its own and waits. Two that begin together see each other, and try again after different
times. A file that was not written again for `EXPIRED_S` is a dead process's; ages go by the store's clock.

The lease only keeps machines from building for nothing. What keeps the home whole is `push`, which compares versions
(`shared_home`).
"""

import json
import os
import random
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.remote_folder import PlaceUnreachable, RemoteFile, RemoteFolder

REFRESH_S = 20.0
EXPIRED_S = 120.0
"""Seconds after which a lease ends that nobody renews: for so long a machine that died is waited for. Choices."""
_LOOK_S = 2.0
_TOLD_EACH_S = 30.0


class HomeBusy(CoteachError):
    """Somebody else writes in the home, here or on another machine, and the caller does not want to wait."""


@dataclass(frozen=True)
class LeaseTerms:
    """Seconds between renewals, until a lease that is not renewed ends, and between two looks while one waits."""

    refresh_s: float = REFRESH_S
    expired_s: float = EXPIRED_S
    look_s: float = _LOOK_S


@contextmanager
def lease(
    folder: RemoteFolder,
    owner: str,
    *,
    wait: bool = True,
    tell: Callable[[str], None] = lambda _: None,
    terms: LeaseTerms = LeaseTerms(),
) -> Iterator[None]:
    """Hold the lease of the home in `folder`. While another machine holds it, wait and `tell` so; without `wait` raise
    `HomeBusy`. Raises `PlaceUnreachable`."""
    name = f"writers/{secrets.token_hex(8)}.json"
    holder = {"owner": owner, "pid": os.getpid(), "host": socket.gethostname(), "since": time.time()}
    content = json.dumps(holder).encode()
    ended = threading.Event()
    writer = threading.Thread(target=_renew, args=(folder, name, content, terms, ended), daemon=True)
    try:
        _acquire(folder, name, content, wait=wait, tell=tell, terms=terms)
        writer.start()
        yield
    finally:
        ended.set()
        if writer.ident is not None:
            writer.join()
        with suppress(PlaceUnreachable):  # then it expires
            folder.remove(name)


def _acquire(
    folder: RemoteFolder, name: str, content: bytes, *, wait: bool, tell: Callable[[str], None], terms: LeaseTerms
) -> None:
    told_at = -_TOLD_EACH_S
    while True:
        folder.write(name, content)
        other = _find_other_holder(folder, name, terms)
        if other is None:
            return
        folder.remove(name)
        who = _describe(folder, other)
        if not wait:
            raise HomeBusy(f"{who} builds the home in {folder.url}. Try again when it is done.")
        if time.monotonic() - told_at >= _TOLD_EACH_S:
            tell(f"Waiting until {who} is done with the home in {folder.url} …")
            told_at = time.monotonic()
        time.sleep(terms.look_s * random.uniform(0.5, 1.5))


def _find_other_holder(folder: RemoteFolder, name: str, terms: LeaseTerms) -> RemoteFile | None:
    """Whose lease lives; those that have expired are removed."""
    found = {one.name: one for one in folder.list_files("writers") if one.name.endswith(".json")}
    now = found[name].changed_at if name in found else time.time()
    living = [one for one in found.values() if one.name != name and one.changed_at > now - terms.expired_s]
    for dead in found.keys() - {name, *(one.name for one in living)}:
        folder.remove(dead)
    return min(living, key=lambda one: one.name, default=None)


def _describe(folder: RemoteFolder, other: RemoteFile) -> str:
    try:
        told = json.loads(folder.read(other.name))
        seconds = max(0.0, time.time() - told["since"])
        return f"{told['owner']} (process {told['pid']} on {told['host']}, for {seconds:.0f} s)"
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return "another machine"


def _renew(folder: RemoteFolder, name: str, content: bytes, terms: LeaseTerms, ended: threading.Event) -> None:
    while not ended.wait(terms.refresh_s):
        with suppress(PlaceUnreachable):  # it may be back before the lease expires
            folder.write(name, content)
