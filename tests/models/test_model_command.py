"""`coteach model` on a home with a trained model: what a person types, and what MLflow and Dagster then say."""

import fcntl
import json
import shutil
from pathlib import Path

import dagster as dg
import mlflow
import pytest
from tiny_intent import Trained, labelled
from typer.testing import CliRunner

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import INTENT_EXAMPLES
from knowledge_graph.lake.tables import write_table
from models.intent.release.deletion import remove_versions
from models.intent.thresholds import thresholds_path
from models.tracking.runs import REGISTERED, tracking_uri
from models.versions import current_version
from orchestration.building.home_lock import HomeBusy
from orchestration.cli.build_command import open_instance
from orchestration.cli.main import app
from orchestration.resources import PipelineSettings


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
    client = mlflow.MlflowClient(tracking_uri(home), tracking_uri(home))
    champion = client.get_model_version_by_alias(REGISTERED, "champion")
    assert (champion.tags["coteach.who"], champion.tags["coteach.why"]) == ("Ada", "it is calmer")
    with open_instance(PipelineSettings()) as instance:
        event = instance.get_latest_materialization_event(dg.AssetKey("intent_champion"))
    assert event is not None
    assert event.asset_materialization is not None
    assert (event.asset_materialization.tags or {})["dagster/data_version"] == version


def test_the_list_says_which_model_is_in_use(trained: Trained, home: DataDir) -> None:
    (found,) = json.loads(CliRunner().invoke(app, ["model", "list", "--json"]).output)
    assert (found["version"], found["in_use"]) == (trained.report.version, True)
    assert found["aliases"] == ["challenger", "champion"]


def test_a_comparison_of_models_is_a_run_in_mlflow(trained: Trained, home: DataDir) -> None:
    version = trained.report.version
    done = CliRunner().invoke(app, ["model", "compare", version[:8], version[:8], "--json"])
    assert done.exit_code == 0, done.output
    client = mlflow.MlflowClient(tracking_uri(home), tracking_uri(home))
    experiment = client.get_experiment_by_name("comparisons")
    assert experiment is not None
    (run,) = client.search_runs([experiment.experiment_id])
    assert run.data.params == {"first": version, "second": version}
    assert run.data.metrics["macro_f1.difference"] == json.loads(done.stdout)["contest"]["macro_f1"]["value"] == 0.0


def test_pruning_deletes_nothing_that_is_in_use(trained: Trained, home: DataDir) -> None:
    done = CliRunner().invoke(app, ["model", "prune", "--keep", "1"])
    assert done.exit_code == 0, done.output
    assert (home.intent / trained.report.version).is_dir()


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
    runs = remove_versions([trained.report.version], data_dir=home)
    assert runs == 7, "the training and the six nested in it"
    assert not (home.intent / trained.report.version).exists()
    client = mlflow.MlflowClient(tracking_uri(home), tracking_uri(home))
    assert client.search_model_versions(f"name = '{REGISTERED}'") == []
    assert not [path for path in home.mlflow_artifacts.rglob("model.onnx") if path.is_file()]
    assert list(trained.data_dir.mlflow_artifacts.rglob("model.onnx")), "the home it was copied from keeps its own"
