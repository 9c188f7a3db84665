"""Right answers made wrong in one place: what is changed, and that it is the same each time."""

from serving.evaluation.corruptions import corruptions, denied, recounted, reworded, swapped, turned

NAMES = ("stack", "queue", "heap", "栈", "队列")


def test_two_names_are_exchanged() -> None:
    assert swapped("A stack is last in, a queue is first in.", NAMES) == "A queue is last in, a stack is first in."


def test_one_name_becomes_another_of_the_course_in_its_language() -> None:
    assert swapped("队列先进先出。", NAMES) == "栈先进先出。"
    assert swapped("Nothing is named here.", NAMES) is None


def test_a_comparison_is_turned() -> None:
    assert turned("It is faster than a list.") == "It is slower than a list."
    assert turned("在队尾插入。") == "在队头插入。"
    assert turned("It is so.") is None


def test_a_denial_is_put_in_or_taken_away() -> None:
    assert denied("Merge sort is stable.") == "Merge sort is not stable."
    assert denied("It does not need memory.") == "It does need memory."
    assert denied("归并排序是稳定的。") == "归并排序不是稳定的。"


def test_a_number_or_order_of_growth_becomes_another() -> None:
    assert recounted("The midterm counts 15%.") == "The midterm counts 18%."
    assert recounted("A lookup takes O(1).") not in (None, "A lookup takes O(1).")


def test_every_answer_is_corrupted_the_same_way_each_time() -> None:
    said = "A stack removes the item that was inserted last and takes 5 steps."
    assert list(corruptions(said, NAMES)) == list(corruptions(said, NAMES))
    assert [one.kind for one in corruptions(said, NAMES)] == ["subject", "comparative", "negation", "number"]


def test_other_words_say_the_same() -> None:
    assert (
        reworded("You cannot use it often, because it needs two.")
        == "You can not employ it frequently, since it requires 2."
    )
