"""A home that is kept in a folder or an object store, for builds on several machines one after the other.

The disk of whoever builds is a working copy: `take` brings the version that is kept before anything is built, `give`
keeps what was made as the next one. Between the two it is a home like any other. Versions lie there as those that
gateways follow (`publication`): files by their content, a manifest, one pointer. So nothing is half kept, and of a
build only the files travel that differ.

What is not kept: what people said (`store.db`), input files, logs, and what any machine makes for itself.
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.publication import (
    CARRIERS,
    Publication,
    PublicationReport,
    PublicationUnreadable,
    PublishedFile,
    current_version,
    publish,
    read_publication,
)
from knowledge_graph.lake.remote_folder import RemoteFolder
from knowledge_graph.lake.seals import POINTER
from knowledge_graph.lake.tables import write_text_atomic

RECORD = "dagster"
"""The folder of Dagster's record, which is kept with the home where it is no database of its own."""
TOPS = (
    *("lake", "index", "models", "maps", "evaluation", "cache", "data_docs", "mlartifacts", "trainings", RECORD),
    *("gone_courses.json", "mlflow.db", "mlflow_name.json"),
)
"""What of a home is kept, by the first part of its names."""
_NOT_KEPT = (
    *("lake/.staged", "data_docs/site", "evaluation/systems/.begun"),
    *("cache/kept.json", "cache/digests.json", "cache/published.json", "cache/vectors"),
    *("dagster/alive", "dagster/storage", "dagster/up_to_date.json", "dagster/mlflow.lock"),
)
"""Of that, what is of one machine or one run: staged rows, digests by times of files, what runs printed."""
_LOGS = ("-wal", "-shm", "-journal")
_PASSING = (".tmp", *_LOGS)


class OtherHome(CoteachError):
    """A home with files of its own, where another one is kept."""


class HomeMovedOn(CoteachError):
    """Somebody else gave the home back since this machine took it."""


class HomeUntaken(CoteachError):
    """This disk cannot take the home that is kept."""


@dataclass(frozen=True)
class KeptVersion:
    """What a working copy began from: the address without keys, and the version (SHA-256).

    The copy is `kept` as it is there, or somebody is `taking` it, or began `writing` and has not given it back.
    """

    url: str
    version: str
    state: Literal["kept", "taking", "writing"] = "kept"


@dataclass(frozen=True)
class TakenHome:
    """What `take` did: the version that is here now, and how many of its files travelled."""

    version: str
    files: int
    carried: int
    carried_bytes: int


def list_files(data_dir: DataDir, scratch: Path, *, with_record: bool) -> dict[str, Path]:
    """What of a home is kept, by name, sorted. Of a database of SQLite that somebody has open, a copy in `scratch`,
    taken in one transaction.

    `with_record`: whether Dagster's record is in the home.
    """
    found: dict[str, Path] = {}
    for top in TOPS:
        if top != RECORD or with_record:
            found.update((path.relative_to(data_dir.root).as_posix(), path) for path in _below(data_dir.root / top))
    kept = {name: path for name, path in sorted(found.items()) if not _is_passing(name)}
    return {name: _copy_database(path, scratch / name) if _is_open(path) else path for name, path in kept.items()}


def take(
    data_dir: DataDir,
    folder: RemoteFolder,
    files: Mapping[str, Path],
    *,
    digest: Callable[[str, Path], str],
) -> TakenHome | None:
    """Make the home the version that is kept, where that is another than it began from; `None` when nothing is to do.

    `files` are those of the home (`list_files`). What a build made that was stopped before it could `give` stays as
    long as nobody else gave back, and is replaced then. Raises `OtherHome` where the home has files but never came
    from there, `HomeUntaken` for a full disk, `PublicationUnreadable`, `PlaceUnreachable`; the home is as it was then.
    Stopped while files change places, it is gone on with the next time, and nothing may be built before.
    """
    there, began = current_version(folder), _began_from(data_dir, folder)
    if there is None or (began is not None and began.version == there and began.state != "taking"):
        return None
    if began is None and any(not name.startswith(f"{RECORD}/") for name in files):
        raise OtherHome(
            f"The home {data_dir.root} was built without {folder.url}, where another one is kept. Build in an empty "
            "COTEACH_HOME, which takes that one, or keep this one at an address of its own."
        )
    try:
        kept = read_publication(folder, there, tops=TOPS)
        different = {
            name: one
            for name, one in kept.files.items()
            if name not in files or digest(name, files[name]) != one.sha256
        }
        carried = _fetch(data_dir, folder, different)
    except FileNotFoundError as error:
        raise PublicationUnreadable(
            f"{folder.url} lacks a file of the version {there[:12]}: {error}. If it was not replaced just now, restore "
            "it there, or remove CURRENT there to keep the home of the next build anew."
        ) from error
    _write_kept_version(data_dir, KeptVersion(folder.url, there, "taking"))
    _put_in_place(data_dir, kept, different, gone=files.keys() - kept.files.keys())
    _write_kept_version(data_dir, KeptVersion(folder.url, there))
    shutil.rmtree(data_dir.taking, ignore_errors=True)
    return TakenHome(there, len(kept.files), len(carried), sum(one.size for one in carried))


