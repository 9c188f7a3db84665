"""The shape of turns counted by hand, and how far two shapes are apart."""

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.evaluation.release.traffic_shape import (
    LETTERS,
    POSITIONS,
    PUBLISHED,
    Profile,
    TrafficTurn,
    distance,
    farthest,
    length_at,
    points_back,
    profile_of,
)
from serving.index.analysis import normalize_question

TURNS = [
    TrafficTurn("stack", "a", 0, "en", "frq"),
    TrafficTurn("What is its height?", "a", 1, "en", "frq"),
    TrafficTurn("Stack ", "b", 0, "en", "frq"),
    TrafficTurn("Which of these? a) 1 b) 2", "c", 0, "en", "mcq"),
]


def test_every_part_of_the_shape_is_what_is_counted() -> None:
    found = profile_of(TURNS)
    assert found.lengths["en"] == (5, 5, 5, 19, 25, 25)
    assert (found.question_marks, found.repeats) == (0.5, 0.25)
    assert (found.single, found.turns) == (pytest.approx(2 / 3), pytest.approx(4 / 3))
    assert (found.points_back, found.fragments, found.multiple_choice) == (0.25, 0.5, 0.25)
    assert (found.count, dict(found.counts)) == (4, {"en": 4})


def test_no_turns_have_no_shape() -> None:
    with pytest.raises(ValueError, match="Without turns"):
        profile_of([])


def test_a_question_is_repeated_whatever_its_case_and_marks() -> None:
    assert normalize_question(" What is  a Stack? ") == normalize_question("what is a stack")
    assert normalize_question("什么是栈？") == normalize_question("什么是栈")
    assert normalize_question("what is a stack") != normalize_question("what is a queue")


def test_only_a_pronoun_that_leans_on_something_points_back() -> None:
    assert points_back("what is its height?", "en")
    assert points_back("它的复杂度是多少", "zh")
    assert not points_back("is it ok to share my code", "en")
    assert not points_back("what is a stack", "en")


def test_a_language_with_a_handful_of_turns_takes_the_lengths_of_the_other() -> None:
    many = [TrafficTurn("一" * 7, str(number), 0, "zh") for number in range(40)]
    found = profile_of([*many, TrafficTurn("x" * 90, "x", 0, "en")])
    assert set(found.lengths) == {"zh"}
    assert found.lengths_in("en") == (7.0 * LETTERS,) * len(POSITIONS)


def test_the_published_shape_is_that_of_the_requirements() -> None:
    assert PUBLISHED.lengths["zh"][POSITIONS.index(0.5)] == 7
    assert (PUBLISHED.question_marks, PUBLISHED.repeats, PUBLISHED.turns) == (0.293, 0.266, 2.06)


def test_the_distance_names_the_part_that_is_off() -> None:
    wanted = Profile(lengths={"en": (5, 5, 5, 19, 25, 25)}, question_marks=0.5, repeats=0.25, single=2 / 3, turns=4 / 3)
    assert farthest(distance(wanted, TURNS)) == pytest.approx(0)
    unasked = distance(Profile(wanted.lengths, 0.9, 0.25, 2 / 3, 4 / 3), TURNS)
    assert unasked["question_marks"] == farthest(unasked) == pytest.approx(0.4)
    long = distance(Profile({"en": (50,) * 6}, 0.5, 0.25, 2 / 3, 4 / 3), TURNS)
    assert long["lengths_en"] == pytest.approx(0.9)  # a tenth should be at most 50 long; all are


def test_lengths_between_the_quantiles_lie_on_a_line() -> None:
    points = PUBLISHED.lengths["zh"]
    assert [length_at(points, share) for share in POSITIONS] == [3, 4, 7, 9, 14, 50]
    assert (length_at(points, 0.0), length_at(points, 0.625), length_at(points, 1.0)) == (1, 8, 60)


@given(
    st.lists(
        st.builds(
            TrafficTurn,
            st.text(min_size=1, max_size=60).filter(lambda text: bool(text.strip())),
            st.sampled_from("abcdef"),
            st.just(0),
            st.sampled_from(("en", "zh")),
        ),
        min_size=1,
    )
)
def test_distances_are_bounded_and_a_shape_is_near_itself(turns: list[TrafficTurn]) -> None:
    parts = distance(PUBLISHED, turns)
    assert all(0 <= value <= 1 for value in parts.values())
    own = distance(profile_of(turns), turns)
    known = [
        value for name, value in own.items() if name.removeprefix("lengths_") in (*profile_of(turns).lengths, name)
    ]
    assert fmean(known) == pytest.approx(0)
