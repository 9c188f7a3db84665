"""A published home: what gateways read of it, in a folder or an object store, for those that have no home of their own.

    objects/<sha256>            a file by its content: written once, never changed
    versions/<sha256>.json      a manifest: which file of the home has which content; named by its own content
    CURRENT                     the version in use: the one thing that is ever written over

So a version is whole before anybody can see it, a publisher that is stopped midway has published nothing, and of a new
build only the files travel that differ. `local_copy` takes it from there.
"""

import hashlib
import json
import re
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.remote_folder import RemoteFolder
from knowledge_graph.lake.seals import POINTER

FORMAT = 1
"""Of the manifest. A reader refuses a higher one: gateways are upgraded before what publishes."""

TOPS = ("lake", "index", "models", "maps", "gone_courses.json")
"""What of a home may be published, by the first part of its names; everything else is a gateway's own."""

KEPT = 3
"""Versions that stay published, the one in use among them. A choice."""

GRACE_S = 3600.0
"""How long an object that no version names stays: another publisher may be about to name it. A choice."""

CARRIERS = 8
"""Files that travel at once; each waits for its store most of the time. A choice."""

_HEX = re.compile(r"[0-9a-f]{64}")


class PublicationUnreadable(CoteachError):
    """Something is published that this program cannot take, or that is not what it says."""


class HomeChanged(CoteachError):
    """A file of the home became another while it was published."""


@dataclass(frozen=True)
class PublishedFile:
    """One file of a home: its SHA-256 in hexadecimal digits, and its size in bytes."""

    sha256: str
    size: int

    @property
    def key(self) -> str:
        return f"objects/{self.sha256}"


