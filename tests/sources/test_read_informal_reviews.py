"""What students say of classes, as a table or as JSON lines; what cannot be used is told by its line."""

from pathlib import Path

import pytest

from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import CourseCard, InformalReview
from knowledge_graph.sources.folders import CourseFolder
from knowledge_graph.sources.informal_reviews import read_informal_reviews

CARD = CourseCard("cs", "Catalogue", "en")


def read(folder: Path, name: str, text: str) -> tuple[tuple[InformalReview, ...], tuple[Problem, ...]]:
    (folder / name).write_text(text, encoding="utf-8")
    return read_informal_reviews(CourseFolder("cs", folder), CARD)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("informal_reviews.csv", "class,review,date\nCOMP  1200,Easy if you start early.,2025-12\n"),
        ("informal_reviews.csv", "课程;评价;日期\nCOMP 1200;Easy if you start early.;2025-12\n"),
        (
            "informal_reviews.jsonl",
            '{"code": "COMP 1200", "text": "Easy if you start early.", "written_at": "2025-12"}\n',
        ),
    ],
)
def test_each_form_gives_the_same_review(tmp_path: Path, name: str, text: str) -> None:
    (review,), problems = read(tmp_path, name, text)
    assert (review.about, review.text, review.written_at) == ("COMP 1200", "Easy if you start early.", "2025-12")
    assert (review.course_id, review.lang, problems) == ("cs", "en", ())


def test_the_same_words_count_once_and_an_id_depends_on_nothing_else(tmp_path: Path) -> None:
    once, _ = read(tmp_path, "informal_reviews.csv", "class,review\nCOMP 1200,Easy.\n")
    again, _ = read(tmp_path, "informal_reviews.csv", "class,review\nARTS 1,Fun.\nCOMP 1200,Easy.\ncomp 1200,Easy.\n")
    assert [one.about for one in again] == ["ARTS 1", "COMP 1200"]
    assert again[1].review_id == once[0].review_id


def test_what_cannot_be_used_is_told_by_its_line_and_the_rest_is_kept(tmp_path: Path) -> None:
    reviews, problems = read(
        tmp_path, "informal_reviews.csv", f"class,review\n,lost\nCOMP 1,\nCOMP 2,{'x' * 200_000}\nCOMP 3,Good.\n"
    )
    assert [one.about for one in reviews] == ["COMP 3"]
    assert [problem.line for problem in problems] == [2, 3, 4]
    assert "without its class" in problems[0].message
    assert "without its text" in problems[1].message


def test_a_course_without_reviews_has_none(tmp_path: Path) -> None:
    assert read_informal_reviews(CourseFolder("cs", tmp_path), CARD) == ((), ())
