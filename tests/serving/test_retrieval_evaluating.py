"""Measures of rankings worked by hand, and sets of questions read from files."""

import math
from pathlib import Path

import pytest

from serving.assistant.retrieval.comparison import markdown_table
from serving.assistant.retrieval.evaluating import (
    JudgedQuestion,
    bucket,
    hit_at_1,
    measure,
    ndcg,
    quantile,
    recall_at_5,
    reciprocal_rank,
)
from serving.assistant.retrieval.question_sets import QuestionSetUnusable, read_question_set

SECOND = JudgedQuestion("What is a stack?", ["x", "a", "y"], {"a"}, 4.0)
BOTH = JudgedQuestion("heap", ["a", "x", "b"], {"a", "b"}, 2.0)
NONE = JudgedQuestion("heap?", ["x"], {"a"}, 6.0)


def test_each_measure_is_what_its_definition_says() -> None:
    assert [hit_at_1(each) for each in (SECOND, BOTH, NONE)] == [0.0, 1.0, 0.0]
    assert [recall_at_5(each) for each in (SECOND, BOTH, NONE)] == [1.0, 1.0, 0.0]
    assert [reciprocal_rank(each) for each in (SECOND, BOTH, NONE)] == [0.5, 1.0, 0.0]
    assert ndcg(SECOND) == pytest.approx(1 / math.log2(3))
    assert ndcg(BOTH) == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3)))
    assert ndcg(NONE) == 0.0


def test_nothing_after_the_tenth_counts_and_recall_ends_at_the_fifth() -> None:
    late = JudgedQuestion("q", [*"bcdefghijk", "a"], {"a"})
    assert reciprocal_rank(late) == ndcg(late) == 0.0
    assert recall_at_5(JudgedQuestion("q", [*"bcdef", "a"], {"a"})) == 0.0
    assert recall_at_5(JudgedQuestion("q", [*"abcde"], set("abcdefgh"))) == 1.0


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("1234567890", "1-10"),
        (" 1234567890 ", "1-10"),
        ("12345678901", "11-20"),
        ("x" * 20, "11-20"),
        ("x" * 50, "21-50"),
        ("x" * 51, "51+"),
        ("栈和队列", "1-10"),
    ],
)
def test_questions_are_kept_apart_by_their_characters(question: str, expected: str) -> None:
    assert bucket(question) == expected


def test_means_and_times_are_by_bucket_and_empty_buckets_are_left_out() -> None:
    figures = measure([SECOND, BOTH, NONE])
    assert sorted(figures) == ["1-10", "11-20", "all"]
    assert figures["all"]["hit_at_1"] == pytest.approx(1 / 3)
    assert figures["all"]["mrr_at_10"] == pytest.approx(0.5)
    assert (figures["all"]["p50_ms"], figures["all"]["p95_ms"]) == (4.0, 6.0)
    assert figures["1-10"]["questions"] == 2


def test_quantiles_are_by_nearest_rank() -> None:
    hundred = [float(number) for number in range(1, 101)]
    assert (quantile(hundred, 0.5), quantile(hundred, 0.95), quantile([7.0], 0.95)) == (50.0, 95.0, 7.0)


def test_a_question_without_gold_cannot_be_judged() -> None:
    with pytest.raises(ValueError, match="heap"):
        measure([JudgedQuestion("heap", [], set())])


def test_the_table_has_a_row_for_each_strategy_and_bucket() -> None:
    table = markdown_table({"hybrid": measure([BOTH])}).splitlines()
    assert table[0] == (
        "| strategy | characters | questions | hit_at_1 | recall_at_5 | mrr_at_10 | ndcg_at_10 | p50_ms | p95_ms |"
    )
    assert table[2] == "| hybrid | all | 1 | 1.000 | 1.000 | 1.000 | 0.920 | 2.0 | 2.0 |"
    assert len(table) == 4


def test_a_set_of_questions_is_read_with_the_course_of_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"question": "stack?", "gold": ["en:stack"]}\n\n{"question": "q", "gold": "f", "course": "c"}\n')
    first, second = read_question_set(path, course_id="ds")
    assert (first.course_id, first.gold) == ("ds", frozenset({"en:stack"}))
    assert (second.course_id, second.gold) == ("c", frozenset({"f"}))


@pytest.mark.parametrize("line", ["no json", "[]", '{"question": "q"}', '{"question": " ", "gold": ["a"]}',
                                  '{"question": "q", "gold": []}', '{"question": "q", "gold": [1]}'])  # fmt: skip
def test_a_line_of_another_form_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(f'{{"question": "q", "gold": ["a"]}}\n{line}\n')
    with pytest.raises(QuestionSetUnusable, match=r"questions\.jsonl:2"):
        read_question_set(path)


def test_a_set_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(QuestionSetUnusable, match="nowhere"):
        read_question_set(tmp_path / "nowhere.jsonl")
