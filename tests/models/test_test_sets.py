"""The frozen test set has a number that grows with it."""

import json
from dataclasses import replace
from pathlib import Path

from tiny_intent import Trained, labelled

from knowledge_graph.lake.home import DataDir
from models.intent.labels.examples import IntentExample
from models.intent.release.champion import read_challenger
from models.intent.release.test_sets import digest_of_test_set, version_test_set
from models.tracking.place import place_of


def held_out(number: int) -> list[IntentExample]:
    one = labelled()[0]
    return [replace(one, id=f"t{n}", question=f"question {n}", split="test") for n in range(number)]


def test_the_number_grows_when_test_questions_are_appended_and_only_then(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    first = version_test_set(held_out(5), data_dir=data_dir)
    assert (first.version, first.questions, first.added, first.removed) == (1, 5, 5, 0)
    train = [replace(one, split="train") for one in labelled()]
    assert version_test_set([*train, *held_out(5)], data_dir=data_dir) == first
    second = version_test_set(held_out(7), data_dir=data_dir)
    assert (second.version, second.questions, second.added, second.removed) == (2, 7, 2, 0)
    assert version_test_set(held_out(5), data_dir=data_dir) == first


def test_another_label_or_a_deleted_question_is_another_test_set(tmp_path: Path) -> None:
    data_dir, before = DataDir(tmp_path), held_out(5)
    version_test_set(before, data_dir=data_dir)
    relabelled = [replace(before[0], category="complex"), *before[1:]]
    assert version_test_set(relabelled, data_dir=data_dir).version == 2
    shorter = version_test_set(before[1:], data_dir=data_dir)
    assert (shorter.version, shorter.added, shorter.removed) == (3, 0, 1)
    assert "0 texts more and 1 fewer than version 2" in shorter.description


def test_decision_card_and_mlflow_name_the_test_set(trained: Trained) -> None:
    import mlflow

    digest = digest_of_test_set(labelled())
    decided = read_challenger(trained.data_dir).decision.test_set
    assert decided is not None
    assert (decided.version, decided.digest) == (1, digest)
    card = json.loads((trained.data_dir.intent / trained.report.version / "card.json").read_text())
    assert card["data"]["test_set"] == digest
    client = mlflow.MlflowClient(place_of(trained.data_dir).uri, place_of(trained.data_dir).uri)
    run = client.get_run(trained.report.run.run_id)
    assert (run.data.params["test_set"], run.data.tags["coteach.test_set_digest"]) == ("1", digest)
    promotion = json.loads(
        Path(
            mlflow.artifacts.download_artifacts(
                run_id=trained.report.run.run_id,
                artifact_path="promotion.json",
                tracking_uri=place_of(trained.data_dir).uri,
            )
        ).read_text()
    )
    assert promotion["test_set"]["version"] == 1
    registered = client.get_model_version("coteach-intent", "1")
    assert f"Test set 1 ({digest})" in (registered.description or "")
