"""The kind of a question and the aspects it asks for, by wording."""

import re

import pytest
from question_rows import ABOUT_WORK, KINDS

from knowledge_graph.graph.records import Mention
from serving.assistant.composing.composers import COMPOSERS
from serving.assistant.composing.course_kinds import is_bare_name, is_named_by, kind_of
from serving.assistant.composing.cues import WHICH_VALUE
from serving.assistant.composing.terms import phrases
from serving.assistant.understanding.aspects import ASPECTS, find_aspects
from serving.assistant.understanding.question_kind import KINDS as ALL_KINDS
from serving.assistant.understanding.question_kind import question_kind


@pytest.mark.parametrize(("question", "kind"), KINDS)
def test_a_question_is_of_the_kind_that_its_wording_says(question: str, kind: str) -> None:
    assert question_kind(question) == kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("what is big o notation", "definition"),
        ("tilde notation?", "definition"),
        ("什么是大O记号", "definition"),
        ("what is the big o of binary search", "aspect"),
        ("is it ok to discuss exercises with classmates", "logistics"),
        ("what background do I need?", "logistics"),
        ("what do i need to know before backpropagation", "before"),
        ("what do i need for backpropagation", "before"),
        ("what do i need to know for backpropagation", "before"),
        ("what do i need backpropagation for", "aspect"),
        ("what do we need backpropagation for", "aspect"),
        ("how does a heap keep its property after inserting", "how"),
        ("which properties does a heap have", "aspect"),
    ],
)
def test_a_notation_is_asked_for_itself_and_a_rule_for_no_place(question: str, kind: str) -> None:
    assert kind_of(question)[0] == kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What should I do if the disk is full after the installation?", "how"),
        ("what can I do about a 403 for an absent billing account", "how"),
        ("安装之后打不开怎么办", "how"),
        ("请问怎么完成作业", "how"),
        ("请完成作业", "task"),
        ("What command should I run to see the version?", "other"),
        ("what is the fastest way to upload the data", "other"),
        ("what is a way", "definition"),
        ("what does a hash do", "definition"),
        ("can i use R instead of python", "yes_no"),
        ("when should i use a heap instead of a list", "comparison"),
        ("my answer isn't among the options of the homework", "other"),
        ("my answer for the homework, please send the solution", "task"),
    ],
)
def test_what_is_to_be_done_about_something_is_no_definition(question: str, kind: str) -> None:
    assert question_kind(question) == kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("how does list scheduling work", "how"),
        ("can i run a binary search over a linked list if its sorted?", "yes_no"),
        ("please list the sorting algorithms", "list"),
        ("name three traversals", "list"),
    ],
)
def test_a_list_that_is_a_thing_asks_for_no_list(question: str, kind: str) -> None:
    assert question_kind(question) == kind


@pytest.mark.parametrize(
    ("question", "is_kind"),
    [
        ("where was that story about the online poker site whose shuffle code was broken?", "where"),
        ("where do i find the lecture on heaps", "where"),
        ("where is the lecture about overlapping rectangles", "where"),
        ("where's that video on heaps", "where"),
        ("in an array that starts at index 1, where do i find the two children of the node at position 13?", ""),
        ("what is the dot product good for? just the main takeaway", ""),
        ("what are the main takeaways of lecture 3", "summary"),
        ("if the resit goes worse than the first time, do i keep my old mark?", ""),
        ("what should i learn first to understand heaps", "before"),
    ],
)
def test_a_part_of_the_course_is_asked_for_by_its_own_words(question: str, is_kind: str) -> None:
    found = question_kind(question)
    assert found == is_kind if is_kind else found not in ("where", "summary", "before")


@pytest.mark.parametrize("question", ABOUT_WORK)
def test_a_question_about_graded_work_does_not_ask_for_it_to_be_done(question: str) -> None:
    assert question_kind(question) != "task"


def test_every_kind_has_a_composer() -> None:
    assert set(COMPOSERS) == set(ALL_KINDS)


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("quicksort worst case", "worst_case"),
        ("What is the time complexity of merge sort?", "complexity"),
        ("hash table advantages", "advantage"),
        ("What are the drawbacks of a linked list?", "drawback"),
        ("an example of a stack", "example"),
        ("formula for the variance", "formula"),
        ("快速排序的时间复杂度是多少", "complexity"),
        ("链表有什么缺点", "drawback"),
        ("举个队列的例子", "example"),
    ],
)
def test_an_aspect_is_found_in_a_question(question: str, key: str) -> None:
    assert key in [aspect.key for aspect in find_aspects(question)]


def test_a_bare_definition_speaks_of_no_complexity() -> None:
    complexity = next(aspect for aspect in ASPECTS if aspect.key == "complexity")
    assert complexity.said.search("A heap is a complete binary tree whose keys grow towards the leaves.") is None
    assert complexity.said.search("Inserting climbs one path, so it takes O of log n.") is not None


