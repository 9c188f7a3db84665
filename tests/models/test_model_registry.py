"""Choosing a model by hand: what is recorded, what a build does about it, and how contradictions are found."""

import json
import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from tiny_intent import Trained, labelled

from knowledge_graph.lake.home import DataDir
from models.intent.release.aliases import aliases_of, disagreement
from models.intent.release.champion import Challenger, put_in_use, write_challenger
from models.intent.release.model_comparison import compare_versions
from models.intent.release.promotion import Contest, Difference, PromotionDecision
from models.intent.release.registry import find_version, find_versions_to_keep, list_versions, put_version_in_use
from models.intent.release.uses import BUILD, read_uses
from models.intent.thresholds import thresholds_path
from models.tracking.relocating import relocate
from models.versions import ModelBroken, ModelMissing, current_version, publish, staging, use_version

LINEAR = Contest("linear", 200, 0, 20, 10, 0.1, Difference(0.04, 0.01, 0.08, 0.01, 0.99), None)


def publish_card(data_dir: DataDir, name: str) -> str:
    """A version that is a card and nothing else."""
    with staging(data_dir.intent) as staged:
        card = {"name": name, "data": {"questions": {"train": 8, "test": 2}}, "test": {"albert": {"macro_f1": 0.5}}}
        (staged / "card.json").write_text(json.dumps(card))
        return publish(data_dir.intent, staged, use=False)


def decided(data_dir: DataDir, version: str, *, champion: str | None, run: str) -> None:
    decision = PromotionDecision(
        version, champion, "first" if champion is None else "better", LINEAR, None, "it is better"
    )
    write_challenger(Challenger(decision, 1, run, f"#/runs/{run}"), data_dir=data_dir)


def after_two_trainings(data_dir: DataDir) -> tuple[str, str]:
    old, new = publish_card(data_dir, "old"), publish_card(data_dir, "new")
    decided(data_dir, old, champion=None, run="1")
    put_in_use(data_dir)
    decided(data_dir, new, champion=old, run="2")
    put_in_use(data_dir)
    return old, new


def test_a_build_does_not_undo_a_roll_back(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    old, new = after_two_trainings(data_dir)
    assert current_version(data_dir.intent) == new
    put_version_in_use(old[:8], who="Ada", why="new one calls questions chat", data_dir=data_dir)
    found = put_in_use(data_dir)
    assert (found.version, found.changed) == (old, False)
    assert found.reason == f"Ada chose {old} since: new one calls questions chat"


def test_a_training_after_a_roll_back_is_decided_on_its_own(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    old, _ = after_two_trainings(data_dir)
    put_version_in_use(old, who="Ada", why="safer", data_dir=data_dir)
    newest = publish_card(data_dir, "newest")
    decided(data_dir, newest, champion=old, run="3")
    assert put_in_use(data_dir).version == newest


def test_every_use_is_recorded_with_who_and_why(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    old, new = after_two_trainings(data_dir)
    put_version_in_use(old, who="Ada", why="safer", data_dir=data_dir)
    assert [(use.version, use.before, use.who, use.why) for use in read_uses(data_dir)] == [
        (old, None, BUILD, "it is better"),
        (new, old, BUILD, "it is better"),
        (old, new, "Ada", "safer"),
    ]


def test_a_version_is_found_by_how_it_begins_and_an_unclear_one_is_refused(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    old, new = publish_card(data_dir, "old"), publish_card(data_dir, "new")
    assert find_version(old[:10], data_dir=data_dir) == old
    for unclear in ("", "nothing"):
        with pytest.raises(ModelMissing, match=new):
            find_version(unclear, data_dir=data_dir)


def test_a_damaged_version_is_not_put_in_use(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    old, new = after_two_trainings(data_dir)
    (data_dir.intent / old / "card.json").write_text("{}")
    with pytest.raises(ModelBroken, match="not those that were published"):
        put_version_in_use(old, who="Ada", why="", data_dir=data_dir)
    assert current_version(data_dir.intent) == new


def test_a_model_put_in_use_by_hand_alone_is_found(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    old, new = after_two_trainings(data_dir)
    assert disagreement(data_dir) is None
    use_version(data_dir.intent, old)
    found = disagreement(data_dir)
    assert found is not None
    assert new in found


def test_pruning_leaves_what_is_in_use_and_what_was_used_last(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    old, new = after_two_trainings(data_dir)
    never = publish_card(data_dir, "never used")
    put_version_in_use(old, who="Ada", why="safer", data_dir=data_dir)
    assert find_versions_to_keep(data_dir, keep=1) == {old}
    assert find_versions_to_keep(data_dir, keep=2) == {old, new}
    assert find_versions_to_keep(data_dir, keep=9) == {old, new, never}


def test_the_list_tells_figures_and_uses(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    old, _ = after_two_trainings(data_dir)
    found = {one.version: one for one in list_versions(data_dir)}
    assert (found[old].in_use, found[old].questions, found[old].figures) == (False, 10, {"macro_f1": 0.5})
    assert found[old].used is not None
    assert not found[old].calibrated


def test_aliases_are_read_without_mlflow_as_mlflow_has_them(trained: Trained, tmp_path: Path) -> None:
    version = trained.report.version
    assert aliases_of(trained.data_dir) == {"champion": version, "challenger": version}
    assert disagreement(trained.data_dir) is None
    copied = DataDir(tmp_path)
    shutil.copy(trained.data_dir.mlflow_db, copied.mlflow_db)
    with sqlite3.connect(copied.mlflow_db) as db:
        db.execute("UPDATE model_version_tags SET value = 'another' WHERE key = 'coteach.version'")
    db.close()
    copied.intent.mkdir(parents=True)
    use_version(copied.intent, version)
    found = disagreement(copied)
    assert found is not None
    assert "MLflow's champion is another" in found


def test_thresholds_that_only_the_gateway_or_only_mlflow_has_are_found(trained: Trained, tmp_path: Path) -> None:
    home = DataDir(tmp_path / "home")
    shutil.copytree(trained.data_dir.root, home.root)
    relocate(home)
    assert disagreement(home) is None
    path = thresholds_path(home.intent / trained.report.version)
    before = path.read_bytes()
    path.write_bytes(before.replace(b'"temperature": ', b'"temperature": 1'))
    assert "their thresholds.json differ" in str(disagreement(home))
    path.write_bytes(before)
    (logged,) = home.mlflow_artifacts.rglob("model.onnx")
    logged.write_bytes(b"")
    assert "their model.onnx differ" in str(disagreement(home))


def test_comparing_a_model_with_itself_finds_no_difference(trained: Trained) -> None:
    folder = trained.data_dir.intent / trained.report.version
    found = compare_versions(folder, folder, labelled(), shown=5)
    assert (found.contest.macro_f1.value, found.examples) == (0, ())
    assert found.contest.questions == len([one for one in labelled() if one.split == "test"])


def test_a_comparison_shows_questions_on_which_only_one_is_right(
    trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = trained.data_dir.intent / trained.report.version
    answers = iter([0, 1])

    def sure(_: object, examples: list[object]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        return np.tile(np.eye(6)[next(answers)], (len(examples), 1))

    monkeypatch.setattr("models.intent.release.model_comparison.probabilities", sure)
    found = compare_versions(folder, folder, labelled(), shown=1)
    assert {(one.first, one.second) for one in found.examples} == {("simple", "complex")}
