"""Trainings that are kept between homes: the same model, byte for byte, and never one of other texts or code."""

from dataclasses import replace
from pathlib import Path

import pytest
from tiny_intent import ALBERT, INTENT, labelled

from knowledge_graph.lake.home import DataDir
from models import kept_trainings
from models.albert import PretrainReport, pretrain_or_take, resolve_encoder
from models.intent.release.release import IntentReport, TrainingPlan, train_intent
from models.kept_trainings import KeptTrainings

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
