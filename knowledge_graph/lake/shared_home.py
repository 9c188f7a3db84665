"""A home that several machines share, one after the other, through a folder or an object store.

The local disk holds a working copy. `pull` downloads the version in use before a build, `push` uploads the result as
the next one. Versions have the layout of publications (`publication`): files by their content, a manifest, one pointer.
So a version is whole or not there, and only files that differ are transferred.

Not shared: what people said (`store.db`), exams of models, input files, logs, and what any machine makes for itself.
"""

import errno
import json
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.publication import (
    CARRIERS,
    PublicationReport,
    PublicationUnreadable,
    PublishedFile,
    current_version,
    publish,
    read_publication,
)
from knowledge_graph.lake.remote_folder import PlaceUnreachable, RemoteFolder
from knowledge_graph.lake.seals import POINTER
from knowledge_graph.lake.tables import move_lastingly, replacing, write_text_atomic

SHARED_TOPS = (
    *("lake", "index", "models", "maps", "evaluation", "cache", "data_docs", "mlartifacts", "trainings", "dagster"),
    *("gone_courses.json", "mlflow.db", "mlflow_name.json"),
)
"""What of a home is shared, by the first part of its names; Dagster's record is a part, for builds plan from it."""
_NOT_SHARED = (
    *("data_docs/site", "evaluation/exam", "dagster/alive", "dagster/storage"),
    *("dagster/up_to_date.json", "dagster/mlflow.lock"),
    *("cache/shared.json", "cache/digests.json", "cache/published.json", "cache/vectors"),
)
"""Of that, what belongs to one machine or one run. Hidden folders, in which something is being made, do, too."""
_LOGS = ("-wal", "-shm", "-journal")
"""Beside a database of SQLite that somebody has open, or had when they died."""
_OF_COURSES = ("lake/", "maps/")
"""What is read by all that lies there, so that a table of a build that was given up must not stay."""
_BUILT_APART = "dagster/"
"""What is there also in a home in which nothing was built."""


class UnrelatedHome(CoteachError):
    """A home with files of its own, at an address where another one is shared."""


class HomeConflict(CoteachError):
    """Another machine pushed since this one pulled, or what it pulled is gone."""


class NoRoomForHome(CoteachError):
    """The local disk cannot take the shared home."""


class HomeUnshareable(CoteachError):
    """A home with something that cannot be shared."""


@dataclass(frozen=True)
class SharedVersion:
    """What a working copy began from: the address without keys, the version (SHA-256; empty before the first push), and
    the names of its files.

    The copy is as it was `pushed`, or a pull was begun (`pulling`), or somebody began `writing` and has not pushed.
    """

    url: str
    version: str
    state: Literal["pushed", "pulling", "writing"] = "pushed"
    names: tuple[str, ...] = ()


def list_files(data_dir: DataDir, scratch: Path) -> dict[str, Path]:
    """The files to share, by name, sorted. Of a database of SQLite that is open, a copy in `scratch`, taken in one
    transaction. Raises `HomeUnshareable` for links and for a database that cannot be read."""
    found = {
        path.relative_to(data_dir.root).as_posix(): path for top in SHARED_TOPS for path in _below(data_dir.root / top)
    }
    shared = {name: path for name, path in sorted(found.items()) if _is_shared(name)}
    return {name: _copy_database(path, scratch / name) if _is_open(path) else path for name, path in shared.items()}


def pull(
    data_dir: DataDir, folder: RemoteFolder, files: Mapping[str, Path], *, digest: Callable[[str, Path], str]
) -> PublicationReport | None:
    """Make the home the version in use; `None` when nothing is to do.

    `files` are those of the home (`list_files`). What a build made that was stopped before it could `push` stays until
    another machine pushes, and is replaced then; other files that no version had are left alone. A pull that was
    stopped is gone on with. Raises `UnrelatedHome` where the home was built but never pulled from there, `HomeConflict`
    where what it pulled is gone, `NoRoomForHome`, `PublicationUnreadable`, `PlaceUnreachable`; until everything has
    arrived the home is as it was.
    """
    there, began = current_version(folder), _base_version(data_dir, folder)
    is_built = any(not name.startswith(_BUILT_APART) for name in files)
    if there is None:
        if began is not None and began.version:
            raise HomeConflict(
                f"{folder.url} holds no home any more, and {data_dir.root} was pulled from there. Is it mounted, and "
                f"the right one? To push this home there anew, remove {data_dir.shared_version}."
            )
        return None
    if began is None and is_built:
        raise UnrelatedHome(
            f"{data_dir.root} was not pulled from {folder.url}, which already holds a home. Build in an empty "
            "COTEACH_HOME, or use another COTEACH_HOME_URL."
        )
    is_same = began is not None and began.version == there and is_built
    if began is not None and is_same and (began.state == "writing" or _is_complete(began, files)):
        return None
    try:
        shared = read_publication(folder, there, tops=SHARED_TOPS)
        different = {
            name: one
            for name, one in shared.files.items()
            if name not in files or digest(name, files[name]) != one.sha256
        }
        carried = _fetch(data_dir, folder, different)
    except FileNotFoundError as error:
        raise PublicationUnreadable(
            f"{folder.url} lacks a file of the version {there[:12]}: {error}. If it was not replaced just now, restore "
            "it there, or let CURRENT name an older one of versions/."
        ) from error
    known = () if began is None else began.names
    names = tuple(sorted(shared.files))
    _write_version(data_dir, SharedVersion(folder.url, there, "pulling", tuple(sorted({*known, *names}))))
    with _name_full_disk(data_dir, folder):
        _put_in_place(data_dir, different, _read_times(folder, there))
    made_here = {name for name in files if name.startswith(_OF_COURSES)}
    for name in ({*known} | made_here) - shared.files.keys():
        with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
            (data_dir.root / name).unlink()
    _write_version(data_dir, SharedVersion(folder.url, there, names=names))
    shutil.rmtree(data_dir.incoming, ignore_errors=True)
    carried_bytes = sum(one.size for one in carried)
    return PublicationReport(there, len(shared.files), len(carried), carried_bytes, is_new=True)


