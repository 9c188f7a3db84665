"""Whole builds of small real courses: what a second one does, what a change costs, and that bytes do not vary.

Everything runs as `coteach build` runs it, with Dagster's log, spaCy, Great Expectations, dbt and Tantivy.
"""

from dataclasses import dataclass
from pathlib import Path

import dagster as dg
import pyarrow.parquet as pq
import pytest
from small_courses import SORTING, STACKS, Place, srt, write_course, write_two_courses

from knowledge_graph.lake.tables import read_rows
from orchestration.building.build import REASON, RunOutcome, RunPlan
from orchestration.jobs import COURSE_ASSETS, STAGE
from orchestration.resources import CourseUnknown
from serving.index.search import SearchIndex

pytestmark = pytest.mark.slow

NEW_VIDEO = "subtitles/03 - Recursion.srt"


@dataclass(frozen=True)
class Story:
    """A home after its first build, after a second one, and after a video was added."""

    place: Place
    plans_of_the_second: list[RunPlan]
    before: dict[str, str]
    untouched: dict[Path, int]
    outcomes: list[RunOutcome]


def modified(paths: list[Path]) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in paths}


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    place = Place(tmp_path_factory.mktemp("story"))
    write_two_courses(place.courses)
    code, printed = place.build()
    assert code == 0, printed
    second = place.plans()
    before = place.tables()
    untouched = modified(sorted((place.data_dir.root / "lake").glob("*/sorting.parquet")))
    write_course(place.courses / "structures", {NEW_VIDEO: srt(("Recursion needs the call stack.", *STACKS))})
    return Story(place, second, before, untouched, place.outcomes())


def test_a_build_tells_what_it_builds_and_why(built: tuple[Place, int, str]) -> None:
    place, code, printed = built
    assert code == 0, printed
    assert f"Courses in {place.courses}: sorting, structures" in printed
    assert "course sorting: " in printed
    assert "never built" in printed
    assert "Built in " in printed
    assert "No intent model is trained here (COTEACH_INTENT_TRAINING)" in printed


def test_a_build_writes_a_table_per_course_and_what_is_made_of_all(built: tuple[Place, int, str]) -> None:
    data_dir = built[0].data_dir
    for table in ("course_cards", "cues", "concepts", "prerequisites", "faq", "passages"):
        assert [path.stem for path in data_dir.tables(table)] == ["sorting", "structures"]
    assert [row["course_id"] for row in read_rows(data_dir.graph_courses)] == ["sorting", "structures"]
    assert len(read_rows(data_dir.table("cues", "structures"))) == 60
    assert {"binary tree", "stack"} <= {row["name"] for row in read_rows(data_dir.table("concepts", "structures"))}
    assert sum(row["source"] == "faq" for row in read_rows(data_dir.qa_pairs)) == 6
    assert SearchIndex.open(data_dir.index).counts()["qa"]["faq"] == 6


@pytest.mark.parametrize("name", [name for name in COURSE_ASSETS if name != "concept_map"])
def test_every_asset_reports_rows_columns_and_its_file(built: tuple[Place, int, str], name: str) -> None:
    facts = built[0].metadata(name, "structures")
    table = pq.ParquetFile(built[0].data_dir.root / str(facts["dagster/uri"].value))
    schema = facts["dagster/column_schema"].value
    assert isinstance(schema, dg.TableSchema)
    assert [column.name for column in schema.columns] == table.schema_arrow.names
    assert facts["dagster/row_count"].value == table.metadata.num_rows


def test_dagster_shows_which_columns_a_pair_is_made_of_and_the_first_rows(built: tuple[Place, int, str]) -> None:
    lineage = built[0].metadata("qa_pairs", None)["dagster/column_lineage"].value
    assert isinstance(lineage, dg.TableColumnLineage)
    assert dg.TableColumnDep("stg_faq", "question") in lineage.deps_by_column["question"]
    assert "stg_faq.question" in str(built[0].metadata("qa_pairs", None)["columns_made_of"].value)
    of_entries = built[0].metadata("stg_faq", None)["dagster/column_lineage"].value
    assert isinstance(of_entries, dg.TableColumnLineage)
    assert of_entries.deps_by_column["answer"] == [dg.TableColumnDep("faq", "answer")]
    assert "On Sunday at noon." in str(built[0].metadata("faq", "structures")["sample"].value)


