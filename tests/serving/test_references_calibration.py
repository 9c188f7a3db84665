"""The cut of references: labels that survive a rebuild, weights that never see their answer, figures that are right."""

import json
from pathlib import Path

import course_rows as rows
import numpy as np
import pytest

from knowledge_graph.lake.records import Locator
from serving.assistant.references import Calibration, read_calibration
from serving.assistant.references.calibration import CalibrationBroken, CutMeasures, Point, Scorer, write_calibration
from serving.assistant.references.fitting import (
    ScoredPairs,
    choose,
    cross_validate,
    curve,
    find_labelled_pairs,
    fit_scorer,
    measure,
)
from serving.assistant.references.labelled import LabelledAnswer, LabelsBroken, is_place, place_of, read_labelled
from serving.assistant.references.scorers import LabelledCourse, calibrate_references
from serving.index.build import build_index
from serving.index.schema import Entry
from serving.index.search import SearchIndex

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "courses"


def entry(locator: Locator | None, title: str = "Syllabus — Late days") -> Entry:
    return Entry("p", "passage", "document", "ds", "en", title, "text", locator=locator)


@pytest.mark.parametrize(
    ("locator", "place"),
    [
        (Locator(video_id="05 - Stacks", start_ms=192_400), "05 - Stacks@03:12"),
        (Locator(document="documents/rules.pdf", article="5.1.1", page=3), "documents/rules.pdf#5.1.1"),
        (Locator(document="documents/syllabus.md"), "documents/syllabus.md#Late days"),
        (Locator(url="https://example.org/a"), "https://example.org/a"),
        (None, "p"),
    ],
)
def test_a_place_has_a_name_that_does_not_change_with_the_build(locator: Locator | None, place: str) -> None:
    assert place_of(entry(locator)) == place
    assert is_place(place, entry(locator))


def test_a_passage_of_a_video_may_begin_some_seconds_earlier_or_later() -> None:
    found = entry(Locator(video_id="v@1", start_ms=3_600_000))
    assert is_place("v@1@1:00:08", found)
    assert not is_place("v@1@1:00:11", found)
    assert not is_place("other@1:00:00", found)


def labels(folder: Path, *lines: str) -> Path:
    (folder / "gold").mkdir()
    (folder / "gold" / "references.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_labels_are_read_and_what_nobody_looked_at_has_none(tmp_path: Path) -> None:
    line = json.dumps({"question": "q", "answer": "a", "relevant": ["v@00:10"], "irrelevant": ["d#1"]})
    (one,) = read_labelled(labels(tmp_path, line, ""))
    assert one.label(entry(Locator(video_id="v", start_ms=10_000))) is True
    assert one.label(entry(Locator(document="d", article="1"))) is False
    assert one.label(entry(Locator(document="d", article="2"))) is None


def test_a_course_without_labels_has_none(tmp_path: Path) -> None:
    assert read_labelled(tmp_path) == ()


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"question": "q", "answer": "a", "relevant": []}',
        '{"question": "", "answer": "a", "relevant": [], "irrelevant": []}',
        '{"question": "q", "answer": "a", "relevant": ["v@soon"], "irrelevant": []}',
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    good = '{"question": "q", "answer": "a", "relevant": [], "irrelevant": []}'
    with pytest.raises(LabelsBroken, match=r"references\.jsonl:2: expected"):
        read_labelled(labels(tmp_path, good, line))


@pytest.mark.parametrize(("course", "answers", "pairs"), [("data-structures", 60, 300), ("shujujiegou", 20, 100)])
def test_the_samples_have_labels_enough(course: str, answers: int, pairs: int) -> None:
    found = read_labelled(EXAMPLES / course)
    assert len(found) >= answers
    assert len({one.question for one in found}) == len(found)
    assert sum(len(one.relevant) + len(one.irrelevant) for one in found) >= pairs
    assert all(not set(one.relevant) & set(one.irrelevant) for one in found)


def test_without_a_cut_everything_is_found_and_the_precision_is_the_base_rate() -> None:
    """Course Hero's Figure 4 begins there (R104)."""
    points = curve(np.array([0.1, 0.4, 0.6, 0.0]), np.array([False, True, True, False]))
    assert (points[0].recall, points[0].precision, points[0].accepted) == (1.0, 0.5, 4)
    assert [(one.precision, one.recall) for one in points if one.cut == 0.5] == [(1.0, 0.5)]
    assert (points[-1].precision, points[-1].accepted) == (1.0, 0)


def test_the_cut_accepts_most_at_the_target() -> None:
    scores = np.array([0.95, 0.85, 0.75, 0.65, 0.55])
    relevant = np.array([True, True, False, True, False])
    assert choose(scores, relevant, 0.75) == 0.55
    assert choose(scores, relevant, 1.0) == 0.75
    assert choose(scores, np.array([False, True, True, True, True]), 0.99) == 0.0