def begin(data_dir: DataDir) -> None:
    """Mark the home as one that is written in, until it is given back."""
    if (before := read_kept_version(data_dir)) is not None:
        _write_kept_version(data_dir, replace(before, state="writing"))


def give(
    data_dir: DataDir,
    folder: RemoteFolder,
    files: Mapping[str, Path],
    *,
    digest: Callable[[str, Path], str],
) -> PublicationReport:
    """Keep the home as it is. Raises `HomeMovedOn` when somebody else did since it was taken, and what `publish` does;
    what was kept before still is then."""
    there, began = current_version(folder), _began_from(data_dir, folder)
    if there is not None and (began is None or began.version != there):
        raise HomeMovedOn(
            f"The home in {folder.url} is another than {data_dir.root} began from: somebody built meanwhile. What was "
            "made here is not kept there; the next build takes that home and makes what it lacks."
        )
    report = publish(files, folder, digest=digest, tops=TOPS)
    _write_kept_version(data_dir, KeptVersion(folder.url, report.version))
    return report


def read_kept_version(data_dir: DataDir) -> KeptVersion | None:
    """What the home began from; `None` where it was never taken or given."""
    try:
        return KeptVersion(**json.loads(data_dir.kept_version.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _began_from(data_dir: DataDir, folder: RemoteFolder) -> KeptVersion | None:
    found = read_kept_version(data_dir)
    return found if found is not None and found.url == folder.url else None


def _write_kept_version(data_dir: DataDir, version: KeptVersion) -> None:
    write_text_atomic(data_dir.kept_version, json.dumps(asdict(version)) + "\n")


def _below(top: Path) -> Iterator[Path]:
    if top.is_file():
        yield top
    yield from (path for path in top.rglob("*") if path.is_file() and not path.is_symlink())


def _is_passing(name: str) -> bool:
    return name.endswith(_PASSING) or any(name == one or name.startswith(f"{one}/") for one in _NOT_KEPT)


def _is_open(path: Path) -> bool:
    """Whether a database has a log beside it, which the last one to close it removes."""
    return path.suffix == ".db" and any(Path(f"{path}{log}").exists() for log in _LOGS)


def _copy_database(path: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as given,
        closing(sqlite3.connect(target)) as taken,
    ):
        given.backup(taken)
    return target


def _fetch(data_dir: DataDir, folder: RemoteFolder, different: Mapping[str, PublishedFile]) -> list[PublishedFile]:
    """Bring each content once, beside the home; what arrived before a stop is not brought again."""
    data_dir.taking.mkdir(parents=True, exist_ok=True)
    wanted = {one.sha256: one for one in different.values() if not (data_dir.taking / one.sha256).is_file()}
    needed, free = sum(one.size for one in different.values()), shutil.disk_usage(data_dir.taking).free
    if needed > free:
        raise HomeUntaken(
            f"The home in {folder.url} needs {needed / 1e6:,.0f} MB more, and the disk of {data_dir.root} has "
            f"{free / 1e6:,.0f} MB left. Make room and run the command again."
        )
    with ThreadPoolExecutor(CARRIERS) as pool:
        list(pool.map(lambda one: _bring(data_dir, folder, one), wanted.values()))
    return list(wanted.values())


def _bring(data_dir: DataDir, folder: RemoteFolder, one: PublishedFile) -> None:
    draft = data_dir.taking / f"{one.sha256}.part"
    if (found := folder.download(one.key, draft)) != one.sha256:
        draft.unlink()
        raise PublicationUnreadable(
            f"{folder.url}/{one.key} is damaged: expected that SHA-256, found {found[:12]}…. Restore it there, or "
            "remove CURRENT there to keep the home of the next build anew."
        )
    os.replace(draft, data_dir.taking / one.sha256)


def _put_in_place(
    data_dir: DataDir, kept: Publication, different: Mapping[str, PublishedFile], *, gone: set[str]
) -> None:
    """Pointers last, so that who reads the home meanwhile finds what they name; then remove what is `gone`."""
    left = [name for name in different if name not in gone]
    for name in sorted(left, key=lambda name: (PurePosixPath(name).name == POINTER, name)):
        target = data_dir.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        shutil.copyfile(data_dir.taking / kept.files[name].sha256, draft)
        os.replace(draft, target)
        for log in _LOGS if target.suffix == ".db" else ():
            Path(f"{target}{log}").unlink(missing_ok=True)
    for name in gone:
        (data_dir.root / name).unlink(missing_ok=True)
