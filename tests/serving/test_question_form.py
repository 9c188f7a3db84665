"""Multiple choice or free response, by wording; multiple choice without its options."""

import pytest

from serving.understanding.form import question_form

CUED = [
    "Which of the following does not occur during Sprint execution?",
    "Which of the following is not a common reason management might seek assistance from OBM specialists?",
    "What is the correct answer?",
    "Which of these statements about stacks is true?",
    "Among the following statements about queues, the incorrect one is ( ).",
    "Select all that apply: properties of a heap",
    "In a heap, none of the above holds.",
    "The following ( ) is a linear structure.",
    "Steps: 1. push 2. pop 3. peek. The correct order of the steps is ( ).",
    "[MCQ] The root of a heap is",
    "下列哪一项是线性结构？",
    "以下关于栈的说法中，错误的是（ ）。",
    "下面属于线性结构的是（ ）",
    "关于堆，哪个选项正确？",
    "以上都不对",
    "（单选题）堆的根结点是",
]

FREE = [
    "Which of the two algorithms is faster?",
    "Which of the course videos covers heaps?",
    "Which one is faster, quicksort or mergesort?",
    "What alternatives can I try if the installation fails?",
    "What should I do after following the instructions?",
    "What does the option --master do?",
    "Which option should I choose for the homework?",
    "A stack that is full is called ( ).",
    "Explain each of the following terms: heap, stack, queue.",
    "Answer the following questions: 1) What is a heap? 2) What is a stack?",
    "Consider a graph with 5 nodes. (a) Find its diameter. (b) Prove that it is connected. (c) Draw it.",
    "Compute the time in the following cases. 1) The list is sorted. 2) The list is reversed. 3) The list is random.",
    "Why does this fail?\n1. I installed it\n2. I ran it\n3. It stopped",
    "What is wrong with my code?\nfor i in x:\n  print(i)\n  i += 1",
    "What is printed?\na = 1\nb = 2\nprint(a + b)",
    "我想问：1. 考试时间 2. 考试地点",
    "栈和队列有哪些区别？",
    "以下代码哪里有错",
    "研究设计有哪些方法？",
    "选择题占多少分？",
    "作业题中，选择题的ABCD选项的格式出问题了",
    "死锁检测时检查的是（）。",
    "某系统内存为 64 KB。1) 页表有多大？ 2) 需要几位地址？",
]


@pytest.mark.parametrize("question", CUED)
def test_the_wording_of_multiple_choice_without_options_is_recognised(question: str) -> None:
    form = question_form(question)
    assert (form.form, form.is_whole, form.stem) == ("mcq", False, question)


@pytest.mark.parametrize("question", FREE)
def test_a_question_that_can_be_answered_as_it_is_is_free_response(question: str) -> None:
    form = question_form(question)
    assert (form.form, form.options, form.is_whole) == ("frq", (), True)


@pytest.mark.parametrize(
    "options",
    [
        "A. stack\nC. tree",
        "B. queue\nC. tree\nD. graph",
        "A. stack",
        "A. stack B. queue D. graph",
        "A. stack\nB.\nC. tree",
    ],
)
@pytest.mark.parametrize("stem", ["Which of the following is linear?", "下列属于线性结构的是（ ）"])
def test_a_part_of_the_options_is_missing_options(stem: str, options: str) -> None:
    form = question_form(f"{stem}\n{options}")
    assert (form.form, form.is_whole) == ("mcq", False)


def test_which_of_these_may_point_to_the_turn_before() -> None:
    assert question_form("Which of these is faster?").is_whole is False
    assert question_form("Which of these is faster?", previous="Compare quicksort and mergesort.").form == "frq"


def test_two_options_are_enough() -> None:
    assert question_form("Is a tree a graph? A. True B. False").form == "mcq"


def test_letters_within_a_text_are_no_options() -> None:
    question = "In a network there are four hosts, A、B、C、D. If A sends data to B, who receives it?"
    assert question_form(question).form == "frq"


@pytest.mark.parametrize("text", ["", "   ", "\x00\x07", "\u202e\u200b"])
def test_nothing_is_a_free_response_question_without_a_stem(text: str) -> None:
    assert question_form(text).stem == ""


def test_text_from_right_to_left_is_kept() -> None:
    form = question_form("أي مما يلي بنية خطية؟\nA. مكدس\nB. رسم\nC. شجرة")
    assert [option.text for option in form.options] == ["مكدس", "رسم", "شجرة"]
