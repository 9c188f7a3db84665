"""Writes that are atomic, deterministic and refuse what does not fit."""

from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pytest

from knowledge_graph.lake import records, schemas
from knowledge_graph.lake.records import Concept, Locator, Prerequisite, Span, from_row, to_row
from knowledge_graph.lake.tables import digest, read_rows, write_table

SCHEMA = pa.schema([("name", pa.string()), ("times", pa.list_(pa.int64()))])
PAIR = Prerequisite(
    course_id="c",
    prerequisite_id="en:stack",
    concept_id="en:queue",
    prerequisite="stack",
    concept="queue",
    probability=0.7,
    accepted=True,
    rejected_because=None,
    votes={"order": 1, "names": -1},
    evidence=(Span("v", 0, 900, "recall the stack"),),
)


def test_a_record_comes_back_from_the_lake_as_it_was(tmp_path: Path) -> None:
    write_table(tmp_path / "pairs.parquet", [asdict(PAIR)], schemas.PREREQUISITES)
    assert from_row(Prerequisite, read_rows(tmp_path / "pairs.parquet")[0]) == PAIR


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    rows = [{"name": "栈", "times": [1, 2]}, {"name": "queue", "times": []}]
    for name in ("a", "b"):
        write_table(tmp_path / f"{name}.parquet", rows, SCHEMA)
    assert digest(tmp_path / "a.parquet") == digest(tmp_path / "b.parquet")


def test_a_row_with_a_missing_column_is_refused_by_number(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"row 1: missing columns \['times'\], unknown columns \['time'\]"):
        write_table(tmp_path / "t.parquet", [{"name": "a", "times": []}, {"name": "b", "time": 1}], SCHEMA)


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write_table(path, [{"name": "old", "times": []}], SCHEMA)
    with pytest.raises((pa.ArrowInvalid, pa.ArrowTypeError)):
        write_table(path, [{"name": "new", "times": "never"}], SCHEMA)
    assert [row["name"] for row in read_rows(path)] == ["old"]
    assert [file.name for file in tmp_path.iterdir()] == ["t.parquet"]


@pytest.mark.parametrize(
    ("record", "schema"),
    [
        (records.CourseCard, schemas.COURSE_CARDS),
        (records.GradedItem, schemas.GRADED_ITEMS),
        (records.Cue, schemas.CUES),
        (records.Concept, schemas.CONCEPTS),
        (records.Prerequisite, schemas.PREREQUISITES),
        (records.FaqEntry, schemas.FAQ),
        (records.Snippet, schemas.SEARCH_SNIPPETS),
        (records.DocumentSection, schemas.DOCUMENTS),
        (records.Passage, schemas.PASSAGES),
        (records.Locator, pa.schema(list(schemas.LOCATOR))),
        (records.Span, pa.schema(list(schemas.SPAN))),
    ],
)
def test_every_record_mirrors_its_table(record: type, schema: pa.Schema) -> None:
    assert list(record.__dataclass_fields__) == schema.names  # type: ignore[attr-defined]


def test_a_locator_without_fields_is_all_null() -> None:
    assert set(asdict(Locator()).values()) == {None}


def test_a_record_is_written_as_asdict_gives_it_and_read_as_it_was(tmp_path: Path) -> None:
    concept = Concept(
        course_id="ds",
        concept_id="en:stack",
        name="stack",
        aliases=("stacks",),
        lang="en",
        rank=1,
        score=0.5,
        definition="A list where the last goes first.",
        definition_kind="subtitle",
        definition_locator=Locator(video_id="v1", start_ms=0, end_ms=5),
        definition_confidence=0.75,
        domains=("cs",),
        mention_count=3,
        evidence=(Span("v1", 0, 5, "A stack is a list."),),
        votes={"titled": 1, "rare": 0},
    )
    for record, schema in ((concept, schemas.CONCEPTS), (PAIR, schemas.PREREQUISITES)):
        path = tmp_path / "of_rows.parquet"
        write_table(path, [to_row(record)], schema)
        written = digest(path)
        write_table(path, [asdict(record)], schema)
        assert digest(path) == written
        assert from_row(type(record), read_rows(path)[0]) == record


def test_what_an_older_build_did_not_write_keeps_its_default_and_what_it_must_write_is_missed() -> None:
    row = to_row(PAIR)
    del row["confidence"]
    assert from_row(Prerequisite, row).confidence is None
    del row["concept"]
    with pytest.raises(KeyError, match="concept"):
        from_row(Prerequisite, row)
