"""Chinese names that were typed with another character of the same sound."""

import pytest

from serving.assistant.understanding.chinese_spelling import correct_by_sound, names_by_sound

NAMES = names_by_sound(["哈希表", "二叉搜索树", "队列", "链表", "指针", "B树", "栈", "机器码"])


def put_right(question: str, *, said: tuple[str, ...] = ()) -> str:
    found = correct_by_sound(question, NAMES, says=said.__contains__)
    return question if found is None else found.text


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("有了哈系表为什么还要二叉搜索树", "有了哈希表为什么还要二叉搜索树"),
        ("什么是对列", "什么是队列"),
        ("二叉搜锁树怎么删除结点", "二叉搜索树怎么删除结点"),
        ("连表和对列的区别", "链表和队列的区别"),
    ],
)
def test_a_name_of_the_same_sound_is_meant(typed: str, meant: str) -> None:
    assert put_right(typed) == meant


def test_what_is_put_right_is_named() -> None:
    found = correct_by_sound("哈系表和对列", NAMES, says=lambda typed: False)
    assert found is not None
    assert found.words == ("哈希表", "队列")


@pytest.mark.parametrize(
    "question",
    [
        "这样不对列表怎么写",
        "哈希表怎么用",
        "指真",
        "这条链吗表",
        "栈是机器吗",
        "站和栈有什么区别",
        "what is a hash table",
        "",
    ],
)
def test_what_only_sounds_alike_across_words_or_is_right_stays(question: str) -> None:
    expected = "指针" if question == "指真" else question
    assert put_right(question) == expected


def test_what_the_course_or_the_dictionary_has_as_it_was_typed_stays() -> None:
    assert put_right("什么是对列", said=("对列",)) == "什么是对列"
    assert correct_by_sound("他只真诚", names_by_sound(["只争"]), says=lambda typed: False) is None
    assert correct_by_sound("公式怎么推", names_by_sound(["公示"]), says=lambda typed: False) is None


@pytest.mark.parametrize("question", ["这个实验是谁做的", "最有名的实验是哪个", "结点有子树吗", "有子树的结点"])
def test_a_word_that_stands_alone_is_no_other_of_its_sound(question: str) -> None:
    names = names_by_sound(["实验室", "右子树"])
    assert correct_by_sound(question, names, says=lambda typed: False) is None


def test_half_a_character_beside_a_name_stops_nothing() -> None:
    assert put_right("\ud800对列\x00") == "\ud800队列\x00"


def test_a_long_message_is_not_looked_through() -> None:
    assert put_right("不对列表" * 1000) == "不对列表" * 1000
    assert put_right("对列" + "。" * 198) == "队列" + "。" * 198
    assert put_right("对列" + "。" * 199) == "对列" + "。" * 199
