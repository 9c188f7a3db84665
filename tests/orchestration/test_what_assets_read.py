"""What an asset reads it depends on, for it is kept when all that it depends on came out the same."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path

import dagster as dg
import pytest
from small_courses import Place, write_course, write_every_source

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.source_kinds import CourseTable
from knowledge_graph.lake.tables import read_rows
from orchestration.building.event_log import ALSO_WRITTEN, URI
from orchestration.definitions import defs
from serving.index.schema import Entry

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

Reads = dict[str, set[str]]
"""The tables of courses that were asked for, by asset."""


@contextmanager
def watched(found: Reads) -> Iterator[None]:
    """Note which asset asks a home for which table of courses."""
    folder, table = DataDir.tables_folder, DataDir.table

    def note(name: str) -> None:
        with suppress(dg.DagsterInvariantViolationError):  # asked for outside of any asset
            for key in dg.AssetExecutionContext.get().selected_asset_keys:
                found[key.to_user_string()].add(name)

    def noted_folder(home: DataDir, name: CourseTable) -> Path:
        note(name)
        return folder(home, name)

    def noted_table(home: DataDir, name: CourseTable, course_id: str) -> Path:
        note(name)
        return table(home, name, course_id)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DataDir, "tables_folder", noted_folder)
        patch.setattr(DataDir, "table", noted_table)
        yield


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, Reads]:
    place, found = Place(tmp_path_factory.mktemp("reads")), Reads()
    write_every_source(place.courses)
    reads: Reads = defaultdict(set, found)
    with watched(reads):
        code, printed = place.build()
    assert code == 0, printed
    return place, dict(reads)


def writers(place: Place) -> dict[str, str]:
    """The asset that writes each table of courses, as its materialization says."""
    found = {}
    with place.instance() as instance:
        for spec in defs().resolve_all_asset_specs():
            event = instance.get_latest_materialization_event(spec.key)
            facts = event.asset_materialization.metadata if event and event.asset_materialization else {}
            also = facts[ALSO_WRITTEN].value if ALSO_WRITTEN in facts else []
            for name in [*([facts[URI].value] if URI in facts else []), *(also if isinstance(also, list) else [])]:
                lake, _, inside = str(name).partition("/")
                if lake == "lake" and "/" in inside:
                    found[inside.split("/")[0]] = spec.key.to_user_string()
    return found


def facts_of(place: Place) -> dict[str, dict[str, object]]:
    """What the newest materialization of each asset says."""
    names = [spec.key.to_user_string() for spec in defs().resolve_all_asset_specs()]
    with place.instance() as instance:
        made = {name: instance.get_latest_materialization_event(dg.AssetKey(name)) for name in names if "/" not in name}
    events = {name: event.asset_materialization for name, event in made.items() if event is not None}
    return {name: {key: one.value for key, one in event.metadata.items()} for name, event in events.items() if event}


def test_an_asset_depends_on_every_table_of_courses_that_it_reads(built: tuple[Place, Reads]) -> None:
    place, reads = built
    wrote = writers(place)
    deps = {
        spec.key.to_user_string(): {dep.asset_key.to_user_string() for dep in spec.deps}
        for spec in defs().resolve_all_asset_specs()
    }
    read = {asset: {wrote[table] for table in tables if table in wrote} - {asset} for asset, tables in reads.items()}
    assert {"subtitles", "documents", "catalog_pages"} <= read["passages"], "tables are noted"
    assert {asset: sorted(found - deps[asset]) for asset, found in read.items() if found - deps[asset]} == {}


def test_every_table_is_told_with_its_columns_its_rows_and_the_first_of_them(built: tuple[Place, Reads]) -> None:
    facts = facts_of(built[0])
    tables = {name for name, found in facts.items() if str(found.get(URI, "")).endswith(".parquet")}
    views = {name for name in facts if name.startswith("stg_")}
    assert len(tables) > 20
    assert len(views) == 9
    lacking = {
        name: {"dagster/column_schema", "dagster/row_count", "sample"} - facts[name].keys() for name in tables | views
    }
    assert {name: missing for name, missing in lacking.items() if missing} == {}


def test_columns_that_an_asset_of_code_is_made_of_are_columns_of_what_it_depends_on(built: tuple[Place, Reads]) -> None:
    place, _ = built
    deps = {
        spec.key.to_user_string(): {dep.asset_key.to_user_string() for dep in spec.deps}
        for spec in defs().resolve_all_asset_specs()
    }
    facts = facts_of(place)
    columns = {
        name: {column.name for column in schema.columns}
        for name, found in facts.items()
        if isinstance(schema := found.get("dagster/column_schema"), dg.TableSchema)
    }
    said = {
        name: lineage.deps_by_column
        for name, found in facts.items()
        if name in columns and isinstance(lineage := found.get("dagster/column_lineage"), dg.TableColumnLineage)
    }
    assert {"lecture_sentences", "passages", "concepts", "prerequisites", "graph"} <= said.keys()
    assert {"exam_questions", "graph_scores", "search_index", "search_queries"} <= said.keys()
    assert columns["search_index"] == {each.name for each in fields(Entry)} - {"is_platform"}, "what is stored"
    for name, lineage in said.items():
        assert set(lineage) <= columns[name], name
        origins = {(dep.asset_key.to_user_string(), dep.column_name) for found in lineage.values() for dep in found}
        assert {asset for asset, _ in origins} <= deps[name], name
        assert [one for one in origins if one[0] in columns and one[1] not in columns[one[0]]] == [], name


def test_another_subject_in_a_card_is_the_subject_of_its_passages(built: tuple[Place, Reads]) -> None:
    """Runs last: it edits a course."""
    place, _ = built
    write_course(place.courses / "sorting", {"course.yaml": "subject: botany\n"})
    code, printed = place.build()
    assert code == 0, printed
    rows = read_rows(place.data_dir.table("passages", "sorting"))
    assert {row["subject"] for row in rows} == {"botany"}