def mark_writing(data_dir: DataDir, url: str | None) -> None:
    """Mark the home as one that may differ from what was pushed; `url` is where it is shared, `None` where the setting
    is unset. Raises `HomeConflict` for one of which only a part was pulled, where nothing can go on with it."""
    found = read_version(data_dir)
    if found is not None and found.state == "pulling" and url is None:
        raise HomeConflict(
            f"{data_dir.root} is half pulled from {found.url}. Set COTEACH_HOME_URL to that address again, which goes "
            "on with it, or build in an empty COTEACH_HOME."
        )
    if found is not None and (url is None or found.url == url):
        _write_version(data_dir, replace(found, state="writing"))
    elif url is not None:
        _write_version(data_dir, SharedVersion(url, "", "writing"))


def push(
    data_dir: DataDir, folder: RemoteFolder, files: Mapping[str, Path], *, digest: Callable[[str, Path], str]
) -> PublicationReport:
    """Push the home as the next version. Raises `HomeConflict` when another machine did since it was pulled,
    `HomeUnshareable` for a file that cannot be read or named, and what `publish` does; the version in use is as it was
    then."""
    began = _base_version(data_dir, folder)

    def check() -> None:
        there = current_version(folder)
        if there is not None and (began is None or began.version != there):
            raise HomeConflict(
                f"Another machine has pushed to {folder.url} since {data_dir.root} was pulled. Nothing was pushed; the "
                "next build pulls that version and makes what it lacks."
            )

    def readable(name: str, path: Path) -> str:
        found = digest(name, path)
        if not found.isalnum() or len(found) != 64 or "\\" in name:
            raise HomeUnshareable(f"{path} cannot be read, or has a name that no other machine could take.")
        return found

    check()
    times = {name: path.stat().st_mtime_ns for name, path in files.items()}
    report = publish(files, folder, digest=readable, tops=SHARED_TOPS, check=check)
    _write_times(folder, report.version, times)
    _write_version(data_dir, SharedVersion(folder.url, report.version, names=tuple(sorted(files))))
    return report


def read_version(data_dir: DataDir) -> SharedVersion | None:
    """What the home began from; `None` where it was never shared. Raises `HomeConflict` for a damaged note of it."""
    try:
        found = json.loads(data_dir.shared_version.read_text(encoding="utf-8"))
        return SharedVersion(**{**found, "names": tuple(map(str, found["names"]))})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise HomeConflict(
            f"{data_dir.shared_version}, which says what this home was pulled from, cannot be read: {error!r}. "
            "Build in an empty COTEACH_HOME, which pulls the shared one; nothing there is lost."
        ) from error


def is_newest(data_dir: DataDir, folder: RemoteFolder) -> bool:
    """Whether the home is as it was pushed, and nobody pushed since. Raises what `current_version` does."""
    found, there = _base_version(data_dir, folder), current_version(folder)
    return found is not None and there is not None and (found.version, found.state) == (there, "pushed")


def _base_version(data_dir: DataDir, folder: RemoteFolder) -> SharedVersion | None:
    found = read_version(data_dir)
    return found if found is not None and found.url == folder.url else None


def _write_version(data_dir: DataDir, version: SharedVersion) -> None:
    write_text_atomic(data_dir.shared_version, json.dumps(asdict(version)) + "\n")


def _is_complete(began: SharedVersion, files: Mapping[str, Path]) -> bool:
    """Whether a copy that nobody wrote in since has all its files: somebody may have removed some by hand."""
    return began.state == "pushed" and files.keys() >= set(began.names)


def _below(top: Path) -> Iterator[Path]:
    for path in (top, *(top.rglob("*") if top.is_dir() else ())):
        if path.is_symlink():
            raise HomeUnshareable(f"{path} is a link, which a shared home cannot have: put there what it leads to.")
        if path.is_file():
            yield path