def test_no_score_comes_from_weights_that_saw_the_same_answer() -> None:
    """Each answer has its own signal; only weights fitted on it could know that."""
    signals = np.eye(12).repeat(2, axis=0)
    relevant = np.array([True, False, False, True] * 6)
    answers = np.arange(12).repeat(2)
    assert np.ptp(cross_validate(signals, relevant, answers).scores) < 0.5
    assert sorted(np.unique(cross_validate(signals, relevant, answers).folds)) == list(range(10))


def test_the_figures_of_a_cut_are_those_of_a_count_by_hand() -> None:
    scored = ScoredPairs(
        np.array([0.9, 0.8, 0.7, 0.2]), np.array([True, True, False, True]), np.arange(4), np.array([0, 0, 1, 1])
    )
    found = measure(scored, 0.5, target=0.6)
    assert (found.accepted, found.precision, found.recall) == (3, 0.6667, 0.6667)
    assert found.reaches_target


def test_the_bound_is_of_decisions_whose_pairs_did_not_choose_the_cut() -> None:
    """Scores that know nothing, of pairs of which 7 in 10 are relevant: the best looking cut promises no more."""
    source = np.random.default_rng(5)
    folds, broken = np.arange(120) % 10, 0
    for _ in range(200):
        scored = ScoredPairs(source.random(120), source.random(120) < 0.7, np.arange(120), folds)
        found = measure(scored, choose(scored.scores, scored.relevant, 0.86), target=0.86)
        broken += found.precision_bound > 0.7
    assert broken <= 0.15 * 200  # promised is one in ten; the pairs that chose the cut would break it far more often


@pytest.fixture(scope="module")
def plates(tmp_path_factory: pytest.TempPathFactory) -> SearchIndex:
    """24 passages, each of its own thing, so that the answer about a thing is supported by one of them."""
    things = [f"{chr(97 + number)}thing" for number in range(24)]
    passages = [
        rows.passage(
            f"p{place}",
            "Things",
            f"the {thing} is what we speak of in this passage, and of nothing but the {thing}",
            {**rows.NOWHERE, "video_id": "v", "start_ms": place * 60_000},
        )
        for place, thing in enumerate(things)
    ]
    folder = tmp_path_factory.mktemp("plates")
    build_index(rows.tables(folder, passages=passages), folder / "index")
    return SearchIndex.open(folder / "index")


def about(place: int) -> LabelledAnswer:
    places = {number: f"v@{number:02}:00" for number in range(24)}
    thing = f"{chr(97 + place)}thing"
    return LabelledAnswer(
        question=f"What is the {thing}?",
        answer=f"The {thing} is what we speak of in the passage of the {thing}.",
        relevant=(places.pop(place),),
        irrelevant=tuple(places.values()),
    )


def test_a_scorer_is_found_from_labels_and_kept(plates: SearchIndex, tmp_path: Path) -> None:
    course = LabelledCourse("ds", "en", tuple(about(place) for place in range(24)))
    found = calibrate_references([course], plates, semantics=None)
    (scorer,) = found.calibration.scorers
    assert scorer.measured is not None
    assert (scorer.measured.precision, scorer.measured.recall, scorer.measured.answers) == (1.0, 1.0, 24)
    write_calibration(tmp_path, found.calibration)
    assert read_calibration(tmp_path) == found.calibration
    assert read_calibration(tmp_path).scorer("en", "any model") == scorer


def test_a_few_labels_give_no_scorer_and_are_told(plates: SearchIndex) -> None:
    course = LabelledCourse("ds", "en", tuple(about(place) for place in range(19)))
    found = calibrate_references([course], plates, semantics=None)
    assert (found.calibration.scorers, found.too_few) == ((), ("en",))


def test_answers_of_two_courses_stay_apart(plates: SearchIndex) -> None:
    first = find_labelled_pairs([about(0)], plates, course_id="ds")
    second = find_labelled_pairs([about(1)], plates, course_id="ds", first=1)
    assert {pair.answer for pair in [*first, *second]} == {0, 1}
    assert fit_scorer(first, lang="en", embedder=None) is None


def test_a_home_without_a_calibration_uses_that_of_the_samples(tmp_path: Path) -> None:
    found = read_calibration(tmp_path)
    assert found == Calibration()
    assert {found.scorer(lang).lang for lang in ("en", "zh")} == {"en", "zh"}
    assert all(0 < found.scorer(lang, "some model").cut < 1 for lang in ("en", "zh"))


def test_a_damaged_calibration_is_told_with_its_remedy(tmp_path: Path) -> None:
    (tmp_path / "calibration.json").write_text('{"scorers": [{"lang": "en"}]}', encoding="utf-8")
    with pytest.raises(CalibrationBroken, match="Materialize `reference_cut`"):
        read_calibration(tmp_path)


def test_a_stored_curve_is_read_again(tmp_path: Path) -> None:
    point = Point(0.5, 0.9, 0.7, 10)
    figures = CutMeasures(20, 100, 20, 10, 0.9, 0.7, 0.87, 0.9, 0.8, 0.88, 0.7, 0.86, (point,))
    calibration = Calibration((Scorer("en", "model", -1.0, {"cosine": 2.0}, 0.5, figures),))
    write_calibration(tmp_path, calibration)
    assert read_calibration(tmp_path) == calibration
