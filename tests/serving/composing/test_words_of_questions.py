"""The words that Chinese questions are made of are left out, and never a part of a word."""

import pytest

from serving.assistant.composing.terms import strike_words_of_questions


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("会计利润和经济利润有什么不同", ["会计利润", "经济利润"]),
        ("生产要素是什么", ["生产要素"]),
        ("什么是信息不对称", ["信息不对称"]),
        ("怎么做到利润最大化", ["到利润最大化"]),
        ("所有权是什么意思", ["所有权"]),
        ("犯罪构成要件有哪些", ["犯罪构成要件"]),
        ("动能和先验概率", ["动能", "先验概率"]),
        ("函数的定义域是什么", ["函数", "定义域"]),
        ("什么时候更新啊", ["更新"]),
        ("每周几更新", ["更新"]),
    ],
)
def test_a_word_that_only_contains_a_word_of_questions_stays_whole(question: str, left: list[str]) -> None:
    assert strike_words_of_questions(question).split() == left


@pytest.mark.parametrize(
    "question", ["这个是什么？", "你能介绍一下吗", "为什么要学它", "哪一位想要知道", "有关的用处是什么"]
)
def test_words_of_questions_are_struck(question: str) -> None:
    assert not [char for char in strike_words_of_questions(question) if char not in " ？一位"]


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("最小的树", ["小", "树"]),
        ("更快的树", ["快", "树"]),
        ("现在把书放在哪里", ["现", "书放"]),
    ],
)
def test_degrees_times_and_what_leads_on_behind_a_verb_are_no_part_of_a_word(question: str, left: list[str]) -> None:
    assert strike_words_of_questions(question).split() == left
