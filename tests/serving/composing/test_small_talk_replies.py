"""Small talk is known by its wording, and a question about the course is never taken for it."""

from types import SimpleNamespace
from typing import cast

import pytest

from knowledge_graph.lake.records import CourseCard
from serving.assistant.composing.request import Request
from serving.assistant.composing.small_talk import compose_small_talk, occasion_of


@pytest.mark.parametrize(
    ("text", "occasion"),
    [
        ("thx a lot, that helped", "thanks"),
        ("ok great thanks, bye", "bye"),
        ("alright that makes sense now", "ack"),
        ("hey there, quick question", "greeting"),
        ("hello anyone there?", "greeting"),
        ("you're the best", "thanks"),
        ("老师好呀", "greeting"),
        ("好的收到", "ack"),
        ("哦哦原来如此，谢谢老师", "thanks"),
        ("拜拜，下次再问", "bye"),
        ("see the heap", None),
        ("ok great, what is a heap", None),
        ("thanks for nothing at all, where is the lecture on heaps", None),
        ("makes sense only for trees", None),
        ("好的，堆是什么", None),
        ("right child", None),
    ],
)
def test_a_message_that_is_courtesies_from_end_to_end_is_small_talk(text: str, occasion: str | None) -> None:
    assert occasion_of(text) == occasion


@pytest.mark.parametrize(
    ("text", "occasion"),
    [
        ("hi", "greeting"),
        ("Hello there!", "greeting"),
        ("你好", "greeting"),
        ("thanks a lot", "thanks"),
        ("谢谢老师", "thanks"),
        ("who are you?", "identity"),
        ("are you a real person", "identity"),
        ("who am I talking to? are you Daniel?", "identity"),
        ("are you Andrew Ng?", "identity"),
        ("be honest, is there a human typing these answers?", "identity"),
        ("你是真人吗", "identity"),
        ("bye", "bye"),
        ("how are you?", "how_are_you"),
        ("I'm so stupid, I will never understand backpropagation", "frustrated"),
        ("我学不会，想放弃了", "frustrated"),
        ("you are useless", "insult"),
        ("ok", "ack"),
        ("nvm", "ack"),
        ("are you spying on me?", "privacy"),
        ("can my teacher see what I ask you?", "privacy"),
        ("do you store my questions?", "privacy"),
        ("老师能看到我问什么吗", "privacy"),
        ("are you sure?", "trust"),
        ("that's wrong", "trust"),
        ("你确定吗", "trust"),
        ("do you speak Chinese?", "languages"),
        ("你会说英语吗", "languages"),
        ("I need help", "help"),
        ("what can I ask?", "help"),
    ],
)
def test_the_occasion_is_known(text: str, occasion: str) -> None:
    assert occasion_of(text) == occasion


@pytest.mark.parametrize(
    "text",
    [
        "am i allowed to use chatgpt",
        "When is the exam?",
        "What is a stack?",
        "high bias",
        "can I see my grade?",
        "does the professor record the lectures?",
        "which language is used in the assignments?",
        "help me with recursion",
        "are you sure that quicksort is stable?",
        "my internet went down during the exam!!",
        "Hi, when is homework 3 due?",
        "我总分84，够得上优秀不",
        "Thanks. What is a queue?",
    ],
)
def test_a_question_is_no_small_talk(text: str) -> None:
    assert occasion_of(text) is None


def test_who_is_in_distress_is_told_whom_the_course_names() -> None:
    card = CourseCard("ds", "数据结构", "zh", support="心理支持中心，电话 0000-555-02")
    asked = SimpleNamespace(
        question="最近压力特别大，想找个人聊聊，有电话吗",
        spoken="zh",
        card=card,
        units=(),
        material=SimpleNamespace(lectures=None),
    )
    told = compose_small_talk(cast(Request, asked), is_sad=True).statements[-1]
    assert told.text == "想找人聊聊，可以联系：心理支持中心，电话 0000-555-02"
    assert told.evidence is not None
