"""Course folders as they should not be: what is told, what is still built, and what is kept.

One home with a good course and broken ones beside it, built once; then the good courses of another home are broken.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
import pytest
from small_courses import FAQ, SORTING, STACKS, TREES, Place, srt, write_course, write_two_courses

from knowledge_graph.lake.expectations import Expectation, Validation, validate
from knowledge_graph.lake.tables import read_rows
from orchestration.reporting.tables import CLEAN_INPUT
from serving.index.search import SearchIndex

pytestmark = pytest.mark.slow

CUT = srt(STACKS)[:-70]
"""Ends in the middle of the last timing line."""
BACKWARDS = srt(TREES).replace("00:00:04,000 --> 00:00:06,000", "00:00:06,000 --> 00:00:04,000")
CHINESE = ("栈是一种后进先出的线性表。", "队列是一种先进先出的线性表。", "栈和队列都可以用数组实现。")
REFUSED = "id,question,answer\nrefused,Why?,Because.\n"
"""A row that readers let through and one more expectation, added below, does not."""
NONE_REFUSED: Expectation = ("ExpectColumnValuesToNotBeInSet", {"column": "origin_id", "value_set": ["refused"]})


def stricter(path: Path, expectations: Sequence[Expectation]) -> Validation | None:
    """The real suite, run by Great Expectations, with one more expectation of the FAQ."""
    more = [NONE_REFUSED] if path.parent.name == "faq" else []
    return validate(path, [*expectations, *more])


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, int, str]:
    """A good course among courses with every defect; the place, the exit code and what was printed."""
    place = Place(tmp_path_factory.mktemp("broken"))
    write_two_courses(place.courses)
    write_course(
        place.courses / "rough",
        {
            "subtitles/01 - Empty.srt": "",
            "subtitles/02 - Cut.srt": CUT,
            "subtitles/03 - Wide.srt": srt(SORTING).encode("utf-16"),
            "subtitles/04 - 中文.srt": srt(CHINESE).encode("gbk"),
            "subtitles/05 - Backwards.srt": BACKWARDS,
            "faq.csv": FAQ + "none,Who answers this?,\n",
            "course.yaml": "title: rough\nshares_with: [sorting, structure]\n",
        },
    )
    write_course(place.courses / "malformed", {"course.yaml": "title: [Trees\nlang: en\n", "01.srt": srt(TREES)})
    write_course(place.courses / "silent", {"faq.csv": FAQ, "subtitles/01 - Talk.ass": "[Script Info]\n"})
    return place, *place.build()


DEFECTS = [
    ("rough", "subtitles", "subtitles/01 - Empty.srt: The file is empty."),
    ("rough", "subtitles", f"subtitles/02 - Cut.srt:{CUT.count(chr(10)) + 1}: "),
    ("rough", "subtitles", "subtitles/05 - Backwards.srt:10: "),
    ("rough", "faq", "faq.csv:5: The entry 'Who answers this?' has no answer"),
    ("malformed", "course_card", "course.yaml:2: Not valid YAML"),
    ("silent", "subtitles", "The course has no subtitle file that can be read"),
]


@pytest.mark.parametrize(("course", "asset", "message"), DEFECTS)
def test_a_defect_is_told_in_the_check_with_file_and_line(
    broken: tuple[Place, int, str], course: str, asset: str, message: str
) -> None:
    check = broken[0].check(asset, CLEAN_INPUT, course)
    assert not check.passed
    assert check.severity == dg.AssetCheckSeverity.WARN
    assert message in (check.description or "")


@pytest.mark.parametrize(("course", "asset", "message"), DEFECTS)
def test_a_defect_is_told_in_the_metadata_with_what_to_do(
    broken: tuple[Place, int, str], course: str, asset: str, message: str
) -> None:
    facts = broken[0].metadata(asset, course)
    rows = [line.strip("| ").split(" | ") for line in str(facts["problems"].value).splitlines()[2:]]
    assert facts["problem_count"].value == len(rows)
    words = message.split(": ")[-1]
    told = [row for row in rows if words in row[2] or message.startswith(row[0])]
    assert told
    assert all(len(row) == 4 and row[3].strip() for row in told)


def test_the_build_of_courses_with_defects_ends_well(broken: tuple[Place, int, str]) -> None:
    place, code, printed = broken
    assert code == 0, printed
    ids = [row["course_id"] for row in read_rows(place.data_dir.graph_courses)]
    assert ids == ["malformed", "rough", "silent", "sorting", "structures"]


def test_a_course_that_is_shared_with_and_does_not_exist_is_told_and_stops_nothing(
    broken: tuple[Place, int, str],
) -> None:
    place, _, printed = broken
    told = (
        "rough/course.yaml:2: Expected the name of a course's folder under 'shares_with', found 'structure'; there "
        "are: malformed, rough, silent, sorting, structures. Did you mean 'structures'?"
    )
    assert f"! {told}" in printed
    key = dg.AssetCheckKey(dg.AssetKey("graph"), "every_course_shared_with_exists")
    with place.instance() as instance:
        record = instance.event_log_storage.get_latest_asset_check_execution_by_key([key])[key]
        evaluation = record.event.dagster_event.asset_check_evaluation_data  # type: ignore[union-attr]
    assert (evaluation.passed, evaluation.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert told in (evaluation.description or "")
    (card,) = read_rows(place.data_dir.table("course_cards", "rough"))
    assert card["shares_with"] == ["sorting", "structure"]


def test_the_good_courses_beside_them_are_built_as_ever(
    broken: tuple[Place, int, str], built: tuple[Place, int, str]
) -> None:
    alone, beside = built[0].tables(), broken[0].tables()
    of_courses = [name for name in alone if Path(name).stem in ("sorting", "structures")]
    assert len(of_courses) >= 16
    assert {name: beside[name] for name in of_courses} == {name: alone[name] for name in of_courses}


def test_what_can_be_read_of_a_rough_course_is_kept(broken: tuple[Place, int, str]) -> None:
    cues = read_rows(broken[0].data_dir.table("cues", "rough"))
    by_video = {video: [cue for cue in cues if cue["video_id"] == video] for video in {c["video_id"] for c in cues}}
    counts = {video: len(found) for video, found in by_video.items()}
    assert counts == {"02 - Cut": 29, "03 - Wide": 30, "04 - 中文": 9, "05 - Backwards": 30}
    assert by_video["03 - Wide"][0]["text"] == SORTING[0]
    assert by_video["04 - 中文"][0]["text"] == CHINESE[0]
    assert all(cue["start_ms"] <= cue["end_ms"] for cue in by_video["05 - Backwards"])
    assert len(read_rows(broken[0].data_dir.table("faq", "rough"))) == 3


def test_a_course_with_a_malformed_card_goes_by_its_folder(broken: tuple[Place, int, str]) -> None:
    (card,) = read_rows(broken[0].data_dir.table("course_cards", "malformed"))
    assert (card["title"], card["lang"]) == ("malformed", "en")


@dataclass(frozen=True)
class Lost:
    """A home whose course `sorting` was built and then broken for good, while `structures` got a new video."""

    place: Place
    before: dict[str, str]
    code: int
    printed: str


@pytest.fixture(scope="module")
def lost(built: tuple[Place, int, str], tmp_path_factory: pytest.TempPathFactory) -> Lost:
    place = Place(tmp_path_factory.mktemp("lost") / "copy")
    shutil.copytree(built[0].root, place.root)
    before = place.tables()
    write_course(place.courses / "sorting", {"faq.csv": REFUSED})
    write_course(place.courses / "structures", {"subtitles/03 - Sorting.srt": srt(SORTING)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("orchestration.reporting.course_source.validate", stricter)
        return Lost(place, before, *place.build())


def test_a_blocking_check_fails_the_course_and_the_exit_code_says_so(lost: Lost) -> None:
    assert lost.code == 1
    assert "Not built: sorting (run " in lost.printed
    assert "What was built before is kept. Mend it and run `coteach build` again." in lost.printed
    check = lost.place.check("faq", "faq_meets_expectations", "sorting")
    assert not check.passed
    assert check.severity == dg.AssetCheckSeverity.ERROR
    assert "origin_id: faq.csv:2, origin_id 'refused', question 'Why?'" in (check.description or "")
    assert "faq.csv:2" in str(check.metadata["rows"].value)


def test_what_reads_a_blocked_asset_does_not_run(lost: Lost) -> None:
    now = lost.place.tables()
    for table in ("concepts", "prerequisites"):
        name = f"lake/{table}/sorting.parquet"
        assert now[name] == lost.before[name]


def test_a_course_that_fails_does_not_stop_the_others(lost: Lost) -> None:
    data_dir = lost.place.data_dir
    assert len({row["video_id"] for row in read_rows(data_dir.table("cues", "structures"))}) == 3
    assert lost.place.tables()["lake/graph/concepts.parquet"] != lost.before["lake/graph/concepts.parquet"]


def test_rows_that_a_blocking_check_refused_do_not_reach_students(lost: Lost) -> None:
    pairs = read_rows(lost.place.data_dir.qa_pairs)
    assert [row["question"] for row in pairs if row["origin_id"] == "refused"] == []
    assert {row["source"] for row in pairs if row["course_id"] == "sorting"} >= {"faq"}, "the rows of before are kept"


def test_the_failed_course_is_planned_again_until_it_is_mended(lost: Lost) -> None:
    """Runs last: it mends the course."""
    assert [(plan.job, plan.partition) for plan in lost.place.plans()][:1] == [("course_build", "sorting")]
    write_course(lost.place.courses / "sorting", {"faq.csv": FAQ})
    assert [one.succeeded for one in lost.place.outcomes()] == [True, True]
    assert lost.place.plans() == []


def test_a_link_that_leads_nowhere_does_not_stop_the_other_courses(tmp_path: Path) -> None:
    place = Place(tmp_path)
    write_course(place.courses / "good", {"01.srt": srt(STACKS)})
    write_course(place.courses / "linked", {"subtitles/01.srt": srt(TREES)})
    (place.courses / "linked" / "subtitles" / "02.srt").symlink_to(tmp_path / "gone.srt")
    place.build()
    assert [path.stem for path in place.data_dir.tables("concepts")][:1] == ["good"]


def test_what_is_good_of_the_only_course_is_served_though_its_first_faq_was_refused(tmp_path: Path) -> None:
    place = Place(tmp_path)
    wanted = "faq:\n  - type: expect_column_values_to_not_be_null\n    kwargs: {column: reviewer}\n"
    write_course(place.courses / "only", {"01.srt": srt(STACKS), "faq.csv": FAQ, "expectations.yaml": wanted})
    code, printed = place.build()
    assert code == 1
    assert "Not built: only" in printed
    assert "Not built: fan_in_build" not in printed, "nothing else fails for the tables that are not there"
    assert SearchIndex.open(place.data_dir.index).counts()["passage"] == {"subtitle": 3}