def test_a_view_of_dbt_tells_its_rows_columns_and_the_first_rows(built: tuple[Place, int, str]) -> None:
    facts = built[0].metadata("stg_faq", None)
    assert facts["dagster/row_count"].value == 6
    schema = facts["dagster/column_schema"].value
    assert isinstance(schema, dg.TableSchema)
    assert {"question", "answer", "course_id"} <= {column.name for column in schema.columns}
    assert "On Sunday at noon." in str(facts["sample"].value)
    assert built[0].metadata("stg_documents", None)["sample"].value == "No rows."


def test_a_run_tells_why_it_was_started_and_what_it_builds(built: tuple[Place, int, str]) -> None:
    with built[0].instance() as instance:
        tags = [run.tags for run in instance.get_runs()]
    told = {(each[STAGE], each.get("dagster/partition")): each[REASON] for each in tags}
    assert told["course", "structures"].startswith("course_card: never built (+")
    assert "never built" in told["all_courses", None]


def test_a_new_home_is_built_with_what_dbt_parsed_for_others(built: tuple[Place, int, str]) -> None:
    said = (built[0].data_dir.root / "logs" / "build.log").read_text()
    assert "Running with dbt" in said
    assert "partial parsing" not in said, "dbt says so where it parses everything again"


def test_a_second_build_plans_nothing(story: Story) -> None:
    assert story.plans_of_the_second == []


def test_a_second_build_says_that_everything_is_up_to_date(built: tuple[Place, int, str]) -> None:
    code, printed = built[0].build()
    assert code == 0
    assert "Everything is up to date" in printed


def test_two_homes_built_from_the_same_input_hold_the_same_bytes(built: tuple[Place, int, str], story: Story) -> None:
    tables = built[0].tables()
    assert len(tables) > 15
    assert tables == story.before


def test_an_added_video_is_built_for_its_course_and_then_for_all(story: Story) -> None:
    assert [(one.plan.job, one.plan.partition, one.succeeded) for one in story.outcomes] == [
        ("course_build", "structures", True),
        ("fan_in_build", None, True),
    ]


def test_an_added_video_rebuilds_only_what_reads_it(story: Story) -> None:
    made = {key.to_user_string() for key in story.outcomes[0].plan.assets}
    assert {"subtitles", "concepts", "passages", "prerequisites"} <= made
    assert story.outcomes[0].plan.reasons["subtitles"] == "course_files/subtitles changed"


def test_an_added_video_leaves_the_files_of_the_other_course_alone(story: Story) -> None:
    assert len(story.untouched) >= 8
    assert modified(sorted(story.untouched)) == story.untouched
    now = story.place.tables()
    sorting = [name for name in now if "sorting" in name]
    assert {name: now[name] for name in sorting} == {name: story.before[name] for name in sorting}


def test_an_added_video_can_be_found(story: Story) -> None:
    data_dir = story.place.data_dir
    assert len({row["video_id"] for row in read_rows(data_dir.table("cues", "structures"))}) == 3
    assert [hit.entry.title for hit in SearchIndex.open(data_dir.index).search("recursion needs the call stack", k=3)]


def test_a_deleted_table_is_built_again(story: Story) -> None:
    """Runs last in this file: it changes the home of the others."""
    path = story.place.data_dir.table("concepts", "sorting")
    content = path.read_bytes()
    path.unlink()
    plans = story.place.plans()
    assert [(plan.job, plan.partition) for plan in plans] == [("course_build", "sorting")]
    assert plans[0].reasons == {"concepts": f"{path} is gone"}
    path.write_bytes(content)
    assert story.place.plans() == []


def test_a_folder_without_courses_is_answered_with_what_a_course_is(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.courses.mkdir()
    with pytest.raises(CourseUnknown, match=r"found: none\. A course is a folder with subtitles .* or a course\.yaml"):
        place.build()


def test_a_folder_that_is_no_course_is_named_and_a_dry_run_builds_nothing(tmp_path: Path) -> None:
    place = Place(tmp_path)
    write_course(place.courses / "sorting", {"01.srt": srt(SORTING)})
    write_course(place.courses / "holiday", {"beach.jpg": b"\xff\xd8"})
    code, printed = place.build(dry_run=True)
    assert code == 0
    assert "! holiday: Not a course" in printed
    assert "course sorting: course_card: never built" in printed
    assert place.tables() == {}
