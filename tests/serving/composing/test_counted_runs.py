"""What a lecture counts off is read from its first item to its last."""

import pytest

from serving.assistant.composing.counted_runs import announces_run, begin_of_run, end_of_run, number_of_item

STEPS = (
    "Let's bake it by steps.",
    "We have two eggs.",
    "Step one, weigh the flour.",
    "It should be dry.",
    "Step two, beat the eggs.",
    "Step three, stir.",
    "The dough is soft.",
    "Now the oven.",
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Step two, beat the eggs.", 2),
        ("And step 3, stir.", 3),
        ("Third, the oven.", 3),
        ("The second part is the crust.", 2),
        ("Two, beat the eggs.", 2),
        ("Two eggs are enough.", None),
        ("First I should say that this is not the best way.", None),
        ("第二步，打鸡蛋。", 2),
        ("第三，放进烤箱。", 3),
        ("首先，称面粉。", 1),
        ("其次，打鸡蛋。", 2),
        ("第二天他回来了。", None),
        ("第一次世界大战。", None),
    ],
)
def test_what_begins_an_item_tells_which_one_it_is(text: str, number: int | None) -> None:
    assert number_of_item(text) == number


@pytest.mark.parametrize(
    ("text", "announces"),
    [
        ("There are three parts, and you can draw them.", True),
        ("Let's do it by steps.", True),
        ("面包的做法分为三步。", True),
        ("It took three steps ago.", False),
        ("There are three of us.", False),
    ],
)
def test_what_says_how_many_follow_announces_a_run(text: str, announces: bool) -> None:
    assert announces_run(text) is announces


@pytest.mark.parametrize(("start", "begin"), [(4, 0), (3, 0), (6, 0), (5, 0), (7, 7), (1, 1)])
def test_a_run_is_begun_with_what_announces_it(start: int, begin: int) -> None:
    assert begin_of_run(STEPS, start) == begin


@pytest.mark.parametrize(
    ("said", "start", "begin"),
    [
        (("要看两个条件。", "第一，要有不法侵害。", "第二，要正在进行。"), 2, 1),
        (("There are two.", "First, an offer is made.", "Second, it is accepted."), 2, 1),
        (("第一，要有不法侵害。", "防卫的人很多。", "这样的人要受罚。"), 2, 2),
        (("要看两个条件。", "一个是侵害。", "第二，要正在进行。"), 2, 2),
        (("It has three parts.", "The largest part is rest.", "The heart beats.", "The second part is food."), 2, 0),
    ],
)
def test_what_is_listed_begins_with_the_first(said: tuple[str, ...], start: int, begin: int) -> None:
    assert begin_of_run(said, start) == begin


def test_a_run_is_read_to_its_last_item() -> None:
    assert end_of_run(STEPS, 1, 3) == 6
    assert end_of_run(STEPS, 0, 1) == 6
    assert end_of_run(STEPS, 6, 7) == 7
    assert end_of_run(("第一步，称面粉。", "要干的。", "第二步，打鸡蛋。", "好了。"), 0, 1) == 3
