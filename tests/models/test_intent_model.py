"""A real, tiny ALBERT from texts to answers."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import mlflow
import numpy as np
import pandas as pd
import pytest
from mlflow.utils.mlflow_tags import MLFLOW_GIT_COMMIT
from sklearn.metrics import f1_score
from tiny_intent import ALBERT, INTENT, Trained, labelled, train

from knowledge_graph.lake.home import DataDir
from models.albert import AlbertSettings, Encoder, pretrain_albert, resolve_encoder, train_tokenizer
from models.intent.classifier import IntentClassifier
from models.intent.labels.categories import CATEGORIES, CHAT
from models.intent.release.champion import contest, put_in_use, read_challenger
from models.intent.release.promotion import PromotionDecision
from models.intent.release.release import TrainingPlan, train_intent
from models.intent.release.seen_questions import SEEN, marks_of_seen
from models.intent.thresholds import read_thresholds, thresholds_path
from models.intent.training.candidate import part
from models.intent.training.exporting import TOLERANCE
from models.masked_language import IGNORED, MaskedSettings, mask_tokens
from models.statistics.metrics import reliability
from models.tracking.circumstances import circumstances
from models.tracking.place import place_of
from models.tracking.runs import EXPERIMENT, REGISTERED, name_champion, version_of
from models.versions import ModelBroken, ModelMissing, publish, staging, use_version


def test_pretraining_reports_what_it_did(trained: Trained) -> None:
    assert trained.pretrained.steps == 5
    assert not trained.pretrained.stopped_by_time
    assert trained.pretrained.curve[-1][0] == 5


def test_the_model_learns_what_the_majority_cannot(trained: Trained) -> None:
    assert trained.report.albert.macro_f1 > trained.report.majority.macro_f1 + 0.3
    assert trained.report.decision.verdict == "first"


def test_onnx_answers_as_pytorch_does(trained: Trained) -> None:
    assert trained.report.onnx_difference <= TOLERANCE


def test_the_exported_model_scores_a_question(trained: Trained) -> None:
    classifier = IntentClassifier.open(trained.data_dir.intent)
    scores = classifier.classify("hello there, my friend a heap", course="Data Structures")
    assert scores.category == "general_chat"
    assert scores.h == pytest.approx(scores.probabilities["general_chat"] + scores.probabilities["emotional_chat"])
    assert sum(scores.probabilities.values()) == pytest.approx(1, abs=1e-5)
    assert classifier.alpha_for("?") == trained.report.alpha
    assert classifier.version == trained.report.version


@pytest.mark.parametrize(
    "question",
    ["", " ", "\x00\x07", "x" * 100_000, "مرحبا", "🙂" * 50, "\ud800"],
    ids=["empty", "blank", "control", "huge", "right-to-left", "emoji", "lone surrogate"],
)
def test_any_text_gets_finite_scores(trained: Trained, question: str) -> None:
    scores = IntentClassifier.open(trained.data_dir.intent).classify(question, previous=question)
    assert np.isfinite(list(scores.probabilities.values())).all()


def test_a_batch_gives_what_single_questions_give(trained: Trained) -> None:
    classifier = IntentClassifier.open(trained.data_dir.intent)
    turns = [("hi", "Data Structures", "why is a tree better than an array?"), ("", "", "what is a heap?")]
    alone = [classifier.classify(question, previous=previous, course=course) for previous, course, question in turns]
    batch = classifier.classify_batch(turns * 40)
    assert [one.h for one in batch] == pytest.approx([one.h for one in alone] * 40, abs=1e-5)
    assert classifier.classify_batch([]) == []


def test_serving_loads_neither_torch_nor_transformers(trained: Trained) -> None:
    program = (
        "import sys, pathlib; from models.intent.classifier import IntentClassifier;"
        "IntentClassifier.open(pathlib.Path(sys.argv[1])).classify('hi');"
        "print(sorted({'torch', 'transformers', 'sklearn', 'mlflow', 'pandas', 'scipy'} & set(sys.modules)))"
    )
    folder = str(trained.data_dir.intent)
    done = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_card_says_what_the_model_is(trained: Trained) -> None:
    card = json.loads((trained.data_dir.intent / trained.report.version / "card.json").read_text())
    assert card["data"]["digest"] == trained.report.data_digest
    assert card["encoder"] == {"origin": "trained here", "name": trained.pretrained.version}
    assert set(card["test"]) == {"albert", "bag", "linear", "majority", "rehearsal"}
    assert (card["refitted"], card["served"]) == (True, trained.report.served)


@pytest.mark.slow
def test_the_same_input_gives_the_same_versions(trained: Trained, tmp_path: Path) -> None:
    pretrained, report = train(tmp_path)
    assert pretrained.version == trained.pretrained.version
    assert report.version == trained.report.version


def test_mlflow_holds_the_run_and_the_champion(trained: Trained) -> None:
    report, run_id = trained.report, trained.report.run.run_id
    assert version_of("champion", data_dir=trained.data_dir) == report.run.model_version
    assert version_of("challenger", data_dir=trained.data_dir) == report.run.model_version
    run = mlflow.get_run(run_id)
    assert run.data.metrics["test_albert_macro_f1"] == pytest.approx(report.albert.macro_f1, abs=1e-6)
    assert run.inputs is not None
    assert run.inputs.dataset_inputs[0].dataset.digest == report.data_digest[:32]
    history = mlflow.MlflowClient().get_metric_history(run_id, "valid_macro_f1")
    assert len(history) == report.epochs
    assert run.data.metrics["refit_questions"] == len(labelled())
    artifacts = {item.path for item in mlflow.MlflowClient().list_artifacts(run_id)}
    assert artifacts >= {"confusion_matrix.png", "reliability.png", "learning_curves.png", "promotion.json"}
    assert report.run.url_path == f"#/experiments/{run.info.experiment_id}/runs/{run_id}"


def test_a_run_says_when_its_epochs_ended_and_under_which_circumstances(trained: Trained) -> None:
    run = mlflow.get_run(trained.report.run.run_id)
    told = mlflow.MlflowClient().get_metric_history(run.info.run_id, "training.finetune.loss")
    assert [one.step for one in told] == list(range(1, trained.report.epochs + 1))
    assert told[0].timestamp < told[-1].timestamp
    curve = mlflow.MlflowClient().get_metric_history(run.info.run_id, "valid_macro_f1")
    assert [one.timestamp for one in curve] == sorted({one.timestamp for one in curve}), "each epoch has its own time"
    assert run.info.start_time < curve[0].timestamp
    assert "torch " in run.data.tags["coteach.packages"]
    assert "core" in run.data.tags["coteach.machine"]
    assert run.data.tags.get(MLFLOW_GIT_COMMIT) == circumstances().get(MLFLOW_GIT_COMMIT)
    assert run.info.run_name == f"albert-{trained.report.version[:8]}"


def test_a_training_that_fails_leaves_a_failed_run(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    with pytest.raises(ModelBroken):
        train_intent(labelled(), data_dir=data_dir, encoder=Encoder("/nowhere", "path", "none"), settings=INTENT)
    (run,) = mlflow.search_runs(experiment_names=[EXPERIMENT], output_format="list")
    assert run.info.status == "FAILED"


def test_the_models_of_a_training_are_runs_in_it_with_the_same_figures(trained: Trained) -> None:
    run = trained.report.run
    nested = mlflow.MlflowClient(place_of(trained.data_dir).uri).search_runs(
        [run.experiment_id], f"tags.`mlflow.parentRunId` = '{run.run_id}'"
    )
    assert {one.info.run_name: one.data.tags["coteach.role"] for one in nested} == {
        "as it serves": "calibrated",
        "albert, as set": "full",
        "albert, without previous turn and course": "ablation",
        "refit, rehearsed": "rehearsal",
        "bag": "baseline",
        "linear": "baseline",
        "majority": "baseline",
    }
    compared = {"test_accuracy", "test_macro_f1", "test_chat_f1", "test_chat_auc", "test_ece"}
    assert all(compared <= set(one.data.metrics) for one in nested)


def test_the_registered_version_says_what_it_is(trained: Trained) -> None:
    mlflow.set_tracking_uri(place_of(trained.data_dir).uri)
    client = mlflow.MlflowClient(registry_uri=place_of(trained.data_dir).uri)
    found = client.get_model_version_by_alias(REGISTERED, "champion")
    assert found.tags["coteach.version"] == trained.report.version
    assert found.description is not None
    assert trained.report.decision.reason in found.description
    assert "Figures are of the model before it" in found.description
    card = mlflow.artifacts.load_text(f"runs:/{found.run_id}/model_card.md")
    assert card == found.description
    told = (
        "## What it learnt from",
        "40 questions",
        "by language: en 40",
        "| the model as it serves |",
        "## What it is not for",
    )
    assert [part for part in told if part not in card] == []


def test_what_is_logged_of_a_model_is_said_with_the_temperature_and_the_thresholds_that_serve(trained: Trained) -> None:
    folder, test = trained.data_dir.intent / trained.report.version, part(labelled(), "test")
    thresholds = read_thresholds(thresholds_path(folder))
    assert thresholds is not None
    served = IntentClassifier.open_judged(folder, thresholds=thresholds)
    scores = served.classify_batch([(one.previous, one.course, one.question) for one in test])
    right = [one.category in CHAT for one in test]
    called = [score.h > served.alpha_for(one.question) for score, one in zip(scores, test, strict=True)]
    claims = np.array([max(score.probabilities.values()) for score in scores])
    hits = np.array([score.category == one.category for score, one in zip(scores, test, strict=True)])
    found = mlflow.MlflowClient(place_of(trained.data_dir).uri).get_run(trained.report.run.run_id).data.metrics
    assert found["test_calibrated_chat_f1"] == pytest.approx(f1_score(right, called), abs=1e-6)
    assert found["test_calibrated_ece"] == pytest.approx(reliability(claims, hits).error, abs=1e-6)
    assert thresholds.temperature != 1.0
    assert found["test_calibrated_ece"] != pytest.approx(found["test_albert_ece"], abs=1e-6)


def test_the_questions_of_a_training_are_kept_row_by_row(trained: Trained) -> None:
    mlflow.set_tracking_uri(place_of(trained.data_dir).uri)
    (logged,) = mlflow.get_run(trained.report.run.run_id).inputs.dataset_inputs
    kept = pd.read_csv(mlflow.data.get_source(logged).load())  # type: ignore[attr-defined]
    assert sorted(kept["id"]) == sorted(one.id for one in labelled())
    assert kept["category"].value_counts().to_dict() == Counter(one.category for one in labelled())


def test_the_newest_training_is_recorded_as_it_was_decided(trained: Trained) -> None:
    found = read_challenger(trained.data_dir)
    assert found.decision == trained.report.decision
    assert (found.run_id, found.registered) == (trained.report.run.run_id, trained.report.run.model_version)


def test_a_model_knows_the_questions_it_was_trained_on(trained: Trained) -> None:
    seen = json.loads((trained.data_dir.intent / trained.report.version / SEEN).read_text())
    assert seen == marks_of_seen(labelled())
    assert len(seen) == len([one for one in labelled() if one.split != "test"])


def held_contest(trained: Trained, data_dir: DataDir) -> PromotionDecision:
    """The trained model, published in another home, against whatever is in use there."""
    version = trained.report.version
    shutil.copytree(trained.data_dir.intent / version, data_dir.intent / version)
    test = [one for one in labelled() if one.split == "test"]
    linear = np.full((len(test), len(CATEGORIES)), 1 / len(CATEGORIES))
    return contest(version, test, linear, beats_majority=True, data_digest="", data_dir=data_dir)


def test_questions_that_the_champion_was_trained_on_are_left_out(trained: Trained, tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    test = [one for one in labelled() if one.split == "test"]
    with staging(data_dir.intent) as staged:
        shutil.copytree(trained.data_dir.intent / trained.report.version, staged, dirs_exist_ok=True)
        (staged / SEEN).write_text(json.dumps(marks_of_seen([replace(test[0], split="train")])))
        champion = publish(data_dir.intent, staged)
    found = held_contest(trained, data_dir)
    assert (found.champion, found.verdict) == (champion, "kept")
    assert found.against_champion is not None
    assert (found.against_champion.questions, found.against_champion.left_out) == (len(test) - 1, 1)


def test_a_contest_does_not_ask_the_network_that_learnt_the_test_questions(trained: Trained, tmp_path: Path) -> None:
    data_dir, served = DataDir(tmp_path), b"not asked"
    with staging(data_dir.intent) as staged:
        shutil.copytree(trained.data_dir.intent / trained.report.version, staged, dirs_exist_ok=True)
        (staged / "model.onnx").write_bytes(served)
        champion = publish(data_dir.intent, staged)
    found = held_contest(trained, data_dir)
    assert (found.champion, found.verdict) == (champion, "kept")
    assert found.against_champion is not None
    assert found.against_champion.macro_f1.value == 0, "the judged networks are the same"


def test_a_champion_that_cannot_be_opened_is_replaced(trained: Trained, tmp_path: Path) -> None:
    use_version(DataDir(tmp_path).intent, "gone")
    found = held_contest(trained, DataDir(tmp_path))
    assert (found.champion, found.verdict) == ("gone", "first")


@pytest.mark.slow
def test_a_worse_model_is_registered_as_challenger_and_the_champion_stays(trained: Trained, tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path / "home")
    shutil.copytree(trained.data_dir.root / "models", data_dir.root / "models")
    report = train_intent(
        labelled(),
        data_dir=data_dir,
        encoder=resolve_encoder(None, data_dir=data_dir),
        settings=replace(INTENT, epochs=1, learning_rate=1e-6, head_learning_rate=1e-6),
        plan=TrainingPlan(search=2, ablation=False),
    )
    assert report.decision.verdict == "kept"
    assert report.decision.champion == trained.report.version
    assert put_in_use(data_dir).version == trained.report.version
    assert name_champion(report.version, data_dir=data_dir) == report.run.model_version
    assert name_champion("of another home", data_dir=data_dir) is None


def test_nothing_is_written_outside_the_home(trained: Trained) -> None:
    assert {path.name for path in trained.data_dir.root.iterdir()} == {"models", "mlflow.db", "mlartifacts", "dagster"}
    assert {path.name for path in (trained.data_dir.root / "dagster").iterdir()} == {"mlflow.lock"}
    assert not Path("mlruns").exists()


def test_a_missing_model_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="Materialize `intent_model`"):
        IntentClassifier.open(tmp_path)
    with pytest.raises(ModelMissing, match="albert_pretrained"):
        resolve_encoder(None, data_dir=DataDir(tmp_path))


def test_a_damaged_model_is_refused(trained: Trained, tmp_path: Path) -> None:
    source = trained.data_dir.intent / trained.report.version
    copy = tmp_path / source.name
    copy.mkdir()
    for file in source.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    (tmp_path / "CURRENT").write_text(source.name)
    (copy / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelBroken, match="not those that were published"):
        IntentClassifier.open(tmp_path)
    with pytest.raises(ModelBroken, match="not an ONNX model"):
        IntentClassifier(copy)
    (copy / "labels.json").write_text(json.dumps({"categories": ["yes", "no"]}))
    with pytest.raises(ModelBroken, match="knows the categories"):
        IntentClassifier(copy)


def test_an_encoder_setting_that_is_no_model_is_explained(tmp_path: Path) -> None:
    encoder = resolve_encoder(str(tmp_path), data_dir=DataDir(tmp_path))
    assert encoder.origin == "path"
    with pytest.raises(ModelBroken, match="COTEACH_ALBERT"):
        train_intent(labelled(), data_dir=DataDir(tmp_path), encoder=encoder, settings=INTENT)


def test_training_without_test_questions_is_refused(trained: Trained) -> None:
    encoder = resolve_encoder(None, data_dir=trained.data_dir)
    examples = [replace(one, split="train") for one in labelled()]
    with pytest.raises(ValueError, match="needs test examples"):
        train_intent(examples, data_dir=trained.data_dir, encoder=encoder, settings=INTENT)


def test_pretraining_needs_text(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least 15 tokens"):
        pretrain_albert(["hi"], data_dir=DataDir(tmp_path), settings=ALBERT)


def test_the_time_budget_ends_pretraining_and_is_recorded(tmp_path: Path) -> None:
    settings: AlbertSettings = replace(ALBERT, masked=MaskedSettings(steps=1000, batch=2, block=16, time_budget_s=0.0))
    report = pretrain_albert([one.question for one in labelled()], data_dir=DataDir(tmp_path), settings=settings)
    assert (report.steps, report.stopped_by_time) == (1, True)


def test_chinese_is_split_by_character_and_case_is_folded() -> None:
    tokenizer = train_tokenizer(["Heap heap heap 二叉树 二叉树"], vocabulary=100)
    assert tokenizer.encode("HEAP 二叉树").tokens == ["heap", "二", "叉", "树"]


def test_only_chosen_tokens_are_predicted_and_special_ones_never() -> None:
    blocks = np.array([[2, *range(5, 35), 3]] * 50)
    inputs, labels = mask_tokens(blocks, vocabulary=40, share=0.15, source=np.random.default_rng(0))
    chosen = labels != IGNORED
    assert chosen[:, 1:-1].mean() == pytest.approx(0.15, abs=0.03)
    assert not chosen[:, [0, -1]].any()
    assert (inputs[~chosen] == blocks[~chosen]).all()


def test_there_are_six_categories() -> None:
    assert len(CATEGORIES) == 6
