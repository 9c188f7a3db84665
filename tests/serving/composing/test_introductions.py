"""What something is, is told with the sentence in which a lecture introduces it, not with any that names it."""

from test_summaries import lecture

from serving.assistant.composing.introduction import introduction
from serving.assistant.composing.lectures import CourseLectures


def told(said: dict[str, list[str]], *names: str, titled: tuple[str, ...] = ()) -> str:
    lectures = CourseLectures(tuple(lecture(index, *one) for index, one in enumerate(said.items())))
    return " ".join(one.text for one in introduction(names, lectures, titled=titled))


def test_the_sentence_that_says_what_it_is_wins_over_one_that_uses_the_word() -> None:
    said = [
        "Recall is very useful in practice for us.",
        "We compute recall again in the next exercise.",
        "Recall is the number of true positives divided by the number of actual positives.",
    ]
    assert told({"1 - 1 - Metrics": said}, "recall").startswith("Recall is the number")


def test_a_name_that_is_given_introduces_it() -> None:
    said = ["Some trees stay low.", "A group of such latches is called a register.", "A register is fast."]
    assert told({"1 - 1 - Memory": said}, "register").startswith("A group of such latches")


def test_the_lecture_named_after_it_is_believed_first() -> None:
    said = {
        "1 - 1 - Overview": ["The heap is a tree that we will meet much later in this course."],
        "2 - 1 - Heaps": ["A heap is a tree in which no child is larger than its parent."],
    }
    assert "no child is larger" in told(said, "heap", titled=("2 - 1 - Heaps",))


def test_a_denial_introduces_nothing() -> None:
    assert told({"1 - 1 - Heaps": ["A heap is not sorted."]}, "heap") == ""


def test_a_longer_chinese_name_is_another_thing() -> None:
    said = ["这叫内存保护。", "内存是一种断电以后就会丢失数据的存储器。"]
    assert told({"1 - 1 - 内存": said}, "内存").startswith("内存是一种")


def test_without_lectures_nothing_is_introduced() -> None:
    assert introduction(["heap"], CourseLectures()) == ()