def _is_shared(name: str) -> bool:
    is_passing = name.endswith((".tmp", *_LOGS)) or any(part.startswith(".") for part in PurePosixPath(name).parts[:-1])
    return not is_passing and not any(name == one or name.startswith(f"{one}/") for one in _NOT_SHARED)


def _is_open(path: Path) -> bool:
    """Whether a database has a log beside it, which the last one to close it removes."""
    return path.suffix == ".db" and any(Path(f"{path}{log}").exists() for log in _LOGS)


def _copy_database(path: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with closing(sqlite3.connect(path)) as given, closing(sqlite3.connect(target)) as copied:
            given.backup(copied)  # opened to be written: whoever died in a transaction is undone first
    except sqlite3.DatabaseError as error:
        raise HomeUnshareable(f"{path} cannot be read: {error}. If it is damaged, move it away.") from error
    os.utime(target, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    return target


def _fetch(data_dir: DataDir, folder: RemoteFolder, different: Mapping[str, PublishedFile]) -> list[PublishedFile]:
    """Download each content once, beside the home; what arrived before a stop is not downloaded again."""
    data_dir.incoming.mkdir(parents=True, exist_ok=True)
    contents = Counter(different.values())
    wanted = [one for one in contents if not (data_dir.incoming / one.sha256).is_file()]
    needed = sum(one.size for one in wanted) + sum(one.size * (count - 1) for one, count in contents.items())
    free = shutil.disk_usage(data_dir.incoming).free
    if needed > free:
        raise NoRoomForHome(
            f"The home in {folder.url} needs {needed / 1e6:,.0f} MB more, and the disk of {data_dir.root} has "
            f"{free / 1e6:,.0f} MB left. Make room and run the command again."
        )
    with _name_full_disk(data_dir, folder), ThreadPoolExecutor(CARRIERS) as pool:
        list(pool.map(lambda one: _download(data_dir, folder, one), wanted))
    return wanted


def _download(data_dir: DataDir, folder: RemoteFolder, one: PublishedFile) -> None:
    draft = data_dir.incoming / f"{one.sha256}.part"
    if (found := folder.download(one.key, draft)) != one.sha256:
        draft.unlink()
        raise PublicationUnreadable(
            f"{folder.url}/{one.key} is damaged: its content has the SHA-256 {found[:12]}…, which does not match its "
            "name. Restore it there, or remove it and let CURRENT name an older one of versions/."
        )
    move_lastingly(draft, data_dir.incoming / one.sha256)


@contextmanager
def _name_full_disk(data_dir: DataDir, folder: RemoteFolder) -> Iterator[None]:
    """Turn a full disk into `NoRoomForHome`, also where it is the cause of something else."""
    try:
        yield
    except (OSError, PlaceUnreachable) as error:
        causes = (error, error.__cause__)
        if any(isinstance(one, OSError) and one.errno in (errno.ENOSPC, errno.EDQUOT) for one in causes):
            raise NoRoomForHome(
                f"The disk of {data_dir.root} is full, and the home in {folder.url} was not pulled whole. Make room "
                "and run the command again, which goes on with it."
            ) from error
        raise


def _put_in_place(data_dir: DataDir, different: Mapping[str, PublishedFile], times: Mapping[str, int]) -> None:
    """Replace pointers last, so that who reads the home meanwhile finds what they name."""
    left = Counter(one.sha256 for one in different.values())
    for name in sorted(different, key=lambda name: (PurePosixPath(name).name == POINTER, name)):
        target, arrived = data_dir.root / name, data_dir.incoming / different[name].sha256
        _make_way(target, data_dir.root)
        for log in _LOGS if target.suffix == ".db" else ():
            Path(f"{target}{log}").unlink(missing_ok=True)
        left[arrived.name] -= 1
        if left[arrived.name]:
            with replacing(target) as draft:
                shutil.copyfile(arrived, draft)
        else:
            move_lastingly(arrived, target)
        if name in times:
            os.utime(target, ns=(times[name], times[name]))


def _make_way(target: Path, root: Path) -> None:
    """Make the folder of a file, also where another version had a file there, or a folder in its place."""
    if target.is_dir():
        shutil.rmtree(target)
    for folder in target.parents:
        if folder == root:
            break
        if folder.is_file():
            folder.unlink()
    target.parent.mkdir(parents=True, exist_ok=True)


def _write_times(folder: RemoteFolder, version: str, times: Mapping[str, int]) -> None:
    """When each file changed, which readers of a home go by and a manifest leaves out, so that it is the same for the
    same files."""
    folder.write(f"times/{version}.json", json.dumps(times).encode())
    kept = {PurePosixPath(one.name).stem for one in folder.list_files("versions")}
    for one in list(folder.list_files("times")):
        if PurePosixPath(one.name).stem not in kept:
            folder.remove(one.name)


def _read_times(folder: RemoteFolder, version: str) -> dict[str, int]:
    with suppress(FileNotFoundError, ValueError, AttributeError, TypeError):
        return {str(name): int(at) for name, at in json.loads(folder.read(f"times/{version}.json")).items()}
    return {}
