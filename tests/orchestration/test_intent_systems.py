"""The asset `intent_systems`: systems by cross-validation, with labels and without, with an encoder and without."""

import warnings
from dataclasses import replace
from pathlib import Path

import dagster as dg
import mlflow
import pytest
from tiny_intent import ALBERT

from assets.evaluation.intent_systems import intent_systems, the_rule_chose_what_is_served
from knowledge_graph.lake.home import DataDir
from models.albert import pretrain_albert
from models.tracking.place import place_of
from orchestration.reporting.publishing import PublishedTable, read_shown
from orchestration.resources import EvaluationPaths, Inputs, PipelineSettings, inputs_of
from serving.evaluation.tables import markdown

TOPICS = ("heap", "stack", "queue", "tree", "graph", "list", "array", "sort", "map", "set", "loop", "pointer")
PATTERNS = {
    "simple": ("what is a {}", "define a {} please", "tell me about the {}"),
    "general_chat": ("hello my {}", "nice {} today is it not", "how are you {}"),
    "platform_faq": ("when is the {} exam", "where do I hand in the {} work", "is the {} quiz graded"),
}


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    (tmp_path / "courses").mkdir()
    settings = PipelineSettings(
        home=tmp_path / "home",
        courses=tmp_path / "courses",
        labels=tmp_path / "labels",
        trainings=tmp_path / "trainings",
    )
    return inputs_of(settings)


@pytest.fixture
def data_dir(tmp_path: Path) -> DataDir:
    return DataDir(tmp_path / "home")


def questions() -> list[tuple[str, str]]:
    return [(text.format(topic), name) for name, texts in PATTERNS.items() for text in texts for topic in TOPICS]


def write_labels(inputs: Inputs) -> None:
    (inputs.labels / "intents").mkdir(parents=True)
    lines = [f"{number},{text},{name}" for number, (text, name) in enumerate(questions())]
    (inputs.labels / "intents" / "en.csv").write_text("\n".join(["id,question,category", *lines]))
    (inputs.labels / "intent.yaml").write_text("epochs: 2\nbatch: 16\n")


def make(data_dir: DataDir, inputs: Inputs, rounds: int = 1) -> dg.ExecuteInProcessResult:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of MLflow and Dagster among themselves
        made = dg.materialize(
            [intent_systems, the_rule_chose_what_is_served],
            resources={"data_dir": data_dir, "inputs": inputs},
            run_config={"ops": {"intent_systems": {"config": {"parts": 3, "rounds": rounds}}}},
        )
    assert made.success
    return made


def shown(data_dir: DataDir) -> PublishedTable:
    return read_shown(data_dir.evaluation_tables / "intent_systems.json")


def test_without_labels_and_encoder_the_table_says_what_is_missing(data_dir: DataDir, inputs: Inputs) -> None:
    (check,) = make(data_dir, inputs).get_asset_check_evaluations()
    table = shown(data_dir).table
    assert table.rows == ()
    assert "Without an encoder nothing that can be served was compared" in markdown(table)
    assert check.passed


def test_a_handful_of_labels_is_not_compared(data_dir: DataDir, inputs: Inputs, tmp_path: Path) -> None:
    path = tmp_path / "public.csv"
    path.write_text("id,question,session_id,category\n1,什么是堆,1,简单问题\n2,我好累,1,情绪闲聊\n")
    make(data_dir, replace(inputs, evaluation=EvaluationPaths(intents=path)))
    assert "labelled file: 2 labelled questions, fewer than 100" in markdown(shown(data_dir).table)


def test_all_systems_stand_in_the_table_and_in_mlflow_and_the_check_says_what_to_set(
    data_dir: DataDir, inputs: Inputs
) -> None:
    write_labels(inputs)
    pretrain_albert([text for text, _ in questions()] * 2, data_dir=data_dir, settings=ALBERT)
    (check,) = make(data_dir, inputs).get_asset_check_evaluations()
    found = shown(data_dir)
    systems = [str(row[1]) for row in found.table.rows]
    assert systems == ["majority", "character n-grams, linear", "bag", "ALBERT", "ALBERT and bag"]
    assert {
        "labels/bag/macro_f1",
        "labels/albert/macro_f1.low",
        "labels/questions",
        "labels/bag/ahead.low",
    } <= found.table.metrics().keys()
    chosen = [str(row[1]) for row in found.table.rows if "chosen" in str(row[-1])]
    assert chosen == ["bag"], "so few easy questions tell nothing apart: the simplest that can be served"
    assert not check.passed
    assert "bag_share: 1.0, reads_previous: False" in (check.description or "")
    mlflow.set_tracking_uri(place_of(data_dir).uri)
    runs = mlflow.search_runs(experiment_names=["intent systems"], output_format="list")
    assert sorted(str(run.info.run_name) for run in runs) == sorted(systems)
    assert all({"macro_f1", "macro_f1.low", "chat_auc", "p"} <= run.data.metrics.keys() for run in runs)
    kept = sorted((inputs.trainings.folder / "intent systems").glob("*.npy"))
    assert len(kept) == 3 * len(systems)
    before = [path.stat().st_mtime_ns for path in kept]
    make(data_dir, inputs)
    assert [path.stat().st_mtime_ns for path in kept] == before
    assert shown(data_dir).table == found.table
    make(data_dir, inputs, rounds=2)
    again = sorted((inputs.trainings.folder / "intent systems").glob("*.npy"))
    assert set(kept) < set(again), "the first round is not trained again"
    assert len(again) == 2 * len(kept)
    assert shown(data_dir).table.metrics()["labels/rounds"] == 2
    assert "in 3 parts, dealt 2 times." in markdown(shown(data_dir).table)
