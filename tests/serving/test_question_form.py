"""Multiple choice or free response, by wording; multiple choice without its options."""

import pytest

from serving.assistant.understanding.cues import CUES, has_cue
from serving.assistant.understanding.form import question_form

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
    "Applications of the stack do not include ( ).",
    "Which field is not included in the header?()",
    "After the queue is full, ( ).",
    "If a process waits for a printer, it ( )",
    "下列哪一项是线性结构？",
    "以下关于栈的说法中，错误的是（ ）。",
    "下面属于线性结构的是（ ）",
    "关于堆，哪个选项正确？",
    "以上都不对",
    "（单选题）堆的根结点是",
    "栈的应用不包括（）。",
    "队列满了之后，它（ ）。",
    "正确答案是什么？",
    "Which statement about heaps is not true?",
    "Select one:",
    "Can you tell me which of the following is linear?",
    "I have a question: which of the following is linear?",
    "老师，我想问一下，下列哪个选项正确？",
    "我国第一台计算机，下列说法正确的是（ ）",
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
    "If the decimal number is 137.5, then its octal number is ( ).",
    "若深度为5，则结点最多有（ ）个",
    "In a stack, ( ) is removed first.",
    "What's the best choice of learning rate?",
    "What is the best option for storing key-value pairs?",
    "Which SQL statement is used to remove a table?",
    "How do I select one row in pandas?",
    "How do I check all the answers after the quiz?",
    "How does tf-idf identify the most important word in a document?",
    "None of the above worked for me, how do I install numpy?",
    "Does this apply to all of the above algorithms?",
    "What is a valid expression in Python?",
    "Prove that the following statement is correct: a tree with n nodes has n-1 edges.",
    "Multiple-choice exam: is there negative marking?",
    "正确答案为什么是B",
    "为什么说法错误的是C",
    "第三题的正确答案是什么",
    "以上都对吗",
    "哪项技术最适合大数据？",
    "以下是我的代码，哪一行有错误？",
    "下面我们讲哪一章？",
    "What is the complexity of this algorithm?\n1. Sort the array\n2. Remove duplicates\n3. Merge",
    "Is this proof right?\n1. n is even\n2. n = 2k for some k\n3. n^2 is even",
    "What's wrong with my YAML?\na: 1\nb: 2\nc: 3",
    "What does this SQL do?\nSELECT name\nFROM users\nWHERE age > 3",
    "Traceback (most recent call last):\nFile a.py, line 1\nValueError: x",
    "请问这几个概念有什么区别？\n1. 栈\n2. 队列\n3. 堆",
    "名词解释：\n1. 栈\n2. 队列\n3. 堆",
    "Prove that (a) every tree is bipartite, (b) every path is a tree.",
    "A. Jones wrote the book, B. Lee edited it, C. Kim drew it. When was it printed?",
    "Meeting at 10:30?\n1. 5.\n2. 5.\n3. 5.",
    "Can you help? - I am new - I use Windows - Python 3.11",
    "Why does f( ) return None?\nf( )\ng( )\nh( )",
    "某系统内存为 64 KB。1) 页表有多大？ 2) 需要几位地址？",
]


@pytest.mark.parametrize("question", CUED)
def test_the_wording_of_multiple_choice_without_options_is_recognised(question: str) -> None:
    form = question_form(question)
    assert (form.form, form.is_whole, form.stem) == ("mcq", False, question)


@pytest.mark.parametrize("question", [*CUED, *FREE])
def test_what_is_found_in_ascii_is_found_by_english_cues(question: str) -> None:
    plain = question.encode("ascii", "replace").decode()
    assert has_cue(plain) == any(cue.search(plain) for cue in CUES.values())


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
    assert question_form("Does this apply to all of the above?", previous="Compare quicksort and heapsort.").is_whole


def test_two_options_are_enough() -> None:
    assert question_form("Is a tree a graph? A. True B. False").form == "mcq"


@pytest.mark.parametrize("stem", ["The smallest key of a min-heap is", "先进先出的线性表是"])
def test_options_may_go_on_where_the_stem_is_left_open(stem: str) -> None:
    form = question_form(f"{stem} A. the root B. a leaf C. the last")
    assert (form.stem, len(form.options)) == (stem, 3)


def test_letters_within_a_text_are_no_options() -> None:
    question = "In a network there are four hosts, A、B、C、D. If A sends data to B, who receives it?"
    assert question_form(question).form == "frq"


@pytest.mark.parametrize("text", ["", "   ", "\x00\x07", "\u202e\u200b"])
def test_nothing_is_a_free_response_question_without_a_stem(text: str) -> None:
    assert question_form(text).stem == ""


@pytest.mark.parametrize(
    "stem",
    [
        "What is the complexity of this algorithm?",
        "What is the main difference between TCP and UDP?",
        "Can you help, what is the root of a heap?",
        "老师好，堆的根结点是什么？",
    ],
)
def test_below_a_question_about_a_list_letters_are_still_options(stem: str) -> None:
    assert len(question_form(f"{stem}\nA. the first\nB. the second\nC. the third").options) == 3


def test_what_is_written_joined_stays_joined() -> None:
    joined = "می\u200cخواهم"
    assert question_form(f"{joined}؟").stem == f"{joined}؟"


def test_text_from_right_to_left_is_kept() -> None:
    form = question_form("أي مما يلي بنية خطية؟\nA. مكدس\nB. رسم\nC. شجرة")
    assert [option.text for option in form.options] == ["مكدس", "رسم", "شجرة"]


def test_a_choice_may_be_about_what_is_mine() -> None:
    asked = "My team has five members and 300 hours. How many hours has each?\nA. 50\nB. 60\nC. 70"
    assert question_form(asked).form == "mcq"
    assert question_form("My lists do not work.\nA. the first\nB. the second\nC. the third").options == ()