@pytest.mark.parametrize(
    "question",
    [
        "When is the exam?",
        "am i allowed to use chatgpt",
        "Who teaches this course?",
        "my internet went down during the exam!!",
        "作业什么时候截止",
    ],
)
def test_what_is_about_the_life_of_the_course_is_logistics(question: str) -> None:
    assert kind_of(question)[0] == "logistics"


def test_a_definition_question_for_an_aspect_is_about_the_aspect() -> None:
    kind, aspects = kind_of("What is the worst case of quicksort?")
    assert (kind, aspects[0].key) == ("aspect", "worst_case")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Why is the squared error used for classification?", "why"),
        ("what is the null space", "definition"),
        ("内存是什么", "definition"),
        ("how much memory does merge sort need", "aspect"),
        ("归并排序的空间复杂度", "aspect"),
        ("what is a stable sort", "definition"),
        ("what is a 2-3 tree", "definition"),
        ("how many compares does binary search need for 1000 items?", "calculation"),
    ],
)
def test_a_word_of_an_aspect_is_not_always_one(question: str, kind: str) -> None:
    assert kind_of(question)[0] == kind


def test_an_aspect_inside_the_one_name_that_is_asked_about_is_no_aspect() -> None:
    question = "what is the normal equation?"
    name = Mention("ne", "normal equation", "normal equation", 12, 27)
    assert is_named_by(find_aspects(question), question, [name])
    longer = "what is the formula of the normal equation?"
    moved = Mention("ne", "normal equation", "normal equation", 27, 42)
    assert not is_named_by(find_aspects(longer), longer, [moved])
    more = "what's big omega, and what is meant by space complexity?"
    last = Mention("sc", "space complexity", "space complexity", 39, 55)
    assert not is_named_by(find_aspects(more), more, [last])
    two = "what is the time complexity of quicksort?"
    both = [Mention("tc", "time complexity", "time complexity", 12, 27), Mention("q", "quicksort", "quicksort", 31, 40)]
    assert not is_named_by(find_aspects(two), two, both)


@pytest.mark.parametrize(
    ("labels", "question", "named"),
    [
        (["change", "basis"], "which video explains change of basis", ["change of basis"]),
        (["quantum", "tunneling"], "what is quantum tunneling", ["quantum tunneling"]),
        (["rank", "nullity"], "difference between rank and nullity", ["rank", "nullity"]),
        (["栈"], "什么是栈", ["栈"]),
        (["溢出", "假"], "假溢出是什么", ["假溢出"]),
    ],
)
def test_words_beside_each_other_are_named_as_one_phrase(labels: list[str], question: str, named: list[str]) -> None:
    assert phrases(labels, question) == named


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("which lecture is about graphs", "where"),
        ("lecture on heaps?", "where"),
        ("wheres kd trees explained", "where"),
        ("where's the knob", "other"),
        ("where is that in the lecture", "where"),
        ("where in the video is linear probing", "where"),
        ("what minute is that at", "where"),
        ("is there a lecture about tries", "where"),
        ("will we learn about b-trees", "where"),
        ("what is the lecture about", "summary"),
        ("can you show an example of a queue", "aspect"),
        ("do i have to come to class", "logistics"),
        ("write out all 8 axioms for me please", "other"),
        ("write the code for me", "task"),
    ],
)
def test_kinds_of_questions_about_lectures(question: str, kind: str) -> None:
    assert kind_of(question)[0] == kind


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("归并排序的时间复杂度是多少", "归并排序的是多少"),
        ("快速排序的平均时间复杂度", "快速排序的"),
        ("what is the time complexity of mergesort", "what is the  of mergesort"),
    ],
)
def test_time_is_part_of_the_complexity_that_is_asked_for_and_no_subject(question: str, rest: str) -> None:
    for aspect in find_aspects(question):
        question = aspect.asked.sub("", question)
    assert question == rest


@pytest.mark.parametrize(
    ("question", "is_bare"),
    [
        ("merge sort", True),
        ("Merge sort?", True),
        ("merge sort complexity", False),
        ("a merge sort", False),
        ("", False),
    ],
)
def test_a_name_alone_asks_what_it_is(question: str, is_bare: bool) -> None:
    found = [
        Mention("en:merge sort", "merge sort", one[0], *one.span()) for one in re.finditer("(?i)merge sort", question)
    ]
    assert is_bare_name(question, found) is is_bare


@pytest.mark.parametrize(
    "question",
    [
        "what is a typical mini-batch size?",
        "what's a normal batch size",
        "what is the usual number of hidden layers",
        "what is a good learning rate",
        "what would be a reasonable value for lambda",
    ],
)
def test_a_usual_value_is_asked_for_and_is_no_name(question: str) -> None:
    assert question_kind(question) == "other"
    assert WHICH_VALUE.search(question)


@pytest.mark.parametrize("question", ["what is a normal distribution", "what is the normal equation", "what is a size"])
def test_a_name_that_begins_like_a_usual_value_is_defined(question: str) -> None:
    assert question_kind(question) == "definition"
