"""The definitions as Dagster loads them: whole, valid, and told to the people who look at them."""

import dagster as dg
import pytest
from dagster._core.definitions.freshness import TimeWindowFreshnessPolicy

from orchestration.asset_tags import OUTSIDE
from orchestration.definitions import defs
from orchestration.jobs import COURSE_ASSETS, EVALUATION_ASSETS, EXPLANATION_ASSETS, INTENT_ASSETS, STAGE
from orchestration.partitions import HOME_POOL

SCHEDULES = ("web_update", "nightly_look", "answering_watch", "weekly_report_schedule")


@pytest.fixture(scope="module")
def loaded() -> dg.Definitions:
    return defs()


@pytest.fixture(scope="module")
def specs(loaded: dg.Definitions) -> list[dg.AssetSpec]:
    return list(loaded.resolve_all_asset_specs())


def names(specs: list[dg.AssetSpec]) -> list[str]:
    return [spec.key.to_user_string() for spec in specs]


def test_the_definitions_can_be_loaded(loaded: dg.Definitions) -> None:
    dg.Definitions.validate_loadable(loaded)


def test_every_stage_has_its_assets(specs: list[dg.AssetSpec]) -> None:
    assert {*COURSE_ASSETS, *INTENT_ASSETS, "graph", "qa_pairs", "search_index", "label_files"} <= set(names(specs))


def test_every_asset_has_a_group(specs: list[dg.AssetSpec]) -> None:
    assert names([spec for spec in specs if spec.group_name in (None, "", "default")]) == []


@pytest.mark.parametrize("attribute", ["owners", "kinds", "description"])
def test_every_asset_says_who_keeps_it_and_what_it_is(specs: list[dg.AssetSpec], attribute: str) -> None:
    assert names([spec for spec in specs if not getattr(spec, attribute)]) == []


def test_everything_that_is_made_has_a_code_version_and_none_a_condition_of_its_own(loaded: dg.Definitions) -> None:
    graph = loaded.resolve_asset_graph()
    made = [spec for spec in loaded.resolve_all_asset_specs() if spec.key in graph.materializable_asset_keys]
    assert names([spec for spec in made if not spec.code_version]) == []
    assert names([spec for spec in made if spec.automation_condition]) == [], "a sensor asks the planner"


def test_everything_that_builds_the_home_is_in_its_pool(loaded: dg.Definitions) -> None:
    for name in ("course_build", "fan_in_build", "intent_build", "explanation_build"):
        graph = loaded.resolve_asset_graph()
        for key in job_assets(loaded, name):
            assert set(graph.get(key).pools or ()) == {HOME_POOL}, key.to_user_string()


def test_what_a_schedule_makes_is_overdue_when_two_ticks_went_by_without_it_and_nothing_else_is(
    loaded: dg.Definitions,
) -> None:
    hours = {spec.key: windows(spec.freshness_policy) for spec in loaded.resolve_all_asset_specs()}
    nightly, weekly = (25, 49), (7 * 24 + 1, 14 * 24 + 1)
    expected = dict.fromkeys(job_assets(loaded, "web_update_job") | job_assets(loaded, "fan_in_build"), nightly)
    expected |= dict.fromkeys(job_assets(loaded, "weekly_build"), weekly)
    assert {key: found for key, found in hours.items() if found} == expected
    scheduled = {loaded.resolve_schedule_def(name).job_name for name in SCHEDULES}
    assert scheduled == {"web_update_job", "fan_in_build", "weekly_build", "answering_watch_job"}
    assert not job_assets(loaded, "answering_watch_job"), "a check alone"


def windows(policy: object) -> tuple[float, float] | None:
    """Hours until a warning and until overdue."""
    if not isinstance(policy, TimeWindowFreshnessPolicy) or policy.warn_window is None:
        return None
    first, second = (
        window.to_timedelta().total_seconds() / 3600 for window in (policy.warn_window, policy.fail_window)
    )
    return first, second


def job_assets(loaded: dg.Definitions, name: str) -> set[dg.AssetKey]:
    return set(loaded.resolve_job_def(name).asset_layer.executable_asset_keys)


def test_the_assets_of_a_course_share_one_partition_and_the_fan_in_has_none(specs: list[dg.AssetSpec]) -> None:
    partitioned = {
        spec.key.to_user_string(): spec.partitions_def.name
        for spec in specs
        if isinstance(spec.partitions_def, dg.DynamicPartitionsDefinition)
    }
    assert set(partitioned.values()) == {"courses"}
    assert {name for name in partitioned if not name.startswith(("course_files/", "store/"))} == set(COURSE_ASSETS)


