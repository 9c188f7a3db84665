"""A wave ends where nothing changes any more, within one run as between two."""

import time

import dagster as dg
import pytest
from built_homes import copied
from small_courses import FAQ, Place, write_course, write_two_courses

from orchestration.building.build import RunPlan
from orchestration.building.kept_results import KEPT, stale_tag
from orchestration.definitions import defs

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

READS_CONCEPTS = ("prerequisites", "concept_map", "graph_scores", "search_queries")


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Two courses that were built, and built again after a row of a FAQ that names no new concept."""
    place = copied(tmp_path_factory, write_two_courses, "unchanged")
    write_course(place.courses / "structures", {"faq.csv": FAQ + "room,Where is the exam?,In the great hall.\n"})
    code, printed = place.build()
    assert code == 0, printed
    return place


def test_what_read_the_edit_is_made_and_what_reads_what_came_out_the_same_is_kept(edited: Place) -> None:
    assert KEPT not in edited.metadata("faq", "structures")
    assert KEPT not in edited.metadata("concepts", "structures"), "it reads the FAQ"
    assert {name: KEPT in edited.metadata(name, "structures") for name in READS_CONCEPTS} == dict.fromkeys(
        READS_CONCEPTS, True
    )


def test_the_new_row_is_in_the_pairs_and_the_next_build_has_nothing_to_do(edited: Place) -> None:
    assert edited.pairs("structures")["faq", "room"]["answer"] == "In the great hall."
    assert not edited.plans()


def test_what_is_kept_says_what_it_said_before_and_so_do_its_checks(edited: Place) -> None:
    with edited.instance() as instance:
        wanted = dg.AssetRecordsFilter(dg.AssetKey("prerequisites"), asset_partitions=["structures"])
        events = [one.asset_materialization for one in instance.fetch_materializations(wanted, limit=2).records]
    now, then = (event for event in events if event is not None)
    assert (now.tags or {})["dagster/data_version"] == (then.tags or {})["dagster/data_version"]
    assert dict(now.metadata) == {**then.metadata, KEPT: now.metadata[KEPT]}
    assert edited.check("prerequisites", "input_is_clean", "structures").passed


def test_what_a_person_asks_for_is_made_though_nothing_changed(edited: Place) -> None:
    assert edited.make("structures", "prerequisites").succeeded
    assert KEPT not in edited.metadata("prerequisites", "structures")


def test_a_run_of_a_course_with_what_is_made_of_all_ends_where_nothing_changed(edited: Place) -> None:
    write_course(edited.courses / "sorting", {"faq.csv": FAQ.replace("\n", "\r\n")})
    with edited.builder() as builder:
        found = builder.prepare()
        (plan,) = builder.plans(found)
        outcome = builder.run(builder.with_all_courses(plan, found))
    assert outcome.succeeded
    assert KEPT in edited.metadata("qa_pairs", None), "dbt does not start"
    assert KEPT in edited.metadata("concepts", "sorting")
    assert not edited.plans()


def test_the_look_of_each_night_keeps_what_is_as_it_was_and_dagster_knows_when(edited: Place) -> None:
    with edited.builder() as builder:
        found = builder.prepare()
        assert not list(builder.plans(found))
    before, started = edited.tables(), time.time()
    with edited.instance() as instance:
        job = defs().resolve_job_def("fan_in_build")
        done = job.execute_in_process(instance=instance, tags=stale_tag([]))
        assert done.success
        seen = {key: instance.get_latest_materialization_event(key) for key in job.asset_layer.executable_asset_keys}
    assert all(event is not None and event.timestamp > started for event in seen.values())
    assert {name for name in ("graph", "qa_pairs", "stg_faq") if KEPT in edited.metadata(name, None)} == {
        *("graph", "qa_pairs", "stg_faq")
    }
    assert edited.tables() == before
    assert not edited.plans(), "nothing follows"


def test_staging_rows_of_now_are_not_compared_with_pairs_of_before(edited: Place) -> None:
    write_course(edited.courses / "sorting", {"faq.csv": FAQ + "lost,Where is lost property?,At the gate.\n"})
    assert edited.make("sorting", "faq").succeeded
    with edited.builder() as builder:
        builder.prepare()
        alone = builder.run(RunPlan("fan_in_build", None, (dg.AssetKey("stg_faq"),), {}))
    assert alone.succeeded
    assert edited.build()[0] == 0
    assert edited.pairs("sorting")["faq", "lost"]["answer"] == "At the gate."
