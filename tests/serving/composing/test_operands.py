"""What is to be worked out, and what something else is worked out by."""

import pytest
from asked_rows import asking, spoken

from serving.assistant.composing import explain
from serving.assistant.composing.announcements import ANNOUNCES_STEPS
from serving.assistant.composing.operands import is_operand, is_result
from serving.assistant.composing.terms import QuestionUnit, terms_of
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows

ASKED = "how do I calculate the mean height"


@pytest.mark.parametrize(
    ("asked", "text", "of_another"),
    [
        (ASKED, "You take the value, minus the mean height, divided by two.", True),
        (ASKED, "The mean height is the sum of all divided by their number.", False),
        (ASKED, "The score is the value minus the mean height, and the mean height is a sum.", False),
        ("how is the mean height computed", "Divide it by two, times the mean height.", True),
        ("what is the mean height", "You take the value minus the mean height.", False),
        ("怎么计算平均高度", "用数值减去平均高度。", True),
        ("平均高度怎么算", "平均高度等于总和除以个数。", False),
    ],
)
def test_what_stands_behind_an_operation_is_an_operand(asked: str, text: str, *, of_another: bool) -> None:
    assert is_operand(asked, text) is of_another


@pytest.mark.parametrize(
    ("asked", "text", "is_had"),
    [
        (ASKED, "The mean height is the sum of all divided by their number.", True),
        (ASKED, "The mean height is easy.", False),
        (ASKED, "The score is the value minus the mean height.", False),
        ("平均高度怎么算", "平均高度等于总和除以个数。", True),
    ],
)
def test_what_is_had_by_an_operation_is_the_result(asked: str, text: str, *, is_had: bool) -> None:
    assert is_result(asked, text) is is_had


@pytest.mark.parametrize(
    "text", ["Let's do it by steps, with small numbers.", "So let's compute it.", "我们一步一步来算。"]
)
def test_a_lecturer_announces_that_it_is_worked_out(text: str) -> None:
    assert ANNOUNCES_STEPS.search(text) is not None


def test_what_is_worked_out_begins_where_it_is_named_before_that_is_announced() -> None:
    height = QuestionUnit("mean height", (terms_of("mean height"),), 1.0, "en:mean height")
    piece = spoken(
        ("You take the value, minus the mean height, divided by the spread.", 0.8),
        ("Now comes the mean height.", 0.4),
        ("Let's do it by steps.", 0.3),
        ("Step one, add four and six and eight.", 0.3),
        ("Step two, divide by three.", 0.3),
    )
    (first,) = best_windows([piece], [height], kind="calculation", asked=ASKED)
    assert first.lines[0].text == "Now comes the mean height."


def test_a_window_is_worth_less_that_has_it_only_as_an_operand() -> None:
    height = QuestionUnit("mean height", (terms_of("mean height"),), 1.0, "en:mean height")
    piece = spoken(("You take the value, minus the mean height, divided by the spread.", 0.5))
    (asked,) = best_windows([piece], [height], kind="calculation", asked=ASKED)
    (named,) = best_windows([piece], [height], kind="calculation", asked="is there a mean height")
    assert asked.score < named.score


def test_where_it_is_worked_out_is_shown_before_what_scores_more(monkeypatch: pytest.MonkeyPatch) -> None:
    more, worked = (
        Window(spoken((text, 0.5)), 0, 1, 0, score, 1.0, 1.0, True, True, is_announced=is_announced)
        for text, score, is_announced in (("A mean height.", 10.0, False), ("A mean. Let's do it.", 9.0, True))
    )
    monkeypatch.setattr(explain, "_windows", lambda *_: [more, worked])
    monkeypatch.setattr(explain, "names_longer", lambda *_: False)
    request = asking(ASKED, kind="calculation", pieces=(more.piece,))
    assert explain.find_windows(request, most=1)[0] is worked
    request = asking(ASKED, kind="why", pieces=(more.piece,))
    assert explain.find_windows(request, most=1)[0] is more
