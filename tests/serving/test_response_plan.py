"""The plan of what is rated: 1,000 responses of a system in 20 courses, each by two raters."""

from collections import Counter

import pytest

from serving.evaluation.ratings.response_plan import PlanRefused, Size, plan_responses

QUERIES = {f"c{course:02d}": [f"question {n} of {course}" for n in range(25)] for course in range(24)}
RATERS = ["ann", "bo", "cy"]


def test_the_papers_plan_has_1000_responses_400_of_them_to_shared_queries() -> None:
    plan = plan_responses(QUERIES, RATERS, seed=1)
    assert (len(plan), sum(one.query is not None for one in plan)) == (1000, 400)
    assert Counter(one.course_id for one in plan) == dict.fromkeys({one.course_id for one in plan}, 50)
    assert len({one.course_id for one in plan}) == 20
    assert [one.number for one in plan] == list(range(1, 1001))


def test_every_response_has_two_different_raters_and_work_is_even() -> None:
    plan = plan_responses(QUERIES, RATERS, seed=1)
    assert all(len(set(one.raters)) == 2 for one in plan)
    shared = Counter(rater for one in plan if one.query is not None for rater in one.raters)
    assert max(shared.values()) - min(shared.values()) <= 20


def test_a_volunteers_conversation_has_the_same_raters_throughout() -> None:
    plan = plan_responses(QUERIES, RATERS, seed=1)
    assert len({one.raters for one in plan if one.query is None and one.course_id == plan[0].course_id}) == 1


def test_the_same_seed_is_the_same_plan_in_whatever_order_things_are_given() -> None:
    plan = plan_responses(QUERIES, RATERS, seed=1)
    turned = {course: QUERIES[course][::-1] for course in reversed(QUERIES)}
    assert plan_responses(turned, RATERS[::-1], seed=1) == plan
    assert plan_responses(QUERIES, RATERS, seed=2) != plan


def test_too_few_courses_or_raters_are_refused() -> None:
    with pytest.raises(PlanRefused, match="Expected 30 courses with 20 different queries each; found 24 of 24"):
        plan_responses(QUERIES, RATERS, seed=1, size=Size(courses=30))
    with pytest.raises(PlanRefused, match=r"at least 2 raters.*found ann"):
        plan_responses(QUERIES, ["ann", "ann"], seed=1)
    with pytest.raises(PlanRefused, match="found 0 of 1"):
        plan_responses({"c": ["the same"] * 40}, RATERS, seed=1)
