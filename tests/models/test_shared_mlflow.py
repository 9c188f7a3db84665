"""One MLflow server for several homes, over PostgreSQL and an object store, all real: what a training leaves there."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import mlflow
import object_store
import pandas as pd
import pytest
from embedded_intent import train_embedded
from mlflow_server import MlflowServer, running_mlflow
from postgres import running_postgres
from test_registered_model import OUTSIDE, questions_to_compare
from tiny_intent import Trained, labelled
from typer.testing import CliRunner

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import INTENT_EXAMPLES
from knowledge_graph.lake.tables import write_table
from models.intent.classifier import IntentClassifier
from models.intent.release.aliases import aliases_of, disagreement
from models.intent.release.deletion import prune
from models.tracking.place import HOME_TAG, SETTING, place_of
from models.tracking.recording import open_experiment
from models.tracking.runs import EXPORT_TAG, INTENT_EXPERIMENT, REGISTERED, name_champion
from models.versions import publish, staging
from orchestration.cli.main import app

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MlflowServer]:
    """The server, which the environment names as a person's would."""
    with (
        pytest.MonkeyPatch.context() as environment,
        running_postgres() as postgres,
        running_mlflow(postgres, tmp_path_factory.mktemp("mlflow")) as found,
    ):
        for name, value in {**object_store.environment(found.objects), SETTING: found.url}.items():
            environment.setenv(name, value)
        yield found


@pytest.fixture(scope="module")
def shared(server: MlflowServer, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A home with a model in use, trained once for all tests here."""
    return train_embedded(tmp_path_factory.mktemp("homes") / "first")


@pytest.fixture
def client(server: MlflowServer) -> mlflow.MlflowClient:
    return mlflow.MlflowClient(server.url, server.url)


def other_home(shared: Trained, folder: Path, client: mlflow.MlflowClient) -> tuple[DataDir, str]:
    """A copy of the home, which has trained the same model once more; and that run."""
    other = DataDir(folder / "other")
    shutil.copytree(shared.data_dir.root, other.root)
    return other, registered_again(other, shared.report.version, client)


def registered_again(home: DataDir, version: str, client: mlflow.MlflowClient) -> str:
    experiment_id, own = open_experiment(INTENT_EXPERIMENT, data_dir=home), place_of(home).own_tags
    run = client.create_run(experiment_id, tags={EXPORT_TAG: version, **own})
    client.create_model_version(REGISTERED, run.info.artifact_uri, run.info.run_id, tags={EXPORT_TAG: version, **own})
    client.set_terminated(run.info.run_id)
    return str(run.info.run_id)


def test_a_training_leaves_run_data_and_model_there_and_nothing_in_the_home(
    shared: Trained, client: mlflow.MlflowClient
) -> None:
    run = client.get_run(shared.report.run.run_id)
    assert run.info.artifact_uri.startswith(f"s3://{object_store.BUCKET}/mlflow/")
    assert run.data.tags[HOME_TAG].startswith("first-")
    assert {one.path for one in client.list_artifacts(run.info.run_id)} >= {"data", "promotion.json", "model_card.md"}
    registered = client.get_model_version_by_alias(REGISTERED, "champion")
    assert (registered.run_id, int(registered.version)) == (run.info.run_id, shared.report.run.model_version)
    assert registered.tags.items() >= {EXPORT_TAG: shared.report.version, HOME_TAG: run.data.tags[HOME_TAG]}.items()
    assert aliases_of(shared.data_dir) == dict.fromkeys(("champion", "challenger"), shared.report.version)
    assert disagreement(shared.data_dir) is None
    assert not shared.data_dir.mlflow_db.exists()
    assert not shared.data_dir.mlflow_artifacts.exists()


def test_the_rows_that_were_learnt_from_can_be_opened_by_others(shared: Trained, client: mlflow.MlflowClient) -> None:
    (one,) = client.get_run(shared.report.run.run_id).inputs.dataset_inputs
    assert json.loads(one.dataset.source)["uri"].startswith("s3://")
    rows = pd.read_csv(mlflow.data.get_source(one).load())  # type: ignore[attr-defined]
    assert sorted(rows["question"]) == sorted(each.question for each in labelled())


def test_the_registered_model_answers_alike_wherever_the_server_is_reached(
    shared: Trained, server: MlflowServer, tmp_path: Path
) -> None:
    asked = questions_to_compare(60)
    (tmp_path / "asked.json").write_text(json.dumps(asked.to_dict("records")))
    environment = {"PATH": os.environ["PATH"], "MLFLOW_TRACKING_URI": server.url}
    ran = subprocess.run(
        [sys.executable, "-P", "-c", OUTSIDE, f"models:/{REGISTERED}@champion", "asked.json"],
        cwd=tmp_path,
        env={**environment, **object_store.environment(server.objects)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout.splitlines()[-1])
    turns = [(row["previous"], row["course"], row["question"]) for row in asked.to_dict("records")]
    scores = IntentClassifier.open(shared.data_dir.intent).classify_batch(turns)
    assert found["category"] == [one.category for one in scores]
    assert found["h"] == pytest.approx([one.h for one in scores], abs=1e-6)


def test_builds_of_another_home_leave_the_champion_and_a_person_moves_it(
    shared: Trained, client: mlflow.MlflowClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = shared.report.version
    other, run_id = other_home(shared, tmp_path, client)
    name_champion(version, data_dir=other)
    assert client.get_model_version_by_alias(REGISTERED, "champion").run_id == shared.report.run.run_id
    assert "champion" not in aliases_of(other)
    assert disagreement(other) is None, "it is another home's"
    write_table(other.intent_examples, [vars(one) for one in labelled()], INTENT_EXAMPLES)
    monkeypatch.setenv("COTEACH_HOME", str(other.root))
    monkeypatch.setenv("DAGSTER_HOME", "")
    done = CliRunner().invoke(app, ["model", "use", version[:8], "--why", "it is calmer", "--who", "Ada"])
    assert done.exit_code == 0, done.output
    champion = client.get_model_version_by_alias(REGISTERED, "champion")
    assert (champion.run_id, champion.tags["coteach.who"]) == (run_id, "Ada")
    name_champion(version, data_dir=shared.data_dir, by_hand=True)
    assert client.get_model_version_by_alias(REGISTERED, "champion").run_id == shared.report.run.run_id


def test_pruning_deletes_what_is_the_homes_own(shared: Trained, client: mlflow.MlflowClient, tmp_path: Path) -> None:
    other, theirs = other_home(shared, tmp_path, client)
    with staging(other.intent) as staged:
        (staged / "card.json").write_text(json.dumps({"data": {"questions": {}}, "test": {"albert": {}}}))
        old = publish(other.intent, staged, use=False)
    os.utime(other.intent / old / "card.json", (0, 0))
    own, same = registered_again(other, old, client), registered_again(shared.data_dir, old, client)
    found = prune(other, keep=1)
    assert (found.gone, found.runs, found.space_left_to) == ((old,), 1, place_of(other).uri)
    left = {one.run_id for one in client.search_model_versions(f"name = '{REGISTERED}'")}
    assert left >= {shared.report.run.run_id, theirs, same}
    assert own not in left
    stages = {run_id: client.get_run(run_id).info.lifecycle_stage for run_id in (own, same, theirs)}
    assert stages == {own: "deleted", same: "active", theirs: "active"}
    assert client.get_run(shared.report.run.run_id).info.lifecycle_stage == "active"
