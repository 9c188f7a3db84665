"""Unpacking what a stranger packed: `.tar.gz`, `.tar` and `.zip`, checked from end to end before a byte is written.

What an archive means is for the readers.
"""

import io
import re
import stat
import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from gzip import GzipFile
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, cast

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.zip_files import MemberRefused, check_members

LARGEST_UNPACKED = 2 * 1024**3
"""Bytes of all members together. A course export without its films is far below; disks are not."""
MOST_MEMBERS = 50_000
"""Files and folders. The largest exports hold some ten thousand."""
HIGHEST_RATIO = 100
"""Unpacked over packed bytes. XML and subtitles reach 20; a bomb reaches 1,000."""
_RATIO_FROM = 64 * 1024**2
"""Bytes below which no ratio is too high: a few repeated files are no bomb."""
_LARGEST_READ = 8 * 1024**2
"""Bytes that the libraries may ask for at once. Only a header made to fill the memory is longer."""
_BLOCK = 1024**2
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_GZIP = b"\x1f\x8b"
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError, ValueError)


class ArchiveRefused(CoteachError):
    """The archive is broken, too large or unsafe; nothing was written."""


@dataclass(frozen=True)
class Unpacked:
    """Where the files are, and the links that were left out (they all point inside the archive)."""

    folder: Path
    links: tuple[str, ...]


