"""The sensor that looks outside, and the same for builds without a daemon."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import dagster as dg
import pytest
from built_homes import copied
from small_courses import FAQ, STACKS, srt, write_course, write_every_source

from knowledge_graph.lake.source_kinds import INPUT_KINDS
from knowledge_graph.sources.web.settings import WebSettings
from orchestration.building.courses import (
    ANSWERING,
    EVALUATION_FILES,
    LABEL_FILES,
    InputChange,
    answering_versions,
    changes,
    evaluation_versions,
    files_key,
    look_outside,
    new_course_ids,
    read_observed_versions,
    register,
)
from orchestration.reporting.tables import FOLDERS
from orchestration.resources import CourseUnknown, EvaluationPaths, Inputs
from orchestration.sensors import new_courses
from serving.store.database import sqlite_url
from serving.store.for_builds import NOTHING


@pytest.fixture
def instance() -> dg.DagsterInstance:
    return dg.DagsterInstance.ephemeral()


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    """One course and one label file."""
    write_course(tmp_path / "courses" / "stacks", {"01.srt": srt(STACKS), "faq.csv": FAQ})
    write_course(tmp_path / "labels", {"intents/en.csv": "id,question,category\n1,What is a stack?,simple\n"})
    return Inputs(
        tmp_path / "courses",
        tmp_path / "labels",
        None,
        "http://mlflow",
        "http://gateway",
        WebSettings(),
        sqlite_url(tmp_path / "store.db"),
    )


def look(instance: dg.DagsterInstance, inputs: Inputs) -> dg.SensorResult:
    """One tick of the sensor; what it asks for is then done, as the daemon does."""
    with dg.build_sensor_context(instance=instance) as context:
        result = new_courses(context, inputs=inputs)
    assert isinstance(result, dg.SensorResult)
    for request in result.dynamic_partitions_requests or []:
        instance.add_dynamic_partitions(request.partitions_def_name, list(request.partition_keys))
    for event in result.asset_events:
        assert isinstance(event, dg.AssetMaterialization | dg.AssetCheckEvaluation)
        instance.report_runless_asset_event(event)
    return result


def registered(result: dg.SensorResult) -> list[str]:
    return [key for request in result.dynamic_partitions_requests or [] for key in request.partition_keys]


def reported(result: dg.SensorResult) -> set[tuple[str, str | None]]:
    events = [event for event in result.asset_events if isinstance(event, dg.AssetMaterialization)]
    return {(event.asset_key.to_user_string(), event.partition) for event in events}


def test_a_new_folder_becomes_a_partition_and_its_files_are_reported(
    instance: dg.DagsterInstance, inputs: Inputs
) -> None:
    result = look(instance, inputs)
    assert registered(result) == ["stacks"]
    shared = {
        ("label_files", None),
        ("search_services", None),
        ("embedder_source", None),
        ("index_place", None),
        ("store/turns", None),
    }
    shared |= {("answering", None), ("evaluation_files", None), ("intent_settings", None)}
    decided = {("store/reviewed_answers", "stacks"), ("store/graph_edits", "stacks")}
    assert reported(result) == shared | decided | {
        (f"course_files/{kind}", "stacks") for kind in (*INPUT_KINDS, "language")
    }


def test_the_sensor_requests_no_runs(instance: dg.DagsterInstance, inputs: Inputs) -> None:
    assert not look(instance, inputs).run_requests


def test_nothing_is_reported_when_nothing_changed(instance: dg.DagsterInstance, inputs: Inputs) -> None:
    look(instance, inputs)
    again = look(instance, inputs)
    assert (registered(again), reported(again)) == ([], set())


def test_only_the_kind_of_file_that_changed_is_reported(instance: dg.DagsterInstance, inputs: Inputs) -> None:
    look(instance, inputs)
    (inputs.courses / "stacks" / "faq.csv").write_text(FAQ + "new,Is this new?,Yes.\n")
    assert reported(look(instance, inputs)) == {("course_files/faq", "stacks")}


def test_a_touched_file_with_the_same_bytes_is_not_reported(instance: dg.DagsterInstance, inputs: Inputs) -> None:
    look(instance, inputs)
    file = inputs.courses / "stacks" / "faq.csv"
    file.write_bytes(file.read_bytes())
    assert reported(look(instance, inputs)) == set()


def test_a_second_course_leaves_the_first_alone(instance: dg.DagsterInstance, inputs: Inputs) -> None:
    look(instance, inputs)
    write_course(inputs.courses / "queues", {"01.srt": srt(STACKS)})
    result = look(instance, inputs)
    assert registered(result) == ["queues"]
    assert {course for _, course in reported(result)} == {"queues"}


def test_a_build_without_a_daemon_registers_the_same(instance: dg.DagsterInstance, inputs: Inputs) -> None:
    current = look_outside(inputs).versions
    assert register(instance, current) == ["stacks"]
    assert instance.get_dynamic_partitions("courses") == ["stacks"]
    observed = read_observed_versions(instance, current)
    assert {place for place in current if observed[place] != (current[place] or NOTHING)} == set()
    assert reported(look(instance, inputs)) == set()


def test_another_setting_of_answers_is_another_version_and_another_server_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = answering_versions()[ANSWERING, None]
    monkeypatch.setenv("COTEACH_LLM_URL", "http://127.0.0.1:9/v1")
    assert answering_versions()[ANSWERING, None] == usual
    monkeypatch.setenv("COTEACH_STRATEGY", "catalog_expert")
    assert answering_versions()[ANSWERING, None] != usual


def test_a_changed_file_to_evaluate_on_is_told_and_a_missing_one_is_no_error(tmp_path: Path) -> None:
    answers = tmp_path / "answers.csv"
    paths = EvaluationPaths(answers=answers)
    found = []
    for text in (None, "id,question\n", "id,question\n1,What?\n"):
        if text is not None:
            answers.write_text(text)
        found.append(evaluation_versions(paths)[EVALUATION_FILES, None])
    assert len(set(found)) == 3


def test_changes_are_told_course_by_course_in_order() -> None:
    faq, card = files_key("faq"), files_key("card")
    current = {(faq, "b"): "2", (card, "b"): "1", (faq, "a"): "1", (LABEL_FILES, None): "1"}
    found: Sequence[InputChange] = changes(current, {(faq, "b"): "1", (card, "b"): "1"})
    assert [(change.key, change.partition) for change in found] == [(LABEL_FILES, None), (faq, "a"), (faq, "b")]


def test_a_folder_that_is_gone_keeps_its_partition() -> None:
    assert new_course_ids({(files_key("faq"), "b"): "1"}, ["a", "b"]) == []


def test_an_unknown_course_is_answered_with_those_that_exist(inputs: Inputs) -> None:
    with pytest.raises(CourseUnknown, match=r"No course 'heaps' in .*; found: stacks\. Point COTEACH_COURSES"):
        inputs.course("heaps")


@pytest.mark.slow
def test_a_course_that_is_gone_and_forgotten_is_told_to_dagster_without_a_run_or_a_daemon(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = copied(tmp_path_factory, write_every_source, "gone")
    gone = sorted(path.name for path in place.courses.iterdir())[-1]
    shutil.rmtree(place.courses / gone)
    code, printed = place.build()
    assert (code, "up to date" in printed) == (0, True)
    key = dg.AssetCheckKey(dg.AssetKey("graph"), FOLDERS)
    with place.instance() as instance:
        (newest,) = instance.event_log_storage.get_asset_check_execution_history(key, limit=1)
    assert newest.event is not None
    assert newest.event.dagster_event is not None
    told = newest.event.dagster_event.asset_check_evaluation_data
    assert (told.passed, told.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert told.metadata["without_a_folder"].value == [gone]
