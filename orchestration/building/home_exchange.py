"""Taking the home from where it is kept before somebody writes in it, and giving it back when they are done.

`COTEACH_HOME_URL` says where; unset, the home is the disk's alone. Read here from the environment, as whoever takes the
home's lock, a command or a run of Dagster, must exchange it.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.kept_home import KeptVersion, begin, give, list_files, read_kept_version, take
from knowledge_graph.lake.publication import current_version
from knowledge_graph.lake.remote_folder import RemoteFolder
from knowledge_graph.lake.writer_lease import lease
from knowledge_graph.sources.known_digests import KnownDigests

SETTING = "COTEACH_HOME_URL"
_RECORD = "COTEACH_DAGSTER_URL"


def address_of_home() -> str | None:
    """The address, as the environment has it."""
    return os.environ.get(SETTING, "").strip() or None


def keeps_record() -> bool:
    """Whether Dagster's record is in the home, and travels with it."""
    return not os.environ.get(_RECORD)


@contextmanager
def exchanging(data_dir: DataDir, owner: str, *, wait: bool, tell: Callable[[str], None]) -> Iterator[None]:
    """Take the home before and give it back after, as the one machine that builds it; nothing where it is not kept.

    What raises meanwhile gives nothing back: what was made stays here, and whoever builds here next goes on from it.
    Raises what `lease`, `take` and `give` do.
    """
    if (url := address_of_home()) is None:
        yield
        return
    folder = RemoteFolder(url)
    with lease(folder, owner, wait=wait, tell=tell):
        with TemporaryDirectory() as scratch:
            known = KnownDigests.load(data_dir.kept_digests)
            taken = take(data_dir, folder, _files(data_dir, scratch), digest=known.digest)
        if taken is not None:
            tell(
                f"Took {taken.version[:12]} from {folder.url}: {taken.files:,} files, of which {taken.carried:,} "
                f"({taken.carried_bytes / 1e6:,.1f} MB) travelled."
            )
        begin(data_dir)
        yield
        with TemporaryDirectory() as scratch:
            known = KnownDigests.load(data_dir.kept_digests)
            given = give(data_dir, folder, _files(data_dir, scratch), digest=known.digest)
            known.save()
        if given.is_new:
            tell(
                f"Kept {given.version[:12]} in {folder.url}: {given.files:,} files, of which {given.carried:,} "
                f"({given.carried_bytes / 1e6:,.1f} MB) travelled."
            )


def is_newest(home: Path) -> bool:
    """Whether a home is as it was given back, and nobody gave it back since. Raises what `current_version` does."""
    folder = RemoteFolder(address_of_home() or "")
    there = current_version(folder)
    return there is not None and read_kept_version(DataDir(home)) == KeptVersion(folder.url, there)


def _files(data_dir: DataDir, scratch: str) -> dict[str, Path]:
    return list_files(data_dir, Path(scratch), with_record=keeps_record())
