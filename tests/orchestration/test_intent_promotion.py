"""The asset and the checks that stand between a training and the students, on records of trainings written by hand."""

import json
from pathlib import Path

import dagster as dg
import pytest

from assets.intent_model import beats_the_linear_baseline, beats_the_majority, earns_promotion, intent_champion
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from models.intent.release.champion import Challenger, write_challenger
from models.intent.release.promotion import Contest, Difference, PromotionDecision, decide
from models.versions import current_version, use_version
from orchestration.reporting.publishing import PublishedTable, table_to_json
from orchestration.resources import Inputs, PipelineSettings, inputs_of
from serving.evaluation.systems.intent_table import NAME, metric_name
from serving.evaluation.tables import MeasuredNumber, Table

WON = Contest("the linear baseline", 200, 0, 30, 10, 0.002, Difference(0.05, 0.02, 0.08, 0.001, 0.999), None)
LOST = Contest("the linear baseline", 200, 0, 10, 30, 0.002, Difference(-0.05, -0.08, -0.02, 0.999, 0.001), None)


def trained(folder: Path, *, linear: Contest, champion: str | None, against: Contest | None = None) -> DataDir:
    """A home after a training of version `new`."""
    data_dir = DataDir(folder)
    figures = {"albert": {"macro_f1": 0.6, "chat_auc": 0.9}, "majority": {"macro_f1": 0.1, "chat_auc": 0.5}}
    (data_dir.intent / "new").mkdir(parents=True)
    (data_dir.intent / "new" / "card.json").write_text(json.dumps({"test": figures}))
    if champion is not None:
        use_version(data_dir.intent, champion)
    decision: PromotionDecision = decide("new", champion, beats_majority=True, linear=linear, against_champion=against)
    write_challenger(Challenger(decision, 1, "run", "#/runs/run"), data_dir=data_dir)
    return data_dir


def result_of(check: dg.AssetChecksDefinition, data_dir: DataDir) -> dg.AssetCheckResult:
    found = check(data_dir=data_dir)
    assert isinstance(found, dg.AssetCheckResult)
    return found


def put(data_dir: DataDir) -> dg.ExecuteInProcessResult:
    inputs = inputs_of(PipelineSettings(home=data_dir.root))
    return dg.materialize([intent_champion], resources={"data_dir": data_dir, "inputs": inputs})


def test_a_model_that_is_not_better_is_shown_and_the_champion_stays(tmp_path: Path) -> None:
    data_dir = trained(tmp_path, linear=LOST, champion="old", against=WON)
    found = result_of(earns_promotion, data_dir)
    assert not found.passed
    assert found.description is not None
    assert found.description.startswith("kept: old stays in use")
    made = put(data_dir)
    (event,) = made.asset_materializations_for_node("intent_champion")
    assert (event.metadata["version"].value, event.metadata["changed"].value) == ("old", False)
    assert current_version(data_dir.intent) == "old"


def test_a_model_that_won_both_contests_is_put_in_use(tmp_path: Path) -> None:
    data_dir = trained(tmp_path, linear=WON, champion="old", against=WON)
    assert result_of(earns_promotion, data_dir).passed
    assert put(data_dir).success
    assert current_version(data_dir.intent) == "new"


def test_the_first_model_is_put_in_use_under_a_warning(tmp_path: Path) -> None:
    data_dir = trained(tmp_path, linear=LOST, champion=None)
    found = result_of(earns_promotion, data_dir)
    assert (found.passed, found.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert found.metadata["put_in_use"].value is True


@pytest.mark.parametrize(("linear", "passed"), [(WON, True), (LOST, False)])
def test_the_contest_with_the_linear_baseline_is_a_warning_with_its_figures(
    tmp_path: Path, linear: Contest, passed: bool
) -> None:
    data_dir = trained(tmp_path, linear=linear, champion=None)
    found = beats_the_linear_baseline(data_dir=data_dir, inputs=inputs_with_labels(tmp_path))
    assert isinstance(found, dg.AssetCheckResult)
    assert (found.passed, found.severity) == (passed, dg.AssetCheckSeverity.WARN)
    assert found.metadata["macro_f1_difference"].value == linear.macro_f1.value


def inputs_with_labels(folder: Path) -> Inputs:
    (folder / "labels").mkdir(exist_ok=True)
    (folder / "courses").mkdir(exist_ok=True)
    return inputs_of(PipelineSettings(home=folder, courses=folder / "courses", labels=folder / "labels"))


def publish_lead(data_dir: DataDir, inputs: Inputs, low: float, *, labels: str | None = None) -> None:
    """A published comparison in which what is served by default is ahead of the linear baseline by .1."""
    number = MeasuredNumber(f"labels/{metric_name(SERVED_BY_DEFAULT)}/ahead", 0.1, low, 0.2)
    table = Table(name=NAME, title="", source="", columns=("System",), rows=((number,),), notes=())
    shown = PublishedTable(table, {"labels": labels or digest(inputs.labels)}, {}, "run", "1")
    data_dir.evaluation_tables.mkdir(parents=True, exist_ok=True)
    (data_dir.evaluation_tables / f"{NAME}.json").write_text(json.dumps(table_to_json(shown)))


UNDECIDED = Contest("the linear baseline", 124, 0, 17, 12, 0.4, Difference(0.05, -0.03, 0.12, 0.1, 0.9), None)
SERVED_BY_DEFAULT = "ALBERT and bag, turn before, with sentence embeddings"


@pytest.mark.parametrize(
    ("linear", "low", "passed"), [(UNDECIDED, 0.04, True), (UNDECIDED, -0.01, False), (LOST, 0.04, False)]
)
def test_what_few_test_questions_cannot_tell_cross_validation_on_all_labels_does(
    tmp_path: Path, linear: Contest, low: float, passed: bool
) -> None:
    data_dir, inputs = trained(tmp_path, linear=linear, champion=None), inputs_with_labels(tmp_path)
    publish_lead(data_dir, inputs, low)
    found = beats_the_linear_baseline(data_dir=data_dir, inputs=inputs)
    assert isinstance(found, dg.AssetCheckResult)
    assert found.passed == passed
    assert f"by cross-validation on all labels macro-F1 +0.100 (95 %: {low:+.3f} to +0.200)" in (
        found.description or ""
    )


def test_a_cross_validation_on_other_labels_says_nothing(tmp_path: Path) -> None:
    data_dir, inputs = trained(tmp_path, linear=UNDECIDED, champion=None), inputs_with_labels(tmp_path)
    publish_lead(data_dir, inputs, 0.04, labels="others")
    found = beats_the_linear_baseline(data_dir=data_dir, inputs=inputs)
    assert isinstance(found, dg.AssetCheckResult)
    assert not found.passed
    assert "not cross-validated on these labels" in (found.description or "")


def test_the_majority_is_compared_with_the_newest_model_not_the_one_in_use(tmp_path: Path) -> None:
    found = result_of(beats_the_majority, trained(tmp_path, linear=LOST, champion="old", against=LOST))
    assert found.passed
    assert found.description is not None
    assert "ALBERT 0.600, majority 0.100" in found.description
