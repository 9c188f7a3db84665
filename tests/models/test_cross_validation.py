"""Systems are asked what they have not learnt, and the rule takes the simplest that is not shown to be worse."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny_intent import INTENT, Trained, labelled

from models.albert import Encoder, resolve_encoder
from models.intent.labels.categories import CATEGORIES, Floats
from models.intent.labels.examples import IntentExample
from models.intent.labels.question_text import question_key
from models.intent.release.system_choice import choose, groups_of
from models.intent.settings import IntentSettings
from models.intent.training.baselines import Majority, QuestionScorer
from models.intent.training.cross_validation import cross_validate, keep_in, parts, repeat_rounds
from models.intent.training.systems import (
    EMBEDDINGS,
    LINEAR,
    MAJORITY,
    SERVED,
    STACKED,
    find_served,
    systems,
    with_stacked,
)
from models.progress import OnProgress


def asked(text: str, session: str = "", category: str = "simple") -> IntentExample:
    return IntentExample(f"{session}-{text}", text, "", "", session, category, "en")  # type: ignore[arg-type]


def many(number: int = 400) -> list[IntentExample]:
    """Sessions of up to three questions, some texts asked in several."""
    return [asked(f"question {n % 150}", f"session {n // 3}", CATEGORIES[n % 3]) for n in range(number)]


def test_every_question_is_asked_once_by_what_learnt_neither_its_session_nor_its_text() -> None:
    examples = many()
    dealt = parts(examples, seed=3)
    assert sorted(place for part in dealt for place in part.asked) == list(range(len(examples)))
    for part in dealt:
        sessions = {examples[place].session_id for place in part.asked}
        texts = {question_key(examples[place].question) for place in part.asked}
        assert not any(examples[place].session_id in sessions for place in part.known)
        assert not any(question_key(examples[place].question) in texts for place in part.known)


def test_an_added_label_moves_no_other_question_to_another_part() -> None:
    examples = many()
    before = parts(examples, seed=3)
    after = parts([*examples, asked("a new one", "new session")], seed=3)
    assert [part.asked for part in before] == [tuple(p for p in part.asked if p < len(examples)) for part in after]


def test_too_few_questions_for_as_many_parts_are_refused() -> None:
    with pytest.raises(ValueError, match="too few to be dealt into 5 parts"):
        parts([asked("what", "one")], seed=1)


class Parrot:
    """Knows the texts it was taught, and says `other` to every other one."""

    def __init__(self, train: Sequence[IntentExample]) -> None:
        self._known = {one.question for one in train}

    def predict_proba(self, examples: Sequence[IntentExample]) -> Floats:
        found = np.zeros((len(examples), len(CATEGORIES)))
        for row, one in enumerate(examples):
            found[row, 0 if one.question in self._known else -1] = 1.0
        return found


def test_what_only_learns_by_heart_is_found_out() -> None:
    examples = many()
    said = cross_validate(examples, {"parrot": lambda train, _: Parrot(train)}, seed=3)["parrot"]
    assert np.all(said[:, -1] == 1.0)


def test_what_was_said_before_is_not_asked_again_until_something_differs(tmp_path: Path) -> None:
    examples, taught = many(), list[int]()

    def fit(train: Sequence[IntentExample], _: OnProgress) -> QuestionScorer:
        taught.append(len(train))
        return Majority(train)

    def ask(settings: IntentSettings, *, embedder: str | None = None, reuse: bool = True) -> Floats:
        folder = tmp_path / "kept"
        kept = keep_in(folder, examples, encoder=None, embedder=embedder, settings=settings, seed=3, reuse=reuse)
        return cross_validate(examples, {"one": fit}, seed=3, kept=kept)["one"]

    first = ask(IntentSettings())
    assert np.array_equal(ask(IntentSettings()), first)
    assert len(taught) == 5
    ask(IntentSettings(epochs=3))
    assert len(taught) == 10
    ask(IntentSettings(), reuse=False)
    assert len(taught) == 15
    ask(IntentSettings(), embedder="another")
    assert len(taught) == 20


def answers(examples: Sequence[IntentExample], right: float, seed: int) -> Floats:
    """Of a system that is right so often."""
    source = np.random.default_rng(seed)
    found = np.full((len(examples), len(CATEGORIES)), 0.02)
    for row, one in enumerate(examples):
        number = CATEGORIES.index(one.category)
        found[row, number if source.random() < right else (number + 1) % 3] = 0.9
    return found


def test_the_simplest_is_chosen_of_those_that_are_not_shown_to_be_worse() -> None:
    examples = many()
    simple = answers(examples, 0.8, 2)
    wrong = [n for n, one in enumerate(examples) if CATEGORIES[int(simple[n].argmax())] != one.category]
    hardly_better = simple.copy()
    hardly_better[wrong[:3]] = answers([examples[n] for n in wrong[:3]], 1.0, 3)
    said = {"poor": answers(examples, 0.4, 1), "simple": simple, "complex": hardly_better}
    found = choose(examples, said)
    assert (found.best, found.chosen) == ("complex", "simple")
    assert next(one for one in found.standings if one.system == "poor").is_worse


def test_what_is_clearly_better_is_chosen_however_complex_it_is() -> None:
    examples = many()
    found = choose(examples, {"simple": answers(examples, 0.5, 2), "complex": answers(examples, 0.9, 3)})
    assert (found.best, found.chosen) == ("complex", "complex")
    (simple, best) = found.standings
    assert simple.behind is not None
    assert simple.behind.macro_f1.value == pytest.approx(best.metrics.macro_f1 - simple.metrics.macro_f1)
    assert best.behind is None


def test_what_cannot_be_served_is_shown_and_not_chosen() -> None:
    examples = many()
    said = {"simple": answers(examples, 0.9, 2), "complex": answers(examples, 0.6, 3)}
    found = choose(examples, said, servable=["complex"])
    assert found.chosen == "complex"
    assert [one.system for one in found.standings] == ["simple", "complex"]
    assert choose(examples, said, servable=[]).chosen is None


def test_sessions_are_drawn_whole_and_questions_without_one_by_their_text() -> None:
    examples = [asked("a", "s"), asked("b", "s"), asked("c"), asked("C!")]
    assert groups_of(examples).tolist() == [0, 0, 1, 1]


def test_repeated_rows_of_a_session_make_no_difference_surer() -> None:
    few = [asked(f"question {n}", f"session {n}", CATEGORIES[n % 3]) for n in range(60)]
    said = {"one": answers(few, 0.6, 2), "other": answers(few, 0.7, 3)}
    alone = choose(few, said)
    copied = [replace(one, question=f"{one.question} {copy}") for copy in range(20) for one in few]
    often = choose(copied, {name: np.tile(one, (20, 1)) for name, one in said.items()})
    assert often.standings[0].p == pytest.approx(alone.standings[0].p, abs=0.02)


def test_rounds_even_out_luck_and_count_a_question_once() -> None:
    few = [asked(f"question {n}", f"session {n}", CATEGORIES[n % 3]) for n in range(60)]
    lucky = {"one": answers(few, 1.0, 2), "other": answers(few, 0.7, 3)}
    unlucky = {"one": answers(few, 0.4, 4), "other": answers(few, 0.7, 5)}
    rounds = repeat_rounds(few, 2, lambda number: (lucky, unlucky)[number])
    assert len(rounds[0]) == 120
    first = choose(few, lucky)
    found = choose(*rounds)
    assert (first.standings[1].p < 0.01, found.standings[1].p > 0.05) == (True, True)
    same = choose(*repeat_rounds(few, 20, lambda _: unlucky))
    assert same.standings[0].p == pytest.approx(choose(few, unlucky).standings[0].p, abs=0.02)


def test_the_settings_that_serve_a_system_serve_it() -> None:
    for name, own in SERVED.items():
        assert find_served(replace(IntentSettings(), **own)) == name
    assert find_served(IntentSettings(bag_share=0.3)) is None


def test_every_system_learns_and_says_probabilities(trained: Trained) -> None:
    examples = [replace(one, previous="hello there") for one in labelled()]
    made = systems(
        examples,
        encoder=resolve_encoder(None, data_dir=trained.data_dir),
        settings=replace(INTENT, epochs=1),
        embedder=None,
    )
    assert list(made) == [MAJORITY, LINEAR, *(name for name in SERVED if name not in STACKED)]
    for name, fit in made.items():
        said = fit(examples, lambda _: None).predict_proba(examples[:7])
        assert said.shape == (7, len(CATEGORIES)), name
        assert said.sum(axis=1) == pytest.approx(np.ones(7)), name


def test_a_stack_says_the_mean_of_both_where_there_is_a_vector_and_can_be_served() -> None:
    first, second = np.eye(6)[:2], np.eye(6)[1:3]
    examples = [asked("what is a heap"), asked("什么是堆")]
    found = with_stacked(examples, {EMBEDDINGS: second, "bag": second, "ALBERT and bag": first}, languages=("en",))
    assert list(found) == [EMBEDDINGS, "bag", "ALBERT and bag", "ALBERT and bag, with sentence embeddings"]
    mean = found["ALBERT and bag, with sentence embeddings"]
    assert mean.tolist() == [((first + second) / 2)[0].tolist(), first[1].tolist()]
    assert list(with_stacked(examples, {"bag": first, "ALBERT and bag": first})) == ["bag", "ALBERT and bag"]
    assert set(STACKED) < set(SERVED)


def test_what_nothing_can_be_read_for_is_left_out() -> None:
    encoder = Encoder("nowhere", "path", "nowhere")
    made = systems(many(), encoder=encoder, settings=INTENT, embedder=None)
    assert list(made) == [MAJORITY, LINEAR, "bag", "ALBERT", "ALBERT and bag"]