@dataclass(frozen=True)
class Publication:
    """One version: the files of a home by name, `lake/cues/trees.parquet`. Immutable."""

    files: Mapping[str, PublishedFile]

    @property
    def content(self) -> bytes:
        """The manifest; the same files give the same bytes."""
        files = {name: {"sha256": one.sha256, "bytes": one.size} for name, one in self.files.items()}
        return (json.dumps({"format": FORMAT, "files": files}, sort_keys=True, indent=1) + "\n").encode()

    @property
    def version(self) -> str:
        """64 hexadecimal digits: the SHA-256 of the manifest."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True)
class PublicationReport:
    """What publishing a version, or pulling one, did. `carried_bytes` of `carried` files were transferred; the others
    were there."""

    version: str
    files: int
    carried: int
    carried_bytes: int
    is_new: bool
    """Whether another version was in use before."""


def publish(
    files: Mapping[str, Path],
    folder: RemoteFolder,
    *,
    digest: Callable[[str, Path], str],
    tops: Collection[str] = TOPS,
    check: Callable[[], None] = lambda: None,
    keep: int = KEPT,
    now: Callable[[], float] = time.time,
) -> PublicationReport:
    """Publish files by their names in the home, all below `tops`; `digest` gives the SHA-256 of one by name and path.
    `check` is called last before the version is put in use, and may raise.

    Raises `PlaceUnreachable` when the place fails, `HomeChanged` when a file is not what its digest said; then nothing
    is published, and what was in use still is.
    """
    named = {name: PublishedFile(digest(name, path), path.stat().st_size) for name, path in files.items()}
    publication = Publication(dict(sorted(named.items())))
    before = _readable_version(folder)
    there = {(one.name, one.size) for one in folder.list_files("objects")}
    wanted = {
        one.key: (one, files[name]) for name, one in publication.files.items() if (one.key, one.size) not in there
    }
    with ThreadPoolExecutor(CARRIERS) as pool:
        list(pool.map(lambda each: _carry(folder, *each), wanted.values()))
    is_new = publication.version != before
    if is_new or _is_lost(folder, publication):
        folder.write(_manifest_name(publication.version), publication.content)
        check()
        folder.write(POINTER, f"{publication.version}\n".encode())
        _remove_old(folder, publication, _manifests(folder, tops), keep=keep, now=now())
    carried_bytes = sum(one.size for one, _ in wanted.values())
    return PublicationReport(publication.version, len(publication.files), len(wanted), carried_bytes, is_new)


def current_version(folder: RemoteFolder) -> str | None:
    """The version in use; `None` where nothing was published. Raises `PlaceUnreachable`, `PublicationUnreadable`."""
    try:
        found = folder.read(POINTER).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    if _HEX.fullmatch(found) is None:
        raise PublicationUnreadable(
            f"{folder.url}/{POINTER} names no version: expected 64 hexadecimal digits, found {found[:80]!r}. "
            "Run `coteach publish` again; for a shared home let it name one of versions/."
        )
    return found


def read_publication(folder: RemoteFolder, version: str, *, tops: Collection[str] = TOPS) -> Publication:
    """One version, whose files lie below `tops`. Raises `FileNotFoundError` for one that is gone, `PlaceUnreachable`,
    `PublicationUnreadable`."""
    name = _manifest_name(version)
    content = folder.read(name)
    if hashlib.sha256(content).hexdigest() != version:
        raise PublicationUnreadable(
            f"{folder.url}/{name} is not what its name says. Run `coteach publish` again, which writes it "
            "anew; for a shared home let CURRENT name another one."
        )
    return parse_publication(content, f"{folder.url}/{name}", tops=tops)


def parse_publication(content: bytes, where: str, *, tops: Collection[str] = TOPS) -> Publication:
    """The manifest `content`, which stands at `where`. Raises `PublicationUnreadable`: nothing of it is trusted."""
    try:
        told = json.loads(content)
        found = int(told["format"])
    except (ValueError, KeyError, TypeError) as error:
        raise PublicationUnreadable(f"{where} is no manifest of a published home: {error!r}.") from error
    if found > FORMAT:
        raise PublicationUnreadable(
            f"{where} was published by a newer coteach (format {found}; this one reads up to {FORMAT}). Upgrade the "
            "gateways before what publishes; until then they go on with the version they have."
        )
    try:
        files = {str(name): PublishedFile(str(one["sha256"]), int(one["bytes"])) for name, one in told["files"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PublicationUnreadable(f"{where} is no manifest of a published home: {error!r}.") from error
    if wrong := [name for name, one in files.items() if not (_is_below(tops, name) and _HEX.fullmatch(one.sha256))]:
        raise PublicationUnreadable(f"{where} names what is no file of a home: {wrong[0]!r}. Nothing of it is taken.")
    return Publication(files)


def _is_below(tops: Collection[str], name: str) -> bool:
    """Whether a name is one of a home, and leads nowhere else."""
    parts = PurePosixPath(name).parts
    is_plain = "\\" not in name and "\0" not in name and name == "/".join(parts)
    return is_plain and bool(parts) and parts[0] in tops and ".." not in parts


def _manifest_name(version: str) -> str:
    return f"versions/{version}.json"


def _manifests(folder: RemoteFolder, tops: Collection[str]) -> dict[str, Publication]:
    """Every version that is there and can be read, oldest first."""
    found: dict[str, Publication] = {}
    for each in sorted(folder.list_files("versions"), key=lambda one: (one.changed_at, one.name)):
        version = PurePosixPath(each.name).stem
        if _HEX.fullmatch(version) is None:
            continue
        try:
            found[version] = read_publication(folder, version, tops=tops)
        except (FileNotFoundError, PublicationUnreadable):
            continue  # half written by a publisher that was stopped, or removed by another meanwhile
    return found


def _readable_version(folder: RemoteFolder) -> str | None:
    """The version in use; `None` also for a damaged pointer, which publishing writes anew."""
    try:
        return current_version(folder)
    except PublicationUnreadable:
        return None


def _is_lost(folder: RemoteFolder, publication: Publication) -> bool:
    try:
        return folder.read(_manifest_name(publication.version)) != publication.content
    except FileNotFoundError:
        return True


def _carry(folder: RemoteFolder, one: PublishedFile, path: Path) -> None:
    if folder.upload(path, one.key) != one.sha256:
        folder.remove(one.key)
        raise HomeChanged(f"{path} became another while it was published. Nothing was; publish again.")


def _remove_old(
    folder: RemoteFolder, current: Publication, manifests: Mapping[str, Publication], *, keep: int, now: float
) -> None:
    """Keep the `keep` newest versions with their objects, and objects too young to say."""
    others = [version for version in manifests if version != current.version]
    gone = others[: max(0, len(others) - (keep - 1))]
    for version in gone:
        folder.remove(_manifest_name(version))
    kept: Iterable[Publication] = [current, *(one for name, one in manifests.items() if name not in gone)]
    named = {one.key for publication in kept for one in publication.files.values()}
    stray = [one for one in folder.list_files("objects") if one.name not in named and one.changed_at < now - GRACE_S]
    with ThreadPoolExecutor(CARRIERS) as pool:
        list(pool.map(lambda one: folder.remove(one.name), stray))
