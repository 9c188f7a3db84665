"""Which questions are declined, and which are not however strange they look."""

import time

import pytest

from serving.assistant.understanding.chat import is_small_talk
from serving.assistant.understanding.form import question_form
from serving.assistant.understanding.refusals import Refusal, find_refusal


def refusal(question: str, *, names_concept: bool = False, previous: str = "") -> Refusal | None:
    form = question_form(question, previous=previous)
    return find_refusal(question, form=form, names_concept=names_concept, previous=previous)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which of the following does not occur during Sprint execution?", "missing_options"),
        (
            "Which of the following is not a common reason management might seek assistance from OBM specialists?",
            "missing_options",
        ),
        ("下列哪一项是线性结构？", "missing_options"),
        ("What is the", "incomplete"),
        ("how to", "incomplete"),
        ("Why?", "incomplete"),
        ("the difference between a heap and", "incomplete"),
        ("What is the difference between a heap?", "incomplete"),
        ("What is the time complexity of", "incomplete"),
        ("What does the following code print?", "incomplete"),
        ("什么是", "incomplete"),
        ("为什么？", "incomplete"),
        ("下面代码的输出是什么？", "incomplete"),
        ("", "incomplete"),
        ("？", "incomplete"),
        ("42", "incomplete"),
        ("A. a stack\nB. a queue\nC. a tree", "incomplete"),
        ("asdfgh", "nonsense"),
        ("asdkjhaskdjh", "nonsense"),
        ("sdkfjh skdjfh sdkjf", "nonsense"),
        ("jkl;jkl;jkl;", "nonsense"),
        ("aaaaaaaaaa", "nonsense"),
        ("的的的的的", "nonsense"),
        ("!!!???,,,", "nonsense"),
        ("@#$%^&*()", "nonsense"),
        ("What is the weather in Paris tomorrow?", "not_academic"),
        ("How do I find a girlfriend?", "not_academic"),
        ("Where can I sell my used car?", "not_academic"),
        ("Which stocks should I buy?", "not_academic"),
        ("今天天气怎么样？", "not_academic"),
        ("怎么追女生", "not_academic"),
        ("哪里买二手手机？", "not_academic"),
        ("怎么找对象？", "not_academic"),
        ("想找个对象", "not_academic"),
        ("怎么找个女朋友", "not_academic"),
        ("明天会不会下雨？", "not_academic"),
        ("what does the following query return", "incomplete"),
    ],
)
def test_what_cannot_be_answered_is_declined_with_its_reason(question: str, expected: Refusal) -> None:
    assert refusal(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        *(
            "hi",
            "hello",
            "lol",
            "haha",
            "hahahaha",
            "ok",
            "hmm",
            ":)",
            "👍",
            "哈哈哈哈",
            "呵呵",
            "嗯嗯",
            "666",
            "谢谢老师",
        ),
        *("mkdir", "strncpy", "fprintf", "nginx", "kubectl", "HTTPS", "qsort", "lstm", "xgboost", "BFS", "C++", "B树"),
        *("2+2=?", "x^2+2x=0", "11=11", "α", "What is bitwise and", "logical or", "前缀和", "求和"),
        *("What is a list made of", "How can weather be predicted with Markov chains?", "Is weather data stationary?"),
        *(
            "What is the selling price of each ball?",
            "What is the price of a European option?",
            "天气预报用什么模型？",
        ),
        *("What does the following code print?\nprint(1)", "What does the following code print: print(x)"),
        *("A car is sold for 1500. How much did it cost?", "Nice weather", "你有女朋友吗", "Do you have a girlfriend?"),
        *("Java 里怎么交换两个对象？", "怎么找对象的属性", "如何介绍对象的概念", "如何做菜谱推荐系统？"),
        *("How is the weather data set used in decision trees?", "How does stable matching find a wife for each man?"),
        *(
            "怎么用马尔可夫链预测明天会不会下雨？",
            "∑",
            "λ",
            "what does the following query return SELECT name FROM users",
        ),
        "What does the below expression evaluate to if x is 5 and y is 3 and z is 2?",
        *("ما هي المكدس؟", "Что такое стек?", "スタックとは何ですか"),
    ],
)
def test_chat_and_real_questions_are_not_declined(question: str) -> None:
    assert refusal(question) is None


def test_what_names_a_concept_or_the_course_is_neither_nonsense_nor_off_topic() -> None:
    assert refusal("zxcvqwrt", names_concept=True) is None
    assert refusal("What is the weather in Paris tomorrow?", names_concept=True) is None
    assert refusal("Where can I buy cheap tickets for the course?") is None


def test_a_fragment_after_another_turn_is_let_through() -> None:
    assert refusal("Why?", previous="A queue is first in, first out.") is None
    assert refusal("2", previous="Which of these is it: 1 or 2?") is None


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "lol!!",
        "OK, great",
        "哈哈，好的",
        "T_T",
        "😂😂",
        "I am so stressed",
        "压力好大",
        "我要崩溃了",
        "崩溃了",
    ],
)
def test_small_talk_is_told_by_its_wording(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text", ["", "  ", "ok what is a stack", "hashing", "heap", "哈希", "x=1", "好的排序算法", "程序崩溃怎么办"]
)
def test_what_says_more_is_no_small_talk(text: str) -> None:
    assert not is_small_talk(text)


@pytest.mark.parametrize("unit", ["asdf ", "?", " ", "haha", "the ", "\x00", "\u202eابجد ", "😂", "weather "])
def test_a_hundred_thousand_characters_are_judged_in_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    started = time.perf_counter()
    refusal(text)
    is_small_talk(text)
    assert time.perf_counter() - started < 1.5
