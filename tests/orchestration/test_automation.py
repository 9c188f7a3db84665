"""What Dagster's daemon would run, asked of the real definitions with a real event log."""

from collections.abc import Iterable

import dagster as dg
import pytest

from orchestration.courses import INPUT_KINDS, SEARCH_SERVICES, files_key, register
from orchestration.decisions import GRAPH_EDITS, REVIEWED_ANSWERS, TURNS, Place
from orchestration.definitions import defs
from orchestration.jobs import COURSE_ASSETS

FAN_IN_READS = ("course_card", "concepts", "prerequisites")


@pytest.fixture(scope="module")
def loaded() -> dg.Definitions:
    return defs()


@pytest.fixture
def instance() -> dg.DagsterInstance:
    return dg.DagsterInstance.ephemeral()


def find_files(instance: dg.DagsterInstance, course: str, version: str = "1") -> None:
    """What a look at the course folders reports; a new course is registered by it."""
    versions: dict[Place, str | None] = {(files_key(kind), course): version for kind in INPUT_KINDS}
    versions |= {(key, course): "1" for key in (REVIEWED_ANSWERS, GRAPH_EDITS)}
    register(instance, versions | {(SEARCH_SERVICES, None): "1", (TURNS, None): "1"})


def materialize(instance: dg.DagsterInstance, names: Iterable[str], course: str | None) -> None:
    for name in names:
        instance.report_runless_asset_event(dg.AssetMaterialization(name, partition=course))


def requested(result: dg.EvaluateAutomationConditionsResult, name: str) -> set[str | None]:
    return set(result.get_requested_partitions(dg.AssetKey(name)))


def test_a_new_course_is_built_when_its_files_were_found(loaded: dg.Definitions, instance: dg.DagsterInstance) -> None:
    selection = dg.AssetSelection.assets(*COURSE_ASSETS)
    before = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection)
    find_files(instance, "trees")
    after = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection, cursor=before.cursor)
    assert {name for name in COURSE_ASSETS if requested(after, name) == {"trees"}} == set(COURSE_ASSETS)


def test_only_the_course_whose_files_changed_is_built_again(
    loaded: dg.Definitions, instance: dg.DagsterInstance
) -> None:
    selection = dg.AssetSelection.assets(*COURSE_ASSETS)
    for course in ("sorting", "trees"):
        find_files(instance, course)
        materialize(instance, COURSE_ASSETS, course)
    before = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection)
    find_files(instance, "trees", "2")
    after = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection, cursor=before.cursor)
    assert requested(after, "subtitles") == {"trees"}
    assert requested(after, "faq") == {"trees"}


def test_the_graph_follows_a_course_though_another_was_never_built(
    loaded: dg.Definitions, instance: dg.DagsterInstance
) -> None:
    selection = dg.AssetSelection.assets("graph")
    instance.add_dynamic_partitions("courses", ["broken", "trees"])
    before = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection)
    materialize(instance, FAN_IN_READS, "trees")
    after = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection, cursor=before.cursor)
    assert after.get_num_requested(dg.AssetKey("graph")) == 1


def test_a_new_course_does_not_retrain_the_encoder(loaded: dg.Definitions, instance: dg.DagsterInstance) -> None:
    selection = dg.AssetSelection.assets("albert_pretrained", "intent_model", "intent_champion")
    instance.add_dynamic_partitions("courses", ["trees"])
    materialize(instance, ["intent_examples", "albert_pretrained", "intent_model", "intent_champion"], None)
    before = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection)
    materialize(instance, ["subtitles"], "trees")
    after = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection, cursor=before.cursor)
    assert after.total_requested == 0


def test_the_index_follows_the_table_of_pairs(loaded: dg.Definitions, instance: dg.DagsterInstance) -> None:
    selection = dg.AssetSelection.assets("search_index")
    instance.add_dynamic_partitions("courses", ["broken", "trees"])
    materialize(instance, ["passages"], "trees")
    materialize(instance, ["qa_pairs", "search_index"], None)
    before = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection)
    materialize(instance, ["qa_pairs"], None)
    after = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection, cursor=before.cursor)
    assert after.get_num_requested(dg.AssetKey("search_index")) == 1


def test_an_approved_answer_is_built_for_its_course_alone(loaded: dg.Definitions, instance: dg.DagsterInstance) -> None:
    selection = dg.AssetSelection.assets(*COURSE_ASSETS)
    for course in ("sorting", "trees"):
        find_files(instance, course)
        materialize(instance, COURSE_ASSETS, course)
    before = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection)
    register(instance, {(REVIEWED_ANSWERS, "trees"): "2"})
    after = dg.evaluate_automation_conditions(loaded, instance, asset_selection=selection, cursor=before.cursor)
    assert requested(after, "ta_answers") == {"trees"}
    assert after.total_requested == 1
