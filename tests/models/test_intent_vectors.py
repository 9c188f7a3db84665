"""Sentence embeddings beside the network: the mean of both, in one graph, with an embedder that goes with it."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import mlflow
import numpy as np
import pandas as pd
import pytest
from embedded_intent import train_embedded
from test_registered_model import questions_to_compare
from tiny_intent import INTENT, Trained, labelled

from models.albert import resolve_encoder
from models.embedding.published import open_local
from models.intent.classifier import EMBEDDER, IntentClassifier
from models.intent.question_vectors import embed_questions, language_place, vectors_of
from models.intent.release.mlflow_package import embedder_of
from models.intent.training.systems import Embedded, Network
from models.tracking.place import place_of
from models.versions import ModelBroken


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    return train_embedded(tmp_path_factory.mktemp("embedded"))


def version_of(home: Trained) -> Path:
    return home.data_dir.intent / home.report.version


def artifact_of(home: Trained) -> Path:
    assert home.report.run.files is not None
    return home.report.run.files


def test_a_network_with_heads_says_the_mean_of_both(embedded: Trained) -> None:
    opened = open_local(embedded.data_dir.embedder)
    assert opened is not None
    encoder = resolve_encoder(None, data_dir=embedded.data_dir)
    train = [one for one in labelled() if one.split == "train"]
    asked = [replace(one, question=f"{one.question} 堆" * 3 if n % 3 else one.question) for n, one in enumerate(train)]
    vectors = embed_questions([one.question for one in [*train, *asked]], opened[1], version=opened[0])
    settings = replace(INTENT, epochs=2)
    together = Network(train, encoder, settings, vectors).predict_proba(asked)
    network = Network(train, encoder, replace(settings, embedding_share=0.0), vectors).predict_proba(asked)
    heads = Embedded(train, vectors).predict_proba(asked)
    assert together == pytest.approx((network + heads) / 2, abs=1e-5)
    assert np.abs(network - heads).max() > 0.1


def test_a_question_in_a_language_without_a_head_is_answered_by_the_network_alone(embedded: Trained) -> None:
    opened = open_local(embedded.data_dir.embedder)
    assert opened is not None
    encoder = resolve_encoder(None, data_dir=embedded.data_dir)
    train = [one for one in labelled() if one.split == "train" and one.question.isascii()]
    chinese = [replace(train[0], question="你好，这门课怎么样"), replace(train[0], question="什么是堆")]
    vectors = embed_questions([one.question for one in [*train, *chinese]], opened[1], version=opened[0])
    settings = replace(INTENT, epochs=1)
    together = Network(train, encoder, settings, vectors).predict_proba(chinese)
    network = Network(train, encoder, replace(settings, embedding_share=0.0), None).predict_proba(chinese)
    assert together == pytest.approx(network, abs=1e-6)


def test_the_vector_of_a_language_that_the_embedder_does_not_know_is_none(embedded: Trained) -> None:
    opened = open_local(embedded.data_dir.embedder)
    assert opened is not None
    batch = vectors_of(["what is a heap?", "什么是堆"], opened[1])
    assert batch.vector_language.tolist() == [1, 2]
    assert np.linalg.norm(batch.vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)
    assert language_place("什么是堆", ("en",)) == 0


def test_the_gateway_asks_an_embedder_that_is_open_and_opens_none(
    embedded: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_local(embedded.data_dir.embedder)
    assert opened is not None
    own = IntentClassifier.open(embedded.data_dir.intent).classify("what is a heap?")
    monkeypatch.setattr("models.intent.classifier.open_files", lambda *_, **__: pytest.fail("opened another embedder"))
    shared = IntentClassifier.open(embedded.data_dir.intent, embedder=opened[1]).classify("what is a heap?")
    assert shared.h == own.h
    encoded = opened[1]._parts[0]._of_one.cache_info()  # type: ignore[attr-defined]
    opened[1].encode(["what is a heap?"])
    assert opened[1]._parts[0]._of_one.cache_info().hits == encoded.hits + 1  # type: ignore[attr-defined]


def test_another_embedder_that_is_open_is_not_asked(embedded: Trained) -> None:
    class Another:
        name, dimension, languages = "another", 16, ("en", "zh")

        def encode(self, texts: object) -> None:
            raise AssertionError(texts)

    found = IntentClassifier.open(embedded.data_dir.intent, embedder=Another())  # type: ignore[arg-type]
    assert found.classify("hello there, my friend a heap").category == "general_chat"


def test_a_model_whose_embedder_is_gone_says_which_one_and_where(embedded: Trained, tmp_path: Path) -> None:
    copied = shutil.copytree(version_of(embedded), tmp_path / "models" / "intent" / embedded.report.version)
    with pytest.raises(ModelBroken, match=r"reads sentence embeddings of en@.*No embedder in .*embedding"):
        IntentClassifier(copied)


def test_the_registered_model_with_its_embedder_answers_as_the_gateway_does_wherever_it_lies(
    embedded: Trained, tmp_path: Path
) -> None:
    mlflow.set_tracking_uri(place_of(embedded.data_dir).uri)
    copy = shutil.copytree(artifact_of(embedded), tmp_path / "model")
    asked = questions_to_compare(500)
    found = mlflow.pyfunc.load_model(str(copy)).predict(asked)
    gateway = IntentClassifier.open(embedded.data_dir.intent)
    scores = [
        gateway.classify(row["question"], previous=row["previous"], course=row["course"])
        for row in asked.to_dict("records")
    ]
    assert found["category"].tolist() == [one.category for one in scores]
    assert found["h"].to_numpy() == pytest.approx([one.h for one in scores], abs=1e-6)


def test_the_vectors_decide_what_the_registered_model_says(embedded: Trained, tmp_path: Path) -> None:
    copy = shutil.copytree(artifact_of(embedded), tmp_path / "model")
    labels = next(copy.rglob("labels.json"))
    assert json.loads(labels.read_text())[EMBEDDER]["name"].startswith("en@")
    parts = sorted(path.parent.name for path in labels.parent.glob("embedder/*/model.onnx"))
    assert parts == ["en", "zh"]
    asked = pd.DataFrame([{"question": "what is a heap?"}])
    before = mlflow.pyfunc.load_model(str(copy)).predict(asked)["h"].item()
    shutil.copy(labels.parent / "embedder" / "zh" / "model.onnx", labels.parent / "embedder" / "en" / "model.onnx")
    assert mlflow.pyfunc.load_model(str(copy)).predict(asked)["h"].item() != before


def test_the_embedder_of_a_logged_model_takes_no_space_of_its_own(embedded: Trained) -> None:
    source = embedder_of(version_of(embedded))
    assert source is not None
    logged = artifact_of(embedded) / "data" / embedded.report.version / EMBEDDER
    files = [path.relative_to(source) for path in source.rglob("*") if path.is_file()]
    assert len(files) == 7
    assert all((logged / file).samefile(source / file) for file in files)


def test_card_and_report_say_what_is_read_and_for_which_languages(embedded: Trained) -> None:
    card = json.loads((version_of(embedded) / "card.json").read_text())
    assert card["embedder"].startswith("en@")
    assert "linear heads over sentence embeddings of en@" in card["served"]


def test_more_labels_than_are_embedded_are_answered_by_the_network_alone_and_the_card_says_so(
    embedded: Trained,
) -> None:
    from models.intent.release.release import TrainingPlan, train_intent

    report = train_intent(
        labelled(),
        data_dir=embedded.data_dir,
        encoder=resolve_encoder(None, data_dir=embedded.data_dir),
        settings=replace(INTENT, epochs=1, most_embedded=39, refit=False),
        plan=TrainingPlan(ablation=False),
        embedder=open_local(embedded.data_dir.embedder),
    )
    assert "40 labelled questions are more than most_embedded, 39" in report.served
    labels = json.loads((embedded.data_dir.intent / report.version / "labels.json").read_text())
    assert EMBEDDER not in labels
