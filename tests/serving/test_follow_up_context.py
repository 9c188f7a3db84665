"""Short messages that lean on the turn before in wordings of their own are looked for with what it was about."""

import pytest
from follow_up_rows import algorithms

from serving.assistant.understanding.follow_up_context import lean_on, own_part
from serving.assistant.understanding.follow_ups import focus_of
from serving.llm.messages import Message


def after(previous: str, question: str) -> str | None:
    graph = algorithms()
    found = lean_on(question, focus=focus_of([Message("user", previous)], graph=graph), graph=graph)
    return None if found is None else found.question


@pytest.mark.parametrize(
    ("previous", "question", "becomes"),
    [
        ("What is a stack?", "where is that explained?", "where is that explained (stack)"),
        (
            "why did the stack in Oslo overflow",
            "what about the paper one?",
            "what about the paper one (why did the stack in Oslo overflow)",
        ),
        (
            "why does a stack grow so fast",
            "what's that called?",
            "what's that called (why does a stack grow so fast)",
        ),
        (
            "What is binary search?",
            "what if the array is not sorted?",
            "what if the array is not sorted (binary search)",
        ),
        (
            "how do i insert a key into a 2-3 queue",
            "ok but what if that one is full already?",
            "ok but what if that one is full already (how do i insert a key into a 2-3 queue)",
        ),
        ("What is a stack?", "why not just a queue?", "why not just a queue (stack)"),
        ("When is assignment 2 due?", "and assignment 3?", "and assignment 3 (When is assignment 2 due)"),
        (
            "How does deleting from a stack with two ends work?",
            "does that keep the binary search working?",
            "does that keep the binary search working (How does deleting from a stack with two ends work)",
        ),
        (
            "why do we shuffle before merge sort?",
            "and what if I don't?",
            "and what if I don't (why do we shuffle before merge sort)",
        ),
        (
            "Why is Ada Lovelace considered so important?",
            "and what about Babbage?",
            "Why is Babbage considered so important",
        ),
        (
            "why did the stack overflow?",
            "which year was that?",
            "which year was that (why did the stack overflow)",
        ),
        (
            "why was Ada Lovelace sent away?",
            "and what about his brother?",
            "why was the brother of Ada Lovelace sent away",
        ),
        ("why was a stack used", "what about her sister?", "why was the sister of a stack used"),
        ("为什么归并排序被弃用", "那他的父亲呢", "为什么归并排序的父亲被弃用"),
        (
            "how many ships did Nelson have after the battle of the queue",
            "how many did he keep?",
            "how many ships did Nelson keep (queue)",
        ),
        ("how many coins are in a stack", "and how many does it lose?", "and how many coins does it lose (stack)"),
        ("What is merge sort?", "tell me more", "What is merge sort"),
        ("How do I register?", "can you put it more simply", "How do I register"),
        (
            "why does a stack overflow when recursion goes deep",
            "So what do I do instead?",
            "So what do I do instead (why does a stack overflow when recursion goes deep)",
        ),
        ("what is gradient descent", "how big should alpha be", "how big should alpha be (gradient descent)"),
        (
            "the training error is high, does overfitting explain it",
            "would it help to collect more data",
            "would it help to collect more data (the training error is high, does overfitting explain it)",
        ),
        (
            "my model fits the training set and not the test set, what should i try",
            "would getting more data help?",
            "would getting more data help (my model fits the training set and not the test set, what should i try)",
        ),
        ("递归的时候内存不够", "加一台机器有用吗", "加一台机器有用吗 (递归的时候内存不够)"),
        (
            "whats the diff between cuckoo hashing and hopscotch hashing",
            "which one should i pick if memory is tight?",
            "which one should i pick if memory is tight (cuckoo hashing vs hopscotch hashing)",
        ),
        ("杜鹃散列和跳房子散列有什么区别", "那哪个更省内存", "那哪个更省内存 (杜鹃散列 和 跳房子散列)"),
        ("What is a stack?", "which lecture is that in", "which lecture is that in (stack)"),
        ("What is a stack?", "which lecture was that", "which lecture was that (stack)"),
        ("is a stack fair", "give me an example from the video", "give me an example from the video (stack)"),
        (
            "when does COMP 1200 meet in spring 2027",
            "how many seats are left in section 2",
            "how many seats are left in section 2 (COMP 1200 spring 2027)",
        ),
    ],
)
def test_it_is_looked_for_with_what_was_asked_before(previous: str, question: str, becomes: str) -> None:
    assert after(previous, question) == becomes


@pytest.mark.parametrize(
    ("previous", "question"),
    [
        ("What is a stack?", "What is a trie?"),
        ("What is a stack?", "when is the exam?"),
        ("What is a stack?", "and when is the exam?"),
        ("What is a stack?", "thanks!"),
        ("What is a stack?", "A. it B. that C. this"),
        ("What is a stack?", "how does quick sort choose its pivot in the worst of all possible cases"),
        ("", "and the other one?"),
        ("什么是栈", "那 API 又是什么"),
        ("没学过编程能选这门课吗", "那数学要学到什么程度"),
        ("堆栈和队列有什么区别", "那链表呢，比数组好在哪"),
    ],
)
def test_a_question_of_its_own_stays(previous: str, question: str) -> None:
    assert after(previous, question) is None


def test_what_an_answer_names_never_comes_before_the_two_things_that_were_compared() -> None:
    graph, history = algorithms(), list[Message]()
    for asked, answered in (
        ("whats the diff between cuckoo hashing and hopscotch", "Cuckoo moves keys, as a linked list does."),
        ("which one should i pick if memory is tight?", "A linked list needs more, and a stack less."),
    ):
        history += [Message("user", asked), Message("assistant", answered)]
    focus = focus_of(history, graph=graph)
    assert focus.current is None
    leant = lean_on("and how do i delete a key there?", focus=focus, graph=graph)
    assert leant is not None
    assert leant.question == "and how do i delete a key there (cuckoo hashing vs hopscotch)"
    assert leant.context == "cuckoo hashing vs hopscotch"


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("and when does it shrink (why do we double it (the array))", "and when does it shrink"),
        ("那怎么避免 (栈溢出)？", "那怎么避免"),
        ("what is f(x) here?", "what is f(x) here?"),
        ("(stack)", "(stack)"),
    ],
)
def test_the_own_part_of_a_question_is_without_what_it_leans_on(question: str, own: str) -> None:
    assert own_part(question) == own


def test_a_subject_is_kept_by_a_question_that_points_at_it_and_names_none() -> None:
    graph = algorithms()
    said = [Message("user", "What is a stack?"), Message("user", "why not just solve it directly")]
    assert focus_of(said, graph=graph).topics == focus_of(said[:1], graph=graph).topics
    alone = [*said[:1], Message("user", "What is a trie?")]
    assert focus_of(alone, graph=graph).topics == ()
