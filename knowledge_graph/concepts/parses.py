"""`Parses`: what the taggers found in earlier builds, kept per video, so that adding one video parses one video.

Belongs here: the store and its keys. A parse is a function of one video's sentences and of the tagger's version alone;
what is made of it (terms given by people, kinds of words) is decided anew in every build.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from knowledge_graph.lake.tables import WRITING, TableDamaged, read_table, replacing

_SCHEMA = pa.schema(
    [
        ("key", pa.string()),
        ("tags", pa.list_(pa.string())),  # one string a sentence: its tags, joined by blanks
        ("starts", pa.list_(pa.int32())),  # of every word of every sentence, in one list
        ("ends", pa.list_(pa.int32())),
    ]
)
_SAVED_EVERY = 50
"""Videos parsed between two saves: half a minute of work is the most that a killed build loses."""


class Parse(NamedTuple):
    """The words of one sentence, `text[start:end]` each, with their tags."""

    tags: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


class Parses:
    """The parses of one course's videos in one Parquet file. A file that is missing or of another make is empty.

    `reused` and `parsed` count the videos of this run; `on_parsed` is called with `parsed` after each new one.
    """

    def __init__(self, path: Path | None = None, *, on_parsed: Callable[[int], None] | None = None) -> None:
        self.reused = self.parsed = 0
        self._path, self._on_parsed = path, on_parsed
        self._kept = _read(path)
        self._row_of = {key: row for row, key in enumerate(self._kept["key"].to_pylist())}
        self._new: dict[str, Sequence[Parse]] = {}
        self._used: dict[str, None] = {}

    def of(self, tagger: str, texts: Sequence[str], parse: Callable[[Sequence[str]], Sequence[Parse]]) -> list[Parse]:
        """One parse for each text of a video: kept ones, else those that `parse` makes now.

        `tagger` names the tagger and its version: another one parses anew.
        """
        key = hashlib.sha256("\0".join((tagger, *texts)).encode("utf-8", "surrogatepass")).hexdigest()
        self._used[key] = None
        if key in self._row_of:
            self.reused += 1
            return _unpack(self._kept.slice(self._row_of[key], 1))
        if key not in self._new:
            self._new[key] = parse(texts)
            self.parsed += 1
            if self._on_parsed:
                self._on_parsed(self.parsed)
            if self.parsed % _SAVED_EVERY == 0:
                self._write([*self._row_of, *self._new])
        return list(self._new[key])

    def save(self) -> None:
        """Keep the parses that this run used, in order of use, and no others."""
        self._write(list(self._used))

    def _write(self, keys: Sequence[str]) -> None:
        if self._path is None:
            return
        rows = [self._kept.slice(self._row_of[key], 1) if key in self._row_of else self._pack(key) for key in keys]
        with replacing(self._path) as temporary, pq.ParquetWriter(temporary, _SCHEMA, **WRITING) as writer:
            writer.write_table(pa.concat_tables([_SCHEMA.empty_table(), *rows]).combine_chunks())

    def _pack(self, key: str) -> pa.Table:
        found = self._new[key]
        row = {
            "key": key,
            "tags": [" ".join(each.tags) for each in found],
            "starts": [start for each in found for start in each.starts],
            "ends": [end for each in found for end in each.ends],
        }
        return pa.Table.from_pylist([row], schema=_SCHEMA)


def _read(path: Path | None) -> pa.Table:
    if path is None or not path.is_file():
        return _SCHEMA.empty_table()
    try:
        found = read_table(path)
    except TableDamaged:
        return _SCHEMA.empty_table()  # parsing anew costs minutes, a build that fails costs more
    return found if found.schema.equals(_SCHEMA) else _SCHEMA.empty_table()


def _unpack(row: pa.Table) -> list[Parse]:
    tags, starts, ends = (row[name][0].as_py() for name in ("tags", "starts", "ends"))
    found, at = [], 0
    for joined in tags:
        named = tuple(joined.split(" ")) if joined else ()
        to = at + len(named)
        found.append(Parse(named, tuple(starts[at:to]), tuple(ends[at:to])))
        at = to
    return found
