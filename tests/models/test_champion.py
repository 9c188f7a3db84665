"""Putting a model in use: a decision is carried out once, and not when somebody chose another model in between."""

from pathlib import Path

import pytest

from knowledge_graph.lake.home import DataDir
from models.intent.labels.examples import IntentExample
from models.intent.release.champion import Challenger, put_in_use, read_challenger, write_challenger
from models.intent.release.promotion import Contest, Difference, PromotionDecision, Verdict
from models.intent.release.seen_questions import later_marks, marks_of_seen, read_learnt_later, read_seen, write_seen
from models.versions import ModelMissing, current_version, use_version

LINEAR = Contest("linear", 200, 0, 20, 10, 0.1, Difference(0.04, 0.01, 0.08, 0.01, 0.99), None)


def home(folder: Path, *, verdict: Verdict, champion: str | None, in_use: str | None) -> DataDir:
    """A home whose newest training is `new`, decided when `champion` was in use, with `in_use` there now."""
    data_dir = DataDir(folder)
    decision = PromotionDecision("new", champion, verdict, LINEAR, None, "because")
    data_dir.intent.mkdir(parents=True)
    write_challenger(Challenger(decision, 3, "run", "#/runs/run"), data_dir=data_dir)
    if in_use is not None:
        use_version(data_dir.intent, in_use)
    return data_dir


@pytest.mark.parametrize(("verdict", "champion"), [("first", None), ("better", "old")])
def test_what_was_promoted_is_put_in_use(tmp_path: Path, verdict: Verdict, champion: str | None) -> None:
    data_dir = home(tmp_path, verdict=verdict, champion=champion, in_use=champion)
    assert put_in_use(data_dir).changed
    assert current_version(data_dir.intent) == "new"


def test_doing_it_again_changes_nothing(tmp_path: Path) -> None:
    data_dir = home(tmp_path, verdict="first", champion=None, in_use=None)
    put_in_use(data_dir)
    found = put_in_use(data_dir)
    assert (found.version, found.changed) == ("new", False)


def test_what_was_not_promoted_leaves_the_champion(tmp_path: Path) -> None:
    data_dir = home(tmp_path, verdict="kept", champion="old", in_use="old")
    found = put_in_use(data_dir)
    assert (found.version, found.changed, found.reason) == ("old", False, "because")
    assert current_version(data_dir.intent) == "old"


def test_without_any_model_nothing_is_in_use(tmp_path: Path) -> None:
    assert put_in_use(home(tmp_path, verdict="kept", champion=None, in_use=None)).version is None


def test_a_model_that_somebody_chose_in_between_stays(tmp_path: Path) -> None:
    found = put_in_use(home(tmp_path, verdict="better", champion="old", in_use="chosen by hand"))
    assert (found.version, found.changed) == ("chosen by hand", False)
    assert "compared with old" in found.reason


def test_the_record_of_a_training_is_read_as_it_was_written(tmp_path: Path) -> None:
    found = read_challenger(home(tmp_path, verdict="better", champion="old", in_use="old"))
    assert found == Challenger(
        PromotionDecision("new", "old", "better", LINEAR, None, "because"), 3, "run", "#/runs/run"
    )


def test_without_a_training_it_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="Materialize `intent_model`"):
        read_challenger(DataDir(tmp_path))


@pytest.mark.parametrize(("refitted", "later"), [(True, 1), (False, 0)])
def test_a_refit_has_learnt_the_test_questions_later(tmp_path: Path, refitted: bool, later: int) -> None:
    learnt = IntentExample("1", "What is a heap?", "", "", "", "simple", "en", "train")
    held = IntentExample("2", "Why?", "", "", "", "complex", "en", "test")
    write_seen(tmp_path, [learnt, held], refitted=refitted)
    assert read_seen(tmp_path) == set(marks_of_seen([learnt]))
    assert len(read_learnt_later(tmp_path)) == later
    assert read_learnt_later(tmp_path) <= set(later_marks([held]))


def test_the_texts_a_model_learns_from_are_those_outside_the_test_questions() -> None:
    def example(question: str, split: str) -> IntentExample:
        return IntentExample("1", question, "", "", "", "simple", "en", split)  # type: ignore[arg-type]

    learnt = [example("What is a heap?", "train"), example("what is a HEAP", "train"), example("Why?", "valid")]
    assert marks_of_seen([*learnt, example("Held out", "test")]) == marks_of_seen(learnt)
    assert len(marks_of_seen(learnt)) == 2
