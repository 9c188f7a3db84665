"""`CourseTables`: what approvals rest on, read from the lake. Only what is asked for, not whole tables."""

from collections.abc import Collection
from typing import Any

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.source_kinds import CourseTable
from knowledge_graph.lake.tables import read_table
from knowledge_graph.transcripts.lecture_names import read_lecture_names

Row = dict[str, Any]

_CUES = ("video_id", "video_title", "cue_index", "start_ms", "end_ms", "text")
_SECTIONS = ("document", "title", "section_key", "page", "article", "heading", "text")
_CATALOG = ("record_id", "code", "title", "topic", "text", "page", "url")
_FAQ = ("origin_id", "question", "answer")
_REVIEWED = ("origin_id", "replaces", "question", "answer")


class CourseTables:
    """The lake of one home. A table that a course has not is an empty one. Raises `TableDamaged`."""

    def __init__(self, data_dir: DataDir) -> None:
        self._data_dir = data_dir

    def cues(self, course_id: str, videos: Collection[str]) -> list[Row]:
        """The cues of these videos, in the order they are spoken."""
        found = self._rows("cues", course_id, _CUES, "video_id", videos)
        return sorted(found, key=lambda cue: (cue["video_id"], cue["start_ms"], cue["cue_index"]))

    def lecture_names(self, course_id: str) -> dict[str, str]:
        """What the lectures of a course are called, by id."""
        return read_lecture_names(self._data_dir.table("cues", course_id))

    def sections(self, course_id: str, documents: Collection[str]) -> list[Row]:
        return self._rows("documents", course_id, _SECTIONS, "document", documents)

    def faq(self, course_id: str, origins: Collection[str] | None = None) -> list[Row]:
        """Entries of the FAQ as students get them: where a TA's answer stands in the place of one, its words.

        Those of these `origins`, without them all.
        """
        found = {row["origin_id"]: row for row in self._rows("faq", course_id, _FAQ, "origin_id", origins)}
        for where in ("origin_id", "replaces"):
            for row in self._rows("ta_answers", course_id, _REVIEWED, where, origins):
                if row[where]:
                    found[row[where]] = {**row, "origin_id": row[where]}
        return [found[origin] for origin in sorted(found)]

    def catalog(self, course_id: str, records: Collection[str]) -> list[Row]:
        return self._rows("catalog_pages", course_id, _CATALOG, "record_id", records)

    def catalog_of(self, course_id: str, place: str) -> list[Row]:
        """The records read from one address or file."""
        by_page = self._rows("catalog_pages", course_id, _CATALOG, "page", [place])
        return by_page or self._rows("catalog_pages", course_id, _CATALOG, "url", [place])

    def _rows(
        self, table: CourseTable, course_id: str, columns: tuple[str, ...], where: str, values: Collection[str] | None
    ) -> list[Row]:
        if values is not None and not values:
            return []
        wanted = None if values is None else [(where, "in", sorted(values))]
        try:
            found = read_table(self._data_dir.table(table, course_id), columns, where=wanted)
        except FileNotFoundError:
            return []
        rows: list[Row] = found.to_pylist()
        return rows
