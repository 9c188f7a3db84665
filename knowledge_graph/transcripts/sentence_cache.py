"""`SentenceCache`: the sentences of each lecture as an earlier build made them, so that after an edit only that lecture
is cut, cleaned and weighed again.

Belongs here: the cache and its keys. The sentences of a lecture are a function of its cues and of the code alone.
"""

import hashlib
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import pyarrow as pa

from knowledge_graph.lake.records import Cue, to_row
from knowledge_graph.lake.schemas import LECTURE_SENTENCES
from knowledge_graph.lake.tables import TableDamaged, read_table, write_atomic
from knowledge_graph.transcripts.sentences import lecture_sentences

_KEY = pa.field("key", pa.string())
_KEPT = pa.schema([_KEY, *LECTURE_SENTENCES])


class SentenceCache:
    """The sentences of one course in one Parquet file. A file that is missing, damaged or of another make is empty.

    `made_by` names the code: another one makes all anew. `reused` and `made` count the lectures of this run.
    """

    def __init__(self, path: Path, *, made_by: str) -> None:
        self.reused = self.made = 0
        self._path, self._made_by = path, made_by
        self._places = dict[str, tuple[int, int]]()
        self._kept = _read(path)
        at = 0
        for key, rows in groupby(self._kept["key"].to_pylist()):
            count = sum(1 for _ in rows)
            self._places[key] = (at, count)
            at += count

    def table(self, cues: Sequence[Cue], course_id: str) -> pa.Table:
        """The sentences of all lectures, in their order, as `lecture_sentences` makes them, with columns and types of
        `LECTURE_SENTENCES`. They are kept for the next build, and no others."""
        parts, keys = [], list[str]()
        for _, lecture in groupby(cues, key=attrgetter("video_index")):
            own = list(lecture)
            key = self._key(own, course_id)
            parts.append(self._of(key, own, course_id))
            keys += [key] * parts[-1].num_rows
        found = pa.concat_tables([LECTURE_SENTENCES.empty_table(), *parts]).combine_chunks()
        write_atomic(self._path, found.add_column(0, _KEY, pa.array(keys, pa.string())))
        return found

    def _of(self, key: str, cues: Sequence[Cue], course_id: str) -> pa.Table:
        if key in self._places:
            self.reused += 1
            return self._kept.slice(*self._places[key]).drop_columns([_KEY.name])
        self.made += 1
        rows = [to_row(sentence) for sentence in lecture_sentences(cues, course_id)]
        return pa.Table.from_pylist(rows, schema=LECTURE_SENTENCES)

    def _key(self, cues: Sequence[Cue], course_id: str) -> str:
        found = hashlib.sha256(repr((self._made_by, course_id)).encode())
        for cue in cues:
            found.update(repr(tuple(to_row(cue).values())).encode("utf-8", "surrogatepass"))
        return found.hexdigest()


def _read(path: Path) -> pa.Table:
    try:
        found = read_table(path)
    except (FileNotFoundError, TableDamaged):
        return _KEPT.empty_table()
    return found if found.schema.equals(_KEPT) else _KEPT.empty_table()
