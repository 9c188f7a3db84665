"""Trainings that are kept between homes: the same model, byte for byte, and never one of other texts or code."""

from dataclasses import replace
from pathlib import Path

import pytest
from tiny_embedder import write_tiny_embedder
from tiny_intent import ALBERT, INTENT, labelled

from knowledge_graph.lake.home import DataDir
from models import kept_trainings
from models.albert import PretrainReport, pretrain_or_take, resolve_encoder
from models.embedding import published
from models.embedding.published import EmbedderSource, publish_embedder
from models.intent.release.release import IntentReport, TrainingPlan, train_intent
from models.kept_trainings import KeptTrainings
from models.versions import current_folder

TEXTS = [one.question for one in labelled()] * 3
PLAN = TrainingPlan(ablation=False)


def build(home: Path, kept: KeptTrainings) -> tuple[PretrainReport, IntentReport]:
    data_dir = DataDir(home)
    pretrained = pretrain_or_take(TEXTS, data_dir=data_dir, settings=ALBERT, kept=kept)
    encoder = resolve_encoder(None, data_dir=data_dir)
    return pretrained, train_intent(
        labelled(), data_dir=data_dir, encoder=encoder, settings=INTENT, plan=PLAN, kept=kept
    )


def test_a_second_home_takes_both_models_and_they_are_the_same(tmp_path: Path) -> None:
    kept = KeptTrainings(tmp_path / "kept")
    first = build(tmp_path / "one", kept)
    second = build(tmp_path / "two", kept)
    third = build(tmp_path / "three", replace(kept, reuse=False))
    assert [report.was_kept for report in (*first, *second, *third)] == [False, False, True, True, False, False]
    assert {reports[0].version for reports in (first, second, third)} == {first[0].version}
    assert {reports[1].version for reports in (first, second, third)} == {first[1].version}
    assert second[1].run.model_version == 1, "the new home's MLflow has the training as its own"


def count_to(kept: KeptTrainings, inputs: dict[str, object], *, is_whole: bool = True) -> tuple[int, bool]:
    return kept.get("count", inputs, lambda: 7, is_whole=lambda _: is_whole)


@pytest.fixture
def kept(tmp_path: Path) -> KeptTrainings:
    found = KeptTrainings(tmp_path)
    assert count_to(found, {"texts": ["a"]}) == (7, False)
    assert count_to(found, {"texts": ["a"]}) == (7, True)
    return found


def test_other_texts_are_trained_on(kept: KeptTrainings) -> None:
    assert count_to(kept, {"texts": ["b"]}) == (7, False)


def test_other_code_trains_again(kept: KeptTrainings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_trainings, "_code", lambda: "another")
    assert count_to(kept, {"texts": ["a"]}) == (7, False)


def test_a_training_that_was_cut_short_is_not_kept(kept: KeptTrainings) -> None:
    assert count_to(kept, {"texts": ["c"]}, is_whole=False) == (7, False)
    assert count_to(kept, {"texts": ["c"]}) == (7, False)


@pytest.mark.parametrize("content", [b"", b"no pickle", b"\x80\x05\x95"])
def test_a_damaged_file_is_made_again(kept: KeptTrainings, content: bytes) -> None:
    (file,) = kept.folder.iterdir()
    file.write_bytes(content)
    assert count_to(kept, {"texts": ["a"]}) == (7, False)
    assert count_to(kept, {"texts": ["a"]}) == (7, True)


def test_the_oldest_are_removed(kept: KeptTrainings) -> None:
    for number in range(20):
        count_to(kept, {"texts": [str(number)]})
    assert len(list(kept.folder.iterdir())) == 12


def embedder(home: Path) -> Path:
    return current_folder(home, what="embedder", remedy="")


@pytest.fixture
def source(tmp_path: Path) -> EmbedderSource:
    return EmbedderSource(str(write_tiny_embedder(tmp_path / "model")), ("en",))


@pytest.fixture
def exported(source: EmbedderSource, tmp_path: Path) -> Path:
    """An embedder as it is published and kept."""
    publish_embedder(source, tmp_path / "one", kept=KeptTrainings(tmp_path / "kept"))
    return embedder(tmp_path / "one")


def test_a_second_home_takes_the_embedder_that_was_exported_and_needs_no_export(
    source: EmbedderSource, exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published, "_export", None)
    card = publish_embedder(source, tmp_path / "two", kept=KeptTrainings(tmp_path / "kept"))
    taken = embedder(tmp_path / "two")
    assert taken.name == exported.name
    assert {file.name: file.read_bytes() for file in taken.iterdir()} == {
        file.name: file.read_bytes() for file in exported.iterdir()
    }
    assert card == published.read_card(exported)


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_damaged_embedder_is_not_taken_but_exported_again(
    source: EmbedderSource, exported: Path, tmp_path: Path, is_gone: bool
) -> None:
    (network,) = (tmp_path / "kept").rglob("model.onnx")
    network.unlink() if is_gone else network.write_bytes(network.read_bytes()[:-1])
    for home in ("two", "three"):
        publish_embedder(source, tmp_path / home, kept=KeptTrainings(tmp_path / "kept"))
        assert embedder(tmp_path / home).name == exported.name
        assert [one.name for one in (tmp_path / home).iterdir() if one.is_dir()] == [exported.name]
    assert network.read_bytes() == (exported / "model.onnx").read_bytes()


def test_another_model_and_other_code_are_exported(
    source: EmbedderSource, exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = EmbedderSource(str(write_tiny_embedder(tmp_path / "other", seed=9)), ("en",))
    kept = KeptTrainings(tmp_path / "kept")
    publish_embedder(other, tmp_path / "two", kept=kept)
    assert embedder(tmp_path / "two").name != exported.name
    monkeypatch.setattr(kept_trainings, "_code", lambda: "another")
    publish_embedder(source, tmp_path / "three", kept=kept)
    assert embedder(tmp_path / "three").name == exported.name
    assert len(list(kept.folder.iterdir())) == 2, "the oldest is removed"


def test_an_embedder_that_a_person_chose_is_not_kept(source: EmbedderSource, tmp_path: Path) -> None:
    publish_embedder(replace(source, is_chosen=True), tmp_path / "one", kept=KeptTrainings(tmp_path / "kept"))
    assert not (tmp_path / "kept").exists()