def is_archive(path: Path) -> bool:
    """Whether the bytes, not the name, are those of a tar or zip archive that can be unpacked here."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(512)
    return start.startswith((_GZIP, b"PK\x03\x04", b"PK\x05\x06")) or start[257:262] == b"ustar"


def unpack(archive: Path, into: Path) -> Unpacked:
    """Unpack into the folder `into`, which must exist and be empty. Raises `ArchiveRefused` before writing anything."""
    try:
        with archive.open("rb") as file:
            if file.read(2) == b"PK":
                return _unpack_zip(archive, into)
            return _unpack_tar(archive, into)
    except _BROKEN as error:
        message = f"Expected a whole .tar.gz or .zip, found one that cannot be read to its end ({error})."
        raise _refusal(archive, message, "Download or export it again.") from error
    except OSError as error:
        if error.errno is None:
            message = f"Expected a whole .tar.gz or .zip, found one that is damaged ({error})."
            raise _refusal(archive, message, "Download or export it again.") from error
        message = f"It could not be unpacked ({error.strerror}: {error.filename})."
        raise _refusal(archive, message, f"Check space and permissions of {into.parent}.") from error


def _unpack_tar(archive: Path, into: Path) -> Unpacked:
    links = list[str]()
    size = 0
    with _tar_stream(archive) as stream, tarfile.open(fileobj=stream, mode="r:") as tar:
        for count, member in enumerate(tar, start=1):
            _check_count(archive, count)
            _check_name(archive, member.name)
            if member.issym() or member.islnk():
                _check_link(archive, member)
                links.append(member.name)
            elif not (member.isfile() or member.isdir()):
                raise _refusal(archive, f"'{member.name}' is a device or a pipe.", _UNSAFE)
            size += member.size
            _check_size(archive, size)
        stream.drain()
        for member in tar.getmembers():
            if member.isfile() or member.isdir():
                tar.extract(member, into, filter="data")
    return Unpacked(into, tuple(sorted(links)))


def _unpack_zip(archive: Path, into: Path) -> Unpacked:
    links = list[str]()
    with archive.open("rb") as raw, zipfile.ZipFile(cast(BinaryIO, _Bounded(raw, archive, limit=None))) as pack:
        members = pack.infolist()
        _check_count(archive, len(members))
        _check_size(archive, sum(member.file_size for member in members))
        for member in members:
            _check_name(archive, member.filename)
            if member.flag_bits & 1:
                raise _refusal(archive, f"'{member.filename}' is encrypted.", "Pack it without a password.")
            if stat.S_ISLNK(member.external_attr >> 16):
                # Its target is content; a link is never made, so it need not be read.
                links.append(member.filename)
        try:
            check_members(pack)
        except MemberRefused as error:
            raise _refusal(archive, f"{error}.", "Download or export it again.") from error
        for member in members:
            if member.filename not in links:
                pack.extract(member, into)
    return Unpacked(into, tuple(sorted(links)))


_UNSAFE = "Nothing was unpacked. Do not trust this archive; ask for a clean export."


def _check_name(archive: Path, name: str) -> None:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or _DRIVE.match(name):
        raise _refusal(archive, f"'{name}' is an absolute path.", _UNSAFE)
    if ".." in path.parts:
        raise _refusal(archive, f"'{name}' climbs out of the archive.", _UNSAFE)


def _check_link(archive: Path, member: tarfile.TarInfo) -> None:
    base = PurePosixPath(member.name).parent if member.issym() else PurePosixPath()
    depth = 0
    target = PurePosixPath(member.linkname.replace("\\", "/"))
    for part in (*base.parts, *target.parts):
        depth += -1 if part == ".." else 1
        if depth < 0 or target.is_absolute():
            message = f"'{member.name}' is a link that points out of the archive ('{member.linkname}')."
            raise _refusal(archive, message, _UNSAFE)


def _check_count(archive: Path, count: int) -> None:
    if count > MOST_MEMBERS:
        message = f"It holds more than {MOST_MEMBERS:,} files and folders."
        raise _refusal(archive, message, "Unpack it yourself and name the folder instead.")


def _check_size(archive: Path, size: int) -> None:
    if size > LARGEST_UNPACKED:
        message = f"It unpacks to more than {LARGEST_UNPACKED / 1024**3:g} GB."
        raise _refusal(archive, message, "Unpack it yourself if you trust it, and name the folder instead.")
    packed = archive.stat().st_size
    if size > _RATIO_FROM and size > HIGHEST_RATIO * packed:
        message = f"It grows more than {HIGHEST_RATIO} times when unpacked, as an archive made to fill a disk does."
        raise _refusal(archive, message, "Unpack it yourself if you trust it, and name the folder instead.")


class _Bounded(io.RawIOBase):
    """A file that refuses long reads and, with `limit`, to be read further than the limits above allow."""

    def __init__(self, file: IO[bytes] | GzipFile, archive: Path, *, limit: int | None) -> None:
        self._file, self._archive, self._limit = file, archive, limit

    def read(self, size: int = -1, /) -> bytes:
        if size > _LARGEST_READ or (size < 0 and self._limit is not None):
            raise _refusal(self._archive, "It has a header that is far too long.", _UNSAFE)
        data = self._file.read(size)
        self._check()
        return data

    def seek(self, offset: int, whence: int = 0, /) -> int:
        if whence == 0 and self._limit is not None:
            self._forward(offset)
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True

    def drain(self) -> None:
        """Read to the end, where gzip tells whether every byte was as packed."""
        while self.read(_BLOCK):
            pass

    def close(self) -> None:
        self._file.close()
        super().close()

    def _forward(self, offset: int) -> None:
        """Step by step, so that a bomb is met before it is unpacked whole."""
        while (here := self._file.tell()) + _BLOCK < offset:
            self._file.seek(here + _BLOCK)
            if self._file.tell() == here:
                return
            self._check()

    def _check(self) -> None:
        if self._limit is not None:
            _check_size(self._archive, self._file.tell())


def _tar_stream(archive: Path) -> _Bounded:
    with archive.open("rb") as file:
        packed = file.read(2) == _GZIP
    return _Bounded(GzipFile(archive) if packed else archive.open("rb"), archive, limit=LARGEST_UNPACKED)


def _refusal(archive: Path, message: str, remedy: str) -> ArchiveRefused:
    return ArchiveRefused(f"{archive.name}: {message} {remedy}")
