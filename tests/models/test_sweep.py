"""A sweep tries what was asked for, on questions that judge nothing later, and says what follows."""

import json
import shutil
from pathlib import Path

import mlflow
import pytest
from tiny_intent import INTENT, Trained, labelled
from typer.testing import CliRunner

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import INTENT_EXAMPLES
from knowledge_graph.lake.tables import write_table
from models.intent.settings import IntentSettings
from models.intent.settings_file import SettingsUnusable
from models.intent.training.sweep import AS_SET, MOST, combinations
from models.tracking.place import place_of
from orchestration.cli.main import app


def test_every_combination_is_tried_and_the_settings_as_they_are_come_first() -> None:
    found = combinations(INTENT, ["dropout=0.1,0.3", "bag_share=0,1"])
    assert list(found) == [
        AS_SET,
        "dropout=0.1, bag_share=0",
        "dropout=0.1, bag_share=1",
        "dropout=0.3, bag_share=0",
        "dropout=0.3, bag_share=1",
    ]
    assert (found["dropout=0.3, bag_share=1"].dropout, found["dropout=0.3, bag_share=1"].bag_share) == (0.3, 1.0)
    assert found["dropout=0.3, bag_share=1"].epochs == INTENT.epochs


def test_what_is_set_already_is_not_tried_twice() -> None:
    assert list(combinations(IntentSettings(), ["dropout=0.2,0.3"])) == [AS_SET, "dropout=0.3"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["dropuot=0.1"], "sets dropuot, which is no setting"),
        (["dropout=2"], "between 0 and 0.99"),
        (["dropout=much"], "valid number"),
        (["dropout"], "like dropout=0.1,0.2"),
        (["dropout=0.2"], "changes nothing"),
        ([f"seed={','.join(map(str, range(100, 101 + MOST)))}"], f"more than {MOST} combinations"),
    ],
)
def test_what_cannot_be_tried_is_refused_by_name(asked: list[str], said: str) -> None:
    with pytest.raises(SettingsUnusable, match=said):
        combinations(IntentSettings(), asked)


def test_a_sweep_is_a_run_with_one_nested_for_each_combination_and_asks_no_test_question(
    trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = DataDir(tmp_path / "home")
    shutil.copytree(trained.data_dir.root, home.root)
    write_table(home.intent_examples, [vars(one) for one in labelled()], INTENT_EXAMPLES)
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "intent.yaml").write_text("epochs: 2\n", encoding="utf-8")
    for name, value in {"HOME": home.root, "LABELS": tmp_path / "labels", "TRAININGS": tmp_path / "kept"}.items():
        monkeypatch.setenv(f"COTEACH_{name}", str(value))
    typed = ["model", "sweep", "bag_share=0,1", "--parts", "2", "--rounds", "2", "--json"]
    done = CliRunner().invoke(app, typed)
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    assert set(figures) == {AS_SET, "bag_share=0", "bag_share=1"}
    client = mlflow.MlflowClient(place_of(home).uri, place_of(home).uri)
    experiment = client.get_experiment_by_name("intent sweeps")
    assert experiment is not None
    runs = client.search_runs([experiment.experiment_id])
    (parent,) = [one for one in runs if "mlflow.parentRunId" not in one.data.tags]
    nested = [one for one in runs if one.data.tags.get("mlflow.parentRunId") == parent.info.run_id]
    assert {one.info.run_name: one.data.metrics["macro_f1"] for one in nested} == {
        name: pytest.approx(one["macro_f1"]) for name, one in figures.items()
    }
    assert sum(one.data.tags["coteach.best"] == "true" for one in nested) == 1
    assert int(parent.data.params["questions"]) == sum(one.split != "test" for one in labelled())
    kept = sorted((tmp_path / "kept").rglob("*.npy"))
    assert json.loads(CliRunner().invoke(app, typed).stdout) == figures
    assert sorted((tmp_path / "kept").rglob("*.npy")) == kept
