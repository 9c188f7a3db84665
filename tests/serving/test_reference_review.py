"""Reviews of references: the collapse of seven ways, counts that add up, subjects in both orders, and the curve."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from knowledge_graph.sources.bounded_report import BoundedTold
from models.tracking.references import CurveRecord, draw_curves
from serving.assistant.references.calibration import CutMeasures, Point, Scorer
from serving.evaluation.figures import draw
from serving.evaluation.ratings.reference_review import (
    PUBLISHED,
    CountsBroken,
    ReferenceReview,
    ReviewCounts,
    by_subject,
    count,
    own_reviews,
    read_reviews,
    verdict_of,
)
from serving.evaluation.ratings.reference_tables import in_order, paint_subjects, review_table, subject_table
from serving.evaluation.ratings.reference_threshold import CurveBroken, check_curve, loosest, point_at, threshold_table
from serving.evaluation.tables import markdown
from serving.feedback.rating_forms import RELEVANCE

HEADER = "question,subject,passage,rating,reviewer"


def reviews(subject: str, *, relevant: int, irrelevant: int, ignored: int = 0) -> list[ReferenceReview]:
    values = ["exact"] * relevant + ["subject"] * irrelevant + ["dont_know"] * ignored
    return [ReferenceReview(subject, value, "an expert") for value in values]


def read(folder: Path, *rows: str, header: str = HEADER) -> tuple[list[ReferenceReview], list[str]]:
    (folder / "gold").mkdir(parents=True)
    (folder / "gold" / "reference_reviews.csv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    told = BoundedTold()
    found = read_reviews(folder, told)
    return found, [str(problem) for problem in told.problems]


def test_seven_ways_collapse_as_in_the_paper() -> None:
    assert [verdict_of(choice.value) for choice in RELEVANCE.choices] == [
        "irrelevant",
        "irrelevant",
        "irrelevant",
        "relevant",
        "relevant",
        "relevant",
        "ignored",
    ]
    with pytest.raises(ValueError, match="no value 'good'"):
        verdict_of("good")


def test_the_published_counts_give_the_published_shares_and_one_it_does_not_print() -> None:
    assert PUBLISHED.relevant + PUBLISHED.irrelevant + PUBLISHED.ignored == 1960
    shares = [PUBLISHED.of_rated(verdict).value for verdict in ("relevant", "irrelevant", "ignored")]
    assert [f"{share:.1%}" for share in shares] == ["70.3%", "22.1%", "7.6%"]
    assert f"{PUBLISHED.of_judged('relevant').value:.1%}" == "76.1%"


def test_counts_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(CountsBroken, match=r"the 1961 rated ones; found 1378 \+ 433 \+ 149"):
        ReviewCounts(rated=1961, relevant=1378, irrelevant=433, ignored=149)


def test_a_table_made_of_the_published_counts_is_the_published_table() -> None:
    listed = reviews("any", relevant=1378, irrelevant=433, ignored=149)
    assert count(listed) == PUBLISHED
    metrics = review_table(listed).metrics()
    assert f"{metrics['relevant/of_rated']:.3f}" == "0.703"
    assert f"{metrics['relevant/of_judged']:.3f}" == "0.761"
    assert metrics["ways/exact"] == 1378


def test_without_reviews_the_table_says_what_to_do() -> None:
    assert "gold/reference_reviews.csv" in markdown(review_table([]))


def test_ratings_are_read_by_value_by_english_and_by_chinese_words(tmp_path: Path) -> None:
    found, problems = read(
        tmp_path / "heaps",
        "q,Math,p1,Explains the exact answer,x",
        "q,数学,p2,仅学科相符,x",
        "q,mathematics,p3,dont_know,x",
    )
    assert [(review.subject, review.value) for review in found] == [
        ("mathematics", "exact"),
        ("mathematics", "subject"),
        ("mathematics", "dont_know"),
    ]
    assert not problems


def test_unknown_ratings_and_repeated_reviews_are_named_and_left_out(tmp_path: Path) -> None:
    found, problems = read(tmp_path / "heaps", "q,s,p,3,x", "q,s,p,exact,x", "q,s,p,similar,x", "q,s,p,exact,y")
    assert [review.value for review in found] == ["exact", "exact"]
    assert problems[0].startswith("heaps/gold/reference_reviews.csv:2: Expected one of incomprehensible,")
    assert "found 3." in problems[0]
    assert problems[1].startswith("heaps/gold/reference_reviews.csv:4: The same reviewer rates this passage")


def test_a_missing_column_leaves_the_file_out(tmp_path: Path) -> None:
    found, problems = read(tmp_path / "heaps", "q,s,p,x", header="question,subject,passage,reviewer")
    assert not found
    assert "rating missing" in problems[0]


def test_a_quote_that_is_never_closed_is_told_and_leaves_the_file_out(tmp_path: Path) -> None:
    (tmp_path / "gold").mkdir()
    row = f'q,cs,"{"x" * 200_000},exact,a'
    (tmp_path / "gold" / "reference_reviews.csv").write_text(f"question,subject,passage,rating,reviewer\n{row}\n")
    told = BoundedTold()
    assert read_reviews(tmp_path, told) == []
    assert [problem.file for problem in told.problems] == [f"{tmp_path.name}/gold/reference_reviews.csv"]


def test_short_rows_and_folders_without_the_file_are_no_crash(tmp_path: Path) -> None:
    found, problems = read(tmp_path / "heaps", "q,s")
    assert not found
    assert "an empty cell" in problems[0]
    assert read_reviews(tmp_path, BoundedTold()) == []


def test_reviews_of_the_store_have_the_subject_of_their_course() -> None:
    turns = [{"trace_id": "t", "course_id": "heaps"}]
    rated = {"trace_id": "t", "rater": "x", "form": "relevance", "item": "1", "value": "exact"}
    other = {**rated, "form": "aspects", "item": "coherence", "value": "2"}
    unknown = {**rated, "trace_id": "gone"}
    found = own_reviews([rated, other, unknown], turns, {"heaps": "Computer Science"})
    assert found == [ReferenceReview("computer science", "exact", "x"), ReferenceReview("", "exact", "x")]


def test_subjects_with_fewer_than_20_reviews_are_hidden_and_those_who_did_not_know_do_not_count() -> None:
    listed = [
        *reviews("biology", relevant=18, irrelevant=2),
        *reviews("finance", relevant=8, irrelevant=12),
        *reviews("law", relevant=19, irrelevant=0, ignored=5),
        *reviews("", relevant=50, irrelevant=0),
    ]
    counts, hidden = by_subject(listed)
    assert (list(counts), hidden) == (["biology", "finance"], 1)


def test_both_orders_are_shown_and_drawn() -> None:
    listed = [*reviews("finance", relevant=8, irrelevant=12), *reviews("biology", relevant=18, irrelevant=2)]
    counts, hidden = by_subject(listed)
    assert in_order(counts, "relevant") == ["biology", "finance"]
    assert in_order(counts, "irrelevant") == ["finance", "biology"]
    table = subject_table(counts, hidden)
    assert table.metrics()["finance/irrelevant"] == 0.6
    assert [row[1] for row in table.rows[:4]] == ["biology", "finance", "finance", "biology"]
    assert draw(partial(paint_subjects, counts=counts)).startswith(b"\x89PNG")


def test_subjects_that_differ_by_a_sign_have_metrics_of_their_own() -> None:
    listed = [review for name in ("c", "c++", "c#") for review in reviews(name, relevant=20, irrelevant=0)]
    assert "c++" in markdown(subject_table(*by_subject(listed)))


CURVE = (Point(-1.0, 0.4, 1.0, 10), Point(0.0, 0.4, 1.0, 10), Point(0.5, 0.8, 1.0, 5), Point(0.7, 1.0, 0.5, 2))
MEASURED = CutMeasures(
    answers=5,
    pairs=10,
    relevant=4,
    accepted=5,
    precision=0.8,
    recall=1.0,
    target=0.8,
    confidence=0.9,
    precision_bound=0.5,
    nested_precision=0.75,
    nested_recall=0.9,
    average_precision=0.9,
    curve=CURVE,
)
SCORER = Scorer("en", None, 0.0, {}, 0.5, MEASURED)


def test_at_threshold_0_recall_is_1_and_precision_the_base_rate() -> None:
    check_curve(MEASURED)
    metrics = threshold_table([SCORER]).metrics()
    assert (metrics["en_words/all.recall"], metrics["en_words/all.precision"]) == (1, 0.4)
    with pytest.raises(CurveBroken, match=r"expected all 10 pairs, recall 1 and precision 0\.3000; found 10"):
        check_curve(replace(MEASURED, relevant=3))


def test_a_curve_that_shows_more_at_a_higher_threshold_is_refused() -> None:
    with pytest.raises(CurveBroken, match="never shows more"):
        check_curve(replace(MEASURED, curve=(*CURVE, Point(0.9, 0.5, 0.5, 4))))


def test_the_published_threshold_and_the_published_precision_are_looked_up_on_our_curve() -> None:
    assert point_at(CURVE, 0.65) == CURVE[2]
    assert point_at(CURVE, 0.7) == CURVE[3]
    assert loosest(CURVE, 0.84) == CURVE[3]
    assert loosest(CURVE, 1.01) is None
    metrics = threshold_table([SCORER]).metrics()
    assert metrics["en_words/published_cut.precision"] == 0.8
    assert metrics["en_words/published_precision.recall"] == 0.5
    assert metrics["en_words/chosen.cut"] == 0.5


def test_without_a_measured_scorer_only_the_published_point_is_shown() -> None:
    table = threshold_table([replace(SCORER, measured=None)])
    assert len(table.rows) == 1
    assert "gold/references.jsonl" in markdown(table)


def test_the_curve_is_drawn_with_the_published_point() -> None:
    figure = draw_curves([CurveRecord("en", [(1.0, 0.4), (0.5, 1.0)], (1.0, 0.8))])
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["en", "Course Hero: 0.84 at 0.69"]