def test_the_checks_that_keep_people_from_harm_block(loaded: dg.Definitions) -> None:
    graph = loaded.resolve_asset_graph()
    blocking = {key.name for key in graph.asset_check_keys if graph.get(key).blocking}
    assert blocking >= {
        *("every_cue_is_accounted_for", "concepts_have_evidence", "prerequisites_are_sound", "graph_is_sound"),
        *("ta_answers_meets_expectations", "teacher_edits_meets_expectations", "faq_meets_expectations"),
        *("search_snippets_meets_expectations", "documents_meets_expectations"),
        *("index_counts_equal_the_tables", "splits_do_not_leak", "beats_the_majority", "earns_promotion"),
        *("unique_qa_pairs_qa_id", "whole_pairs_stg_faq_ref_stg_courses_", "no_source_row_lost"),
    }


def test_the_jobs_of_a_build_cover_every_asset_once(loaded: dg.Definitions) -> None:
    made = loaded.resolve_asset_graph().materializable_asset_keys
    jobs = [loaded.resolve_job_def(name) for name in ("course_build", "fan_in_build", "intent_build")]
    covered = [key for job in jobs for key in job.asset_layer.executable_asset_keys]
    assert sorted(covered) == sorted(made - {dg.AssetKey(name) for name in (*EXPLANATION_ASSETS, *EVALUATION_ASSETS)})


def test_runs_of_every_job_are_found_by_the_stage_that_they_build(loaded: dg.Definitions) -> None:
    jobs = [job for job in loaded.resolve_all_job_defs() if not job.name.startswith("__")]
    stages = {job.name: job.run_tags.get(STAGE) for job in jobs}
    assert len(jobs) > 10
    assert None not in stages.values(), stages
    assert stages["course_update"] != stages["fan_in_build"] != stages["course_build"]


def test_every_asset_is_found_by_the_stage_that_runs_building_it_have(
    loaded: dg.Definitions, specs: list[dg.AssetSpec]
) -> None:
    building: dict[str, set[str]] = {}
    for job in loaded.resolve_all_job_defs():
        if not job.name.startswith("__"):
            building.setdefault(job.run_tags[STAGE], set()).update(
                key.to_user_string() for key in job.asset_layer.executable_asset_keys
            )
    of_stage: dict[str, set[str]] = {}
    for spec in specs:
        of_stage.setdefault(spec.tags[STAGE], set()).add(spec.key.to_user_string())
    assert {name for name in of_stage.pop(OUTSIDE) if not name.startswith(("course_files/", "store/"))} == {
        *("answering", "embedder_source", "evaluation_files", "index_place", "intent_settings", "label_files"),
        "search_services",
    }
    assert all(names <= building[stage] for stage, names in of_stage.items())


@pytest.mark.parametrize(
    ("tag", "found"),
    [
        ("coteach/reads_store", {"reviewed_sources", "search_queries", "ta_answers", "teacher_edits"}),
        ("coteach/reads_labels", {"intent_examples"}),
        ("coteach/asks_web", {"catalog_pages", "scholar_records", "search_queries", "web_snippets"}),
        ("coteach/takes_model_server", {"explanations"}),
        ("coteach/trains", {"albert_pretrained", "intent_model"}),
    ],
)
def test_assets_are_chosen_by_what_they_read_and_take(loaded: dg.Definitions, tag: str, found: set[str]) -> None:
    chosen = dg.AssetSelection.tag(tag, "").resolve(loaded.resolve_asset_graph())
    assert {key.to_user_string() for key in chosen} - set(EVALUATION_ASSETS) == found


def test_one_changed_course_is_a_run_of_all_that_follows_from_it(loaded: dg.Definitions) -> None:
    both = job_assets(loaded, "course_build") | job_assets(loaded, "fan_in_build")
    assert job_assets(loaded, "course_update") == both


def test_the_jobs_of_the_evaluation_cover_what_no_build_makes(loaded: dg.Definitions) -> None:
    jobs = ("evaluation_build", "exam_build", "tutor_build", "system_build", "report_build", "weekly_build")
    covered = [key for name in jobs for key in job_assets(loaded, name)]
    assert sorted(covered) == sorted(dg.AssetKey(name) for name in EVALUATION_ASSETS)


def test_dbt_models_read_the_lake_that_assets_write(specs: list[dg.AssetSpec]) -> None:
    reads = {
        spec.key.to_user_string(): {dep.asset_key.to_user_string() for dep in spec.deps}
        for spec in specs
        if spec.group_name == "qa_pairs"
    }
    assert reads["stg_faq"] == {"faq", "ta_answers"}
    assert reads["stg_concepts"] == {"concepts"}
    assert reads["qa_pairs"] >= {"stg_faq", "stg_ta_answers", "stg_concepts", "stg_documents", "stg_search_snippets"}


def test_the_schedule_and_the_sensors_run_as_soon_as_the_daemon_does(loaded: dg.Definitions) -> None:
    for name in SCHEDULES:
        assert loaded.resolve_schedule_def(name).default_status == dg.DefaultScheduleStatus.RUNNING
    for name in ("new_courses", "automation", "failed_runs", "failed_checks"):
        assert loaded.resolve_sensor_def(name).default_status == dg.DefaultSensorStatus.RUNNING
