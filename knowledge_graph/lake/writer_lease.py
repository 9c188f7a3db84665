"""The lease of a home that is kept elsewhere: one machine at a time builds it.

    writers/<id>.json       one for whoever builds or wants to, written again as long as it lives

Object stores have no locks. Whoever wants to build writes a file of its own, and then looks: where another lives, it
takes its own back and waits. Two that begin in the same moment both see the other, and try again after different times.
A file that was not written again for `EXPIRED_S` is of somebody dead; all times are the store's own.

It keeps people from building for nothing; what keeps the home whole is that `give` compares versions (`kept_home`).
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
_LOOK_S = 2.0
_TOLD_EACH_S = 30.0
"""Choices: a machine that died is waited for two minutes."""


class HomeBusy(CoteachError):
    """Somebody else writes in the home, here or on another machine, and one does not want to wait."""


@dataclass(frozen=True)
class LeaseTerms:
    """Seconds between two writes of a lease, after which it is nobody's, and between two looks of who waits."""

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
    """Be the one machine that builds what is kept in `folder`. While another does, wait and `tell` so; without `wait`
    raise `HomeBusy`. Raises `PlaceUnreachable`."""
    name = f"writers/{secrets.token_hex(8)}.json"
    told = {"owner": owner, "pid": os.getpid(), "host": socket.gethostname(), "since": time.time()}
    content = json.dumps(told).encode()
    _acquire(folder, name, content, wait=wait, tell=tell, terms=terms)
    ended = threading.Event()
    writer = threading.Thread(target=_write_again, args=(folder, name, content, terms, ended), daemon=True)
    writer.start()
    try:
        yield
    finally:
        ended.set()
        writer.join()
        with suppress(PlaceUnreachable):  # then it expires
            folder.remove(name)


def _acquire(
    folder: RemoteFolder, name: str, content: bytes, *, wait: bool, tell: Callable[[str], None], terms: LeaseTerms
) -> None:
    told_at = -_TOLD_EACH_S
    while True:
        folder.write(name, content)
        other = _find_living(folder, name, terms)
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


def _find_living(folder: RemoteFolder, name: str, terms: LeaseTerms) -> RemoteFile | None:
    found = {one.name: one for one in folder.list_files("writers") if one.name.endswith(".json")}
    now = found[name].changed_at if name in found else time.time()
    living = [one for one in found.values() if one.name != name and one.changed_at > now - terms.expired_s]
    for dead in found.keys() - {name, *(one.name for one in living)}:
        folder.remove(dead)
    return min(living, key=lambda one: one.name, default=None)


def _describe(folder: RemoteFolder, other: RemoteFile) -> str:
    try:
        told = json.loads(folder.read(other.name))
        return f"{told['owner']} (process {told['pid']} on {told['host']}, for {time.time() - told['since']:.0f} s)"
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return "another machine"


def _write_again(folder: RemoteFolder, name: str, content: bytes, terms: LeaseTerms, ended: threading.Event) -> None:
    while not ended.wait(terms.refresh_s):
        with suppress(PlaceUnreachable):  # it may be back before the lease expires
            folder.write(name, content)
