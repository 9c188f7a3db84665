"""Right answers made wrong in one place: what is changed, and that it is the same each time."""

from serving.evaluation.corruptions import change_number, corruptions, reword, swap_names, turn_denial, turn_round

NAMES = ("stack", "queue", "heap", "栈", "队列")


def test_two_names_are_exchanged() -> None:
    assert swap_names("A stack is last in, a queue is first in.", NAMES) == "A queue is last in, a stack is first in."


def test_one_name_becomes_another_of_the_course_in_its_language() -> None:
    assert swap_names("队列先进先出。", NAMES) == "栈先进先出。"
    assert swap_names("Nothing is named here.", NAMES) is None


def test_a_comparison_is_turned() -> None:
    assert turn_round("It is faster than a list.") == "It is slower than a list."
    assert turn_round("在队尾插入。") == "在队头插入。"
    assert turn_round("It is so.") is None


def test_a_denial_is_put_in_or_taken_away() -> None:
    assert turn_denial("Merge sort is stable.") == "Merge sort is not stable."
    assert turn_denial("It does not need memory.") == "It does need memory."
    assert turn_denial("归并排序是稳定的。") == "归并排序不是稳定的。"


def test_a_number_or_order_of_growth_becomes_another() -> None:
    assert change_number("The midterm counts 15%.") == "The midterm counts 18%."
    assert change_number("A lookup takes O(1).") not in (None, "A lookup takes O(1).")


def test_every_answer_is_corrupted_the_same_way_each_time() -> None:
    said = "A stack removes the item that was inserted last and takes 5 steps."
    assert list(corruptions(said, NAMES)) == list(corruptions(said, NAMES))
    assert [one.kind for one in corruptions(said, NAMES)] == ["subject", "comparative", "negation", "number"]


def test_other_words_say_the_same() -> None:
    assert (
        reword("You cannot use it often, because it needs two.")
        == "You can not employ it frequently, since it requires 2."
    )
