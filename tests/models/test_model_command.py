"""`coteach model` on a home with a trained model: what a person types, and what MLflow and Dagster then say."""

import fcntl
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import dagster as dg
import mlflow
import pytest
from tiny_intent import Trained, labelled
from typer.testing import CliRunner

from assets.intent_model import intent_champion, the_champion_is_what_serves
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import INTENT_EXAMPLES
from knowledge_graph.lake.tables import write_table
from knowledge_graph.lake.writer_lease import HomeBusy
from models.intent.release.deletion import Pruned, SpaceNotFreed, prune
from models.intent.thresholds import thresholds_path
from models.tracking.place import place_of
from models.tracking.recording import open_experiment
from models.tracking.runs import EXPORT_TAG, INTENT_EXPERIMENT, REGISTERED
from models.versions import current_version, publish, staging
from orchestration.cli.build_command import open_instance
from orchestration.cli.main import app
from orchestration.resources import PipelineSettings, inputs_of


@pytest.fixture
def home(trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DataDir:
    """A copy of the trained home, without thresholds for its model."""
    data_dir = DataDir(tmp_path / "home")
    shutil.copytree(trained.data_dir.root, data_dir.root)
    shutil.rmtree(data_dir.intent / "thresholds", ignore_errors=True)
    write_table(data_dir.intent_examples, [vars(one) for one in labelled()], INTENT_EXAMPLES)
    monkeypatch.setenv("COTEACH_HOME", str(data_dir.root))
    monkeypatch.setenv("DAGSTER_HOME", "")
    return data_dir


def test_using_a_model_moves_gateway_thresholds_mlflow_and_dagster(trained: Trained, home: DataDir) -> None:
    version = trained.report.version
    done = CliRunner().invoke(app, ["model", "use", version[:8], "--why", "it is calmer", "--who", "Ada"])
    assert done.exit_code == 0, done.output
    assert current_version(home.intent) == version
    assert thresholds_path(home.intent / version).is_file(), "a version that never was champion has its own, too"
    client = mlflow.MlflowClient(place_of(home).uri, place_of(home).uri)
    champion = client.get_model_version_by_alias(REGISTERED, "champion")
    assert (champion.tags["coteach.who"], champion.tags["coteach.why"]) == ("Ada", "it is calmer")
    with open_instance(PipelineSettings()) as instance:
        event = instance.get_latest_materialization_event(dg.AssetKey("intent_champion"))
    assert event is not None
    assert event.asset_materialization is not None
    assert (event.asset_materialization.tags or {})["dagster/data_version"] == version


def test_status_and_a_check_say_when_another_model_answers_than_mlflows_champion(
    trained: Trained, home: DataDir
) -> None:
    with staging(home.intent) as staged:
        (staged / "card.json").write_text("{}")
        by_hand = publish(home.intent, staged, use=True)
    told = f"{by_hand} answers students, but MLflow's champion is {trained.report.version}"
    assert told in json.loads(CliRunner().invoke(app, ["status", "--json"]).output)["warning"]
    check = the_champion_is_what_serves(data_dir=home)
    assert isinstance(check, dg.AssetCheckResult)
    assert not check.passed
    assert told in str(check.description)
    CliRunner().invoke(app, ["model", "use", trained.report.version, "--why", "back"])
    assert json.loads(CliRunner().invoke(app, ["status", "--json"]).output)["warning"] is None


def test_the_list_says_which_model_is_in_use(trained: Trained, home: DataDir) -> None:
    (found,) = json.loads(CliRunner().invoke(app, ["model", "list", "--json"]).output)
    assert (found["version"], found["in_use"]) == (trained.report.version, True)
    assert found["aliases"] == ["challenger", "champion"]
    shown = CliRunner().invoke(app, ["model", "list"]).output
    assert trained.report.version in shown, "whole, so that it can be copied"


def test_a_comparison_of_models_is_a_run_in_mlflow(trained: Trained, home: DataDir) -> None:
    version = trained.report.version
    done = CliRunner().invoke(app, ["model", "compare", version[:8], version[:8], "--json"])
    assert done.exit_code == 0, done.output
    client = mlflow.MlflowClient(place_of(home).uri, place_of(home).uri)
    experiment = client.get_experiment_by_name("comparisons")
    assert experiment is not None
    (run,) = client.search_runs([experiment.experiment_id])
    assert run.data.params == {"first": version, "second": version}
    assert run.data.metrics["macro_f1.difference"] == json.loads(done.stdout)["contest"]["macro_f1"]["value"] == 0.0


def test_pruning_deletes_nothing_that_is_in_use(trained: Trained, home: DataDir) -> None:
    done = CliRunner().invoke(app, ["model", "prune", "--keep", "1"])
    assert done.exit_code == 0, done.output
    assert (home.intent / trained.report.version).is_dir()


def registered_again(home: DataDir, version: str, *, with_model: bool) -> str:
    """Another run of the training that made a version, which got as far as its model or not."""
    experiment_id = open_experiment(INTENT_EXPERIMENT, data_dir=home)
    with mlflow.start_run(experiment_id=experiment_id, tags={EXPORT_TAG: version}) as run:
        source = mlflow.get_artifact_uri()
    if with_model:
        client = mlflow.MlflowClient()
        client.create_model_version(REGISTERED, source, run.info.run_id, tags={EXPORT_TAG: version})
    return run.info.run_id


def runs_of(home: DataDir) -> set[str]:
    experiment_id = open_experiment(INTENT_EXPERIMENT, data_dir=home)
    return {run.info.run_id for run in mlflow.MlflowClient().search_runs([experiment_id])}


def test_of_a_model_that_was_trained_several_times_the_newest_run_and_the_champions_stay(
    trained: Trained, home: DataDir
) -> None:
    version, champions = trained.report.version, runs_of(home)
    older = registered_again(home, version, with_model=True)
    newest = registered_again(home, version, with_model=True)
    stopped = registered_again(home, version, with_model=False)
    assert prune(home, keep=1, dry_run=True).runs == 2
    assert runs_of(home) == champions | {older, newest, stopped}
    assert prune(home, keep=1) == Pruned((), (version,), 2)
    assert runs_of(home) == champions | {newest}
    assert mlflow.pyfunc.load_model(f"models:/{REGISTERED}@champion") is not None


def test_a_build_deletes_models_above_those_that_are_kept(trained: Trained, home: DataDir) -> None:
    version = trained.report.version
    with staging(home.intent) as staged:
        (staged / "card.json").write_text(json.dumps({"data": {"questions": {}}, "test": {"albert": {}}}))
        old = publish(home.intent, staged, use=False)
    long_ago = registered_again(home, old, with_model=True)
    os.utime(home.intent / old / "card.json", (0, 0))
    for kept, left in ((2, {old, version}), (1, {version})):
        inputs = replace(inputs_of(PipelineSettings()), kept_intent_models=kept)
        assert dg.materialize([intent_champion], resources={"data_dir": home, "inputs": inputs}).success
        assert {card.parent.name for card in home.intent.glob("*/card.json")} == left
    assert long_ago not in runs_of(home)


def test_when_mlflow_frees_no_space_its_words_are_told(
    home: DataDir, trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered_again(home, trained.report.version, with_model=False)
    monkeypatch.setattr("models.intent.release.deletion.sys.executable", "false")
    with pytest.raises(SpaceNotFreed, match="could not remove their files; it said: nothing"):
        prune(home, keep=1)


@pytest.mark.parametrize("verb", [["use", "--why", "it is calmer"], ["prune", "--keep", "1"]], ids=lambda verb: verb[0])
def test_no_model_is_moved_or_deleted_while_somebody_else_writes_in_the_home(
    trained: Trained, home: DataDir, verb: list[str]
) -> None:
    before = sorted(path.relative_to(home.intent) for path in home.intent.rglob("*"))
    home.writer_lock.parent.mkdir(parents=True, exist_ok=True)
    with home.writer_lock.open("a") as lock:  # as a run of the daemon holds it, in a process of its own
        fcntl.flock(lock, fcntl.LOCK_EX)
        of_version = [trained.report.version] if verb[0] == "use" else []
        done = CliRunner().invoke(app, ["model", *verb, *of_version, "--no-wait"])
    assert isinstance(done.exception, HomeBusy), done.output
    assert sorted(path.relative_to(home.intent) for path in home.intent.rglob("*")) == before


@pytest.mark.slow
def test_pruning_deletes_folders_runs_and_what_they_hold(trained: Trained, home: DataDir) -> None:
    for name in ("CURRENT", "uses.jsonl"):
        (home.intent / name).unlink()
    client = mlflow.MlflowClient(place_of(home).uri, place_of(home).uri)
    for alias in ("champion", "challenger"):
        client.delete_registered_model_alias(REGISTERED, alias)
    with staging(home.intent) as staged:
        (staged / "card.json").write_text(json.dumps({"data": {"questions": {}}, "test": {"albert": {}}}))
        newer = publish(home.intent, staged)
    found = prune(home, keep=1)
    assert found == Pruned((trained.report.version,), (newer,), 8), "the training and the seven nested in it"
    assert not (home.intent / trained.report.version).exists()
    assert client.search_model_versions(f"name = '{REGISTERED}'") == []
    assert not [path for path in home.mlflow_artifacts.rglob("model.onnx") if path.is_file()]
    assert list(trained.data_dir.mlflow_artifacts.rglob("model.onnx")), "the home it was copied from keeps its own"
