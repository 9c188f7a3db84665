"""`RemoteFolder`: a folder at a path or in an object store, by its address, through pyarrow's file systems.

`s3://bucket/path` (keys, region and endpoint from `AWS_…`), `gs://bucket/path`, `file:///path` or a plain path. Only
what every such place has is used: whole files are written, read, listed and removed; nothing is renamed in a store.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, unquote, urlsplit

import pyarrow as pa

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import move_lastingly

_BLOCK = 1 << 22
"""Bytes in memory while a file is carried over."""
_REASON = 300
_CONNECT_S = 2.0
_SILENCE_S = 5.0
_ATTEMPTS = 2
"""Choices: a store that does not answer is given up within seconds; whoever needs it looks again."""


class PlaceUnusable(CoteachError):
    """An address that names no place where files could be kept."""


class PlaceUnreachable(CoteachError):
    """A place that does not answer, or refuses."""


@dataclass(frozen=True)
class RemoteFile:
    """One file of a remote folder. `name` is below the folder, `changed_at` seconds since the epoch."""

    name: str
    size: int
    changed_at: float


class RemoteFolder:
    """A folder somewhere. Safe to share between threads. What a place refuses is `PlaceUnreachable`; a file that is not
    there is `FileNotFoundError`."""

    def __init__(self, url: str) -> None:
        """Asks nothing of the place yet. Raises `PlaceUnusable` for an address that pyarrow cannot read."""
        from pyarrow import fs  # noqa: PLC0415  .1 s, and only who publishes or follows needs it

        self.url = _without_keys(url.rstrip("/"))
        """Its address as people may see it: without keys."""
        try:
            if url.startswith("s3://"):
                self._files, self._path = _object_store(url)
            else:
                given = url.rstrip("/") if "://" in url else Path(url).absolute().as_uri()
                self._files, self._path = fs.FileSystem.from_uri(given)
        except (pa.ArrowException, OSError, ValueError) as error:
            reason = _first_line(error)
            raise PlaceUnusable(
                f"{self.url} names no place for files: {reason} Write s3://bucket/path, gs://bucket/path, file:///path "
                "or a path."
            ) from error
        self._is_local = isinstance(self._files, fs.LocalFileSystem)

    def read(self, name: str) -> bytes:
        """The whole of a small file."""
        with self._address(name) as path, self._files.open_input_stream(path) as stream:
            return cast(bytes, stream.read())

    def write(self, name: str, content: bytes) -> None:
        """A small file, whole or not at all: a reader sees what was there or all of this."""
        with self._address(name) as path:
            if self._is_local:
                target = Path(path)
                target.parent.mkdir(parents=True, exist_ok=True)
                made = target.with_name(f".{target.name}.{os.getpid()}.tmp")
                made.write_bytes(content)
                move_lastingly(made, target)
                return
            with self._files.open_output_stream(path) as stream:
                stream.write(content)

    def upload(self, source: Path, name: str) -> str:
        """Carry a file there; returns the SHA-256 of what was read of it. Whoever finds it stopped midway begins anew:
        nothing may name the file before this has returned."""
        found = hashlib.sha256()
        with self._address(name) as path, source.open("rb") as given:
            if self._is_local:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            with self._files.open_output_stream(path) as stream:
                while block := given.read(_BLOCK):
                    found.update(block)
                    stream.write(block)
        return found.hexdigest()

    def download(self, name: str, target: Path) -> str:
        """Carry a file here; returns the SHA-256 of what was written."""
        found = hashlib.sha256()
        with (
            self._address(name) as path,
            self._files.open_input_stream(path) as stream,
            target.open("wb") as taken,
        ):
            while block := stream.read(_BLOCK):
                found.update(block)
                taken.write(block)
        return found.hexdigest()

    def list_files(self, below: str) -> Iterator[RemoteFile]:
        """The files directly or further below a folder, in no order; none where there is no such folder."""
        from pyarrow import fs  # noqa: PLC0415

        with self._address(below) as path:
            found: list[Any] = self._files.get_file_info(fs.FileSelector(path, recursive=True, allow_not_found=True))
        for each in found:
            if each.type == fs.FileType.File:
                name = each.path.removeprefix(self._path).lstrip("/")
                yield RemoteFile(name, each.size, each.mtime.timestamp())

    def remove(self, name: str) -> None:
        """Remove a file; one that is gone already is no error."""
        try:
            with self._address(name) as path:
                self._files.delete_file(path)
        except FileNotFoundError:
            return

    @contextmanager
    def _address(self, name: str) -> Iterator[str]:
        try:
            yield f"{self._path.rstrip('/')}/{name}"
        except FileNotFoundError:
            raise
        except (pa.ArrowException, OSError) as error:
            raise PlaceUnreachable(f"{self.url}/{name} could not be used: {_first_line(error)}") from error


def _object_store(url: str) -> tuple[Any, str]:
    """S3 as `FileSystem.from_uri` has it, which waits 99 s for a store that accepts and never answers."""
    from pyarrow import fs  # noqa: PLC0415

    told = urlsplit(url)
    options = dict(parse_qsl(told.query))
    if not told.hostname or (wrong := sorted(set(options) - {"region", "scheme", "endpoint_override"})):
        raise ValueError(f"unknown options {', '.join(wrong)}." if told.hostname else "no bucket is named.")
    if endpoint := os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL"):
        scheme, _, host = endpoint.rpartition("://")
        options = {"endpoint_override": host.rstrip("/"), "scheme": scheme or "https"} | options
    keys = {"access_key": unquote(told.username), "secret_key": unquote(told.password or "")} if told.username else {}
    files = fs.S3FileSystem(
        **keys,
        **options,
        connect_timeout=_CONNECT_S,
        request_timeout=_SILENCE_S,
        retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=_ATTEMPTS),
    )
    return files, f"{told.netloc.rpartition('@')[2]}{told.path}".rstrip("/")


def _without_keys(url: str) -> str:
    """An address without what stands before its host, and after a question mark."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url
    host, slash, path = rest.partition("?")[0].partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:_REASON]
