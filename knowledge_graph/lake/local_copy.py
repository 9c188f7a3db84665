"""`LocalCopy`: a home that somebody else built, fetched from where it is published, verified, and followed.

    published/objects/<sha256>          files by their content
    published/versions/<name>/lake/…    a version as a home has it: links to those files
    published/current                   a link to the version in use
    lake, index, models, …              links into `published/current`

So whoever reads the home finds every file where a build would have put it, all of one version, and the next version
comes in one rename. What is the gateway's own, its store, logs and exams, stands beside them as in any home.
"""

import errno
import fcntl
import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.publication import (
    CARRIERS,
    TOPS,
    Publication,
    PublicationUnreadable,
    PublishedFile,
    current_version,
    parse_publication,
    read_publication,
)
from knowledge_graph.lake.remote_folder import RemoteFolder
from knowledge_graph.lake.tables import digest, write_text_atomic

MANIFEST = "publication.json"
KEPT = 2
"""Versions that stay here: who began to read the one before may end. A choice."""


class HomeBuiltHere(CoteachError):
    """A home that a build made, in which another one's files have no place."""


class NothingPublished(CoteachError):
    """Nobody has published a home there yet."""


class CopyUnmade(CoteachError):
    """This disk cannot take what is published."""


class LocalCopy:
    """The copy in one home. Of several processes over one home one at a time fetches (`hold`)."""

    def __init__(self, data_dir: DataDir) -> None:
        """Raises `HomeBuiltHere` where the home has files of its own under a name that is to be fetched."""
        self._root, self._place = data_dir.root, data_dir.publication
        built = [name for name in TOPS if (self._root / name).exists() and not (self._root / name).is_symlink()]
        if built:
            raise HomeBuiltHere(
                f"The home {self._root} has a {built[0]} of its own: it was built here. To follow what is published "
                "elsewhere give the gateway another COTEACH_HOME, which may be empty."
            )

    @property
    def version(self) -> str | None:
        """The version in use here; `None` when nothing was fetched yet."""
        found = self._manifest()
        return None if found is None else hashlib.sha256(found).hexdigest()

    @contextmanager
    def hold(self) -> Iterator[bool]:
        """Whether nobody else fetches into this home while the context lasts. The lock is the kernel's: whoever held
        it is dead or done."""
        self._place.mkdir(parents=True, exist_ok=True)
        with (self._place / ".lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True

    def follow(self, folder: RemoteFolder) -> str | None:
        """Fetch what is in use there, if it is another version than here; returns it, or `None` when nothing changed.

        What is here stays as it is when this raises: `NothingPublished`, `PlaceUnreachable`, `PublicationUnreadable`
        (also for a file whose bytes are not those that its digest says), `CopyUnmade`.
        """
        there = current_version(folder)
        if there is None:
            raise NothingPublished(
                f"Nothing is published in {folder.url}. Run `coteach publish` where the courses are built, with "
                "COTEACH_PUBLISH_URL set to this address."
            )
        if there == self.version:
            return None
        try:
            publication = read_publication(folder, there)
            self._fetch(folder, publication)
            self._use(publication)
        except FileNotFoundError as error:
            raise PublicationUnreadable(
                f"{folder.url} lacks a file of the version {there[:12]}: {error}. If it was not replaced just now, run "
                "`coteach publish` again."
            ) from error
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES):
                raise CopyUnmade(f"{self._place} cannot take the version {there[:12]}: {error.strerror}.") from error
            raise
        return there

    def verify(self) -> list[str]:
        """Compare each file of the version in use with its digest; those that differ are removed, to be fetched anew.
        Returns their names, sorted. Some .4 s for each 100 MB."""
        content = self._manifest()
        if content is None:
            return []
        try:
            files = parse_publication(content, str(self._current / MANIFEST)).files
        except PublicationUnreadable:
            files = {}
        damaged = [name for name, one in sorted(files.items()) if not self._is_whole(self._current / name, one)]
        for name in damaged:
            self._object(files[name]).unlink(missing_ok=True)
        if damaged or not files:
            (self._current / MANIFEST).unlink(missing_ok=True)  # so this is no version that `follow` would leave alone
        return damaged

    @property
    def _current(self) -> Path:
        return self._place / "current"

    def _manifest(self) -> bytes | None:
        try:
            return (self._current / MANIFEST).read_bytes()
        except FileNotFoundError:
            return None

    def _object(self, one: PublishedFile) -> Path:
        return self._place / "objects" / one.sha256

    def _is_whole(self, path: Path, one: PublishedFile) -> bool:
        try:
            return path.stat().st_size == one.size and digest(path) == one.sha256
        except OSError:
            return False

    def _fetch(self, folder: RemoteFolder, publication: Publication) -> None:
        """Every file that is not here yet, in no order."""
        objects = self._place / "objects"
        objects.mkdir(parents=True, exist_ok=True)
        for left in objects.glob(".*"):
            left.unlink()  # of a fetch that was stopped
        wanted = {one.sha256: one for one in publication.files.values() if not self._object(one).is_file()}
        needed, free = sum(one.size for one in wanted.values()), shutil.disk_usage(objects).free
        if needed > free:
            raise CopyUnmade(
                f"What is published needs {needed / 1e6:,.0f} MB more, and the disk of {objects} has "
                f"{free / 1e6:,.0f} MB left. Make room; the version that is here is served on."
            )
        with ThreadPoolExecutor(CARRIERS) as pool:
            list(pool.map(lambda one: self._take(folder, one), wanted.values()))

    def _take(self, folder: RemoteFolder, one: PublishedFile) -> None:
        target = self._object(one)
        draft = target.with_name(f".{one.sha256}")
        if (found := folder.download(one.key, draft)) != one.sha256:
            draft.unlink()
            raise PublicationUnreadable(
                f"{folder.url}/{one.key} is damaged: expected that SHA-256, found {found[:12]}…. Remove it there and "
                "run `coteach publish` again, which brings it anew."
            )
        os.replace(draft, target)

    def _use(self, publication: Publication) -> None:
        """Make the version the one that the home shows, in one rename."""
        versions = self._place / "versions"
        tree = versions / f"{publication.version[:16]}-{secrets.token_hex(4)}"
        for name, one in publication.files.items():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            os.link(self._object(one), tree / name)
        tree.mkdir(parents=True, exist_ok=True)
        write_text_atomic(tree / MANIFEST, publication.content.decode())
        _link(self._current, Path("versions") / tree.name)
        for name in TOPS:
            if not (self._root / name).is_symlink():
                _link(self._root / name, Path(self._place.name) / "current" / name)
        self._remove_old(tree)

    def _remove_old(self, current: Path) -> None:
        trees = sorted(current.parent.iterdir(), key=lambda path: (path.stat().st_ctime_ns, path.name))
        for tree in [tree for tree in trees if tree != current][: -(KEPT - 1)]:
            shutil.rmtree(tree, ignore_errors=True)
        for each in (self._place / "objects").iterdir():
            if each.stat().st_nlink == 1:
                each.unlink(missing_ok=True)


def _link(path: Path, target: Path) -> None:
    """A symbolic link that takes the place of another, or of none."""
    made = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    made.symlink_to(target)
    os.replace(made, path)
