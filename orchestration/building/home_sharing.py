"""Pulls the shared home before a command writes in it, and pushes it afterwards.

`COTEACH_HOME_URL` says where it is; unset, the home is on this disk alone. Commands alone do this, not Dagster's daemon
and pages, which have the record open: it is a part of the home.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.publication import PublicationReport
from knowledge_graph.lake.remote_folder import PlaceUnusable, RemoteFolder
from knowledge_graph.lake.shared_home import is_newest, list_files, mark_writing, pull, push
from knowledge_graph.lake.writer_lease import lease
from knowledge_graph.sources.known_digests import KnownDigests

_BELOW = "shared-home"
"""The folder at the address, so that a publication at the same one is not taken for the home."""


def open_shared(data_dir: DataDir, url: str) -> RemoteFolder:
    """Where the home is shared. Raises `PlaceUnusable`, also for a folder inside the home."""
    if "://" not in url:
        path = Path(url).absolute()
        if path.is_relative_to(data_dir.root.absolute()):
            raise PlaceUnusable(f"COTEACH_HOME_URL={url} is inside the home {data_dir.root}. Choose a place outside.")
        return RemoteFolder(str(path / _BELOW))
    address, mark, options = url.partition("?")
    return RemoteFolder(f"{address.rstrip('/')}/{_BELOW}{mark}{options}")


@contextmanager
def share_home(
    data_dir: DataDir, url: str | None, owner: str, *, wait: bool, tell: Callable[[str], None], pushes: bool = True
) -> Iterator[None]:
    """Hold the lease, pull, run the body, and push unless `pushes` is false; without a `url` only mark a home that was
    shared before as changed.

    If the body raises, nothing is pushed: what was made stays here, and the next command here goes on from it. Raises
    what `lease`, `pull` and `push` do.
    """
    if url is None:
        mark_writing(data_dir, None)
        yield
        return
    folder = open_shared(data_dir, url)
    with lease(folder, owner, wait=wait, tell=tell):
        with TemporaryDirectory() as scratch:
            known = KnownDigests.load(data_dir.shared_digests)
            pulled = pull(data_dir, folder, list_files(data_dir, Path(scratch)), digest=known.digest)
        if pulled is not None:
            tell(f"Pulled {_describe(folder, pulled)}")
        if not pushes:
            yield
            return
        mark_writing(data_dir, folder.url)
        yield
        with TemporaryDirectory() as scratch:
            known = KnownDigests.load(data_dir.shared_digests)
            pushed = push(data_dir, folder, list_files(data_dir, Path(scratch)), digest=known.digest)
            known.save()
        if pushed.is_new:
            tell(f"Pushed {_describe(folder, pushed)}")


def is_up_to_date(home: Path, url: str) -> bool:
    """Whether the home is as it was pushed, and nobody pushed since. Raises what `is_newest` does."""
    data_dir = DataDir(home)
    return is_newest(data_dir, open_shared(data_dir, url))


def _describe(folder: RemoteFolder, report: PublicationReport) -> str:
    return (
        f"{report.version[:12]} ({folder.url}): {report.files:,} files, {report.carried:,} of them transferred "
        f"({report.carried_bytes / 1e6:,.1f} MB)."
    )
