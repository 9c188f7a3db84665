"""From labelled questions to the thresholds of a model, and what later labels say of them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from word_model import WEIGHTS, write_network, write_word_model

from models.intent.classifier import JUDGED
from models.intent.labels.categories import CATEGORIES, Category
from models.intent.labels.examples import IntentExample, Split
from models.intent.release.seen_questions import LEARNT_LATER, SEEN
from models.intent.thresholds import IntentThresholds, length_of, read_thresholds, thresholds_path
from models.intent.training.calibration import (
    ALPHA_RISK,
    EVERYTHING,
    calibrate_intent,
    distinct,
    in_words,
    judge_alpha,
    mark,
    to_judge_on,
)
from models.intent.training.calibration_files import calibrate_version, judge_version, read_calibration
from models.versions import ModelBroken, ModelMissing


def asked(number: int, word: str, category: Category, split: Split = "valid") -> IntentExample:
    return IntentExample(f"{split}/{number}", f"{word} {split} {number}", "", "", "", category, "en", split)


def mostly_right(split: Split, *, wrong: int = 0) -> list[IntentExample]:
    """100 greetings, of which `wrong` are labelled as questions, and 100 questions."""
    greetings = [asked(number, "hello", "simple" if number < wrong else "general_chat", split) for number in range(100)]
    return greetings + [asked(number, "what", "simple", split) for number in range(100)]


@pytest.fixture
def version(tmp_path: Path) -> Path:
    return write_word_model(tmp_path / "intent" / "0123456789abcdef")


def test_alpha_is_chosen_and_stored_beside_the_version(version: Path) -> None:
    before = {file.name: file.read_bytes() for file in version.iterdir()}
    found = calibrate_version(version, mostly_right("valid", wrong=3))
    stored = read_thresholds(thresholds_path(version))
    assert stored == found.thresholds
    assert stored is not None
    assert stored.promised
    assert stored.alpha >= 0.5
    assert (found.alpha.overall.accepted, found.alpha.overall.errors) == (100, 3)
    assert found.alpha.overall.upper_bound <= ALPHA_RISK
    assert {file.name: file.read_bytes() for file in version.iterdir()} == before, "a version is named by its content"


def test_the_same_labels_give_the_same_bytes(version: Path) -> None:
    examples = mostly_right("valid")
    calibrate_version(version, examples)
    first = thresholds_path(version).read_bytes()
    calibrate_version(version, examples)
    assert thresholds_path(version).read_bytes() == first
    assert read_calibration(version) == calibrate_version(version, examples)


def test_only_validation_questions_are_looked_at(version: Path) -> None:
    found = calibrate_version(version, mostly_right("valid") + mostly_right("train", wrong=100))
    assert found.alpha.overall.questions == 200


def test_without_a_cut_nothing_is_chat_and_the_words_say_why(version: Path) -> None:
    found = calibrate_version(version, mostly_right("valid", wrong=50))
    assert found.alpha.overall.cut is None
    assert (found.thresholds.promised, found.thresholds.alpha_for("hello")) == (False, found.unpromised)
    assert in_words(found.alpha.overall).startswith("On 200 labelled questions no cut promises that at most 20%")
    assert read_thresholds(thresholds_path(version)) == found.thresholds


@pytest.mark.parametrize("examples", [[], [asked(1, "hello", "general_chat")]], ids=["no labels", "one category"])
def test_too_few_labels_leave_the_model_as_it_is(version: Path, examples: list[IntentExample]) -> None:
    assert calibrate_version(version, examples).thresholds == IntentThresholds(alpha=0.5, promised=False)


def test_scores_that_are_no_numbers_are_refused() -> None:
    examples = mostly_right("valid")
    with pytest.raises(ValueError, match="finite"):
        calibrate_intent(examples, np.full((len(examples), len(CATEGORIES)), np.nan))
    with pytest.raises(ValueError, match="Expected 200 rows of 6"):
        calibrate_intent(examples, np.ones((3, len(CATEGORIES))))


def test_a_text_asked_a_hundred_times_is_one_observation(version: Path) -> None:
    once = mostly_right("valid")
    again = [replace(once[0], id=f"again/{number}", question="Hello valid 0!") for number in range(100)]
    assert distinct(once + again) == list(range(len(once)))
    assert calibrate_version(version, once + again) == calibrate_version(version, once)


def test_later_labels_that_agree_keep_the_promise(version: Path) -> None:
    calibrate_version(version, mostly_right("valid", wrong=3))
    verdicts = judge_version(version, mostly_right("valid", wrong=3) + mostly_right("test", wrong=22))
    assert (verdicts[EVERYTHING].accepted, verdicts[EVERYTHING].errors) == (100, 22)
    assert not verdicts[EVERYTHING].is_broken


def test_later_labels_that_disagree_break_the_promise(version: Path) -> None:
    calibrate_version(version, mostly_right("valid", wrong=3))
    verdicts = judge_version(version, mostly_right("test", wrong=35))
    assert verdicts[EVERYTHING].is_broken
    assert verdicts[EVERYTHING].lower_bound > ALPHA_RISK


def test_each_length_with_a_cut_of_its_own_is_judged() -> None:
    thresholds = IntentThresholds(0.6, by_length={"up to 10": 0.9, "up to 20": 0.5, "up to 50": 0.5, "longer": 0.5})
    examples = [asked(number, "hello", "simple", "test") for number in range(40)]
    scores = np.zeros((40, len(CATEGORIES)))
    scores[:, CATEGORIES.index("general_chat")] = 0.8
    parts = [("up to 10", "up to 20"), ("up to 50", "longer")]
    verdicts = judge_alpha(thresholds, examples, scores, risk=0.2, parts=parts)
    assert verdicts["up to 10, up to 20"].is_broken
    assert verdicts["up to 50, longer"].accepted == 0
    assert verdicts[EVERYTHING].confidence == pytest.approx(1 - 0.05 / 3)


def test_what_was_seen_in_training_or_calibration_judges_nothing() -> None:
    train, valid = asked(1, "what", "simple", "train"), asked(2, "what", "simple", "valid")
    test, new = asked(3, "what", "simple", "test"), asked(4, "what", "simple", "train")
    by_rule = replace(asked(5, "what", "simple", "train"), label_kind="weak")
    seen = {mark(train), mark(valid)}
    assert to_judge_on([train, valid, test, new, by_rule], seen, []) == [test, new]
    assert to_judge_on([train, valid, test, new], None, [mark(valid)]) == [test]


@pytest.fixture
def refitted(version: Path) -> Path:
    """A version that has learnt the test questions of `mostly_right`, and that a greeting is a question."""
    write_network(version / JUDGED, WEIGHTS)
    write_network(version / "model.onnx", {"hello": ("simple", 4.0)})
    (version / SEEN).write_text(json.dumps([mark(one) for one in mostly_right("valid")]))
    (version / LEARNT_LATER).write_text(json.dumps([mark(one) for one in mostly_right("test")]))
    return version


def test_thresholds_are_those_of_the_network_that_has_not_learnt_held_out_questions(refitted: Path) -> None:
    found = calibrate_version(refitted, mostly_right("valid", wrong=3))
    assert (found.alpha.overall.accepted, found.alpha.overall.errors) == (100, 3)


def test_test_questions_are_judged_by_the_network_that_has_not_learnt_them(refitted: Path) -> None:
    calibrate_version(refitted, mostly_right("valid", wrong=3))
    verdict = judge_version(refitted, mostly_right("test", wrong=22))[EVERYTHING]
    assert (verdict.accepted, verdict.errors) == (100, 22)


def test_newer_labels_judge_the_network_that_is_served(refitted: Path) -> None:
    calibrate_version(refitted, mostly_right("valid", wrong=3))
    newer = [asked(number, "hello", "general_chat", "train") for number in range(100)]
    assert judge_version(refitted, newer)[EVERYTHING].accepted == 0
    write_network(refitted / "model.onnx", WEIGHTS)
    assert judge_version(refitted, newer)[EVERYTHING].accepted == 100


def test_a_model_whose_labels_changed_keeps_its_thresholds(version: Path) -> None:
    examples = mostly_right("valid")
    (version / SEEN).write_text(json.dumps([mark(one) for one in examples]))
    kept = calibrate_version(version, examples)
    assert calibrate_version(version, [*mostly_right("valid", wrong=50), asked(500, "why", "complex")]) == kept


@pytest.mark.parametrize(
    ("question", "length"),
    [
        ("", "up to 10"),
        (" 什么是二叉树? ", "up to 10"),
        ("x" * 11, "up to 20"),
        ("x" * 50, "up to 50"),
        ("x" * 51, "longer"),
    ],
)
def test_lengths_are_in_characters(question: str, length: str) -> None:
    assert length_of(question) == length


def test_a_length_without_a_cut_of_its_own_has_that_of_all() -> None:
    thresholds = IntentThresholds(0.7, by_length={"up to 10": 0.9})
    assert (thresholds.alpha_for("hi"), thresholds.alpha_for("x" * 30)) == (0.9, 0.7)


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"alpha": "high", "promised": true, "temperature": 1, "by_length": {}}'],
    ids=["empty", "a list", "without keys", "words"],
)
def test_a_damaged_file_is_explained(version: Path, content: str) -> None:
    assert read_thresholds(thresholds_path(version)) is None
    with pytest.raises(ModelMissing, match="Materialize `intent_thresholds`"):
        read_calibration(version)
    thresholds_path(version).parent.mkdir()
    thresholds_path(version).write_text(content)
    with pytest.raises(ModelBroken, match="Materialize `intent_thresholds`"):
        read_thresholds(thresholds_path(version))
    with pytest.raises(ModelBroken, match="Materialize `intent_thresholds`"):
        read_calibration(version)
