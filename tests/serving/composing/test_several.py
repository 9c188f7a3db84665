"""Several questions in one message are answered one by one; one question is never torn apart."""

import pytest
from asker import Asker
from course_rows import concept

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.joined_answers import join
from serving.assistant.composing.several import each_alone, questions_in
from serving.assistant.composing.wording import wording
from serving.index.evidence import Evidence


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("What is a stack? And what is a queue?", 2),
        ("1) what is recursion 2) why is it slow", 2),
        ("What is F1 score and why not accuracy?", 2),
        ("what is a stack and when do i use it", 2),
        ("what is gradient descent and why does it work", 2),
        ("什么是栈？什么是队列？", 2),
        ("What is a heap? How do I remove the top of that heap quickly?", 2),
        ("what is the cocktail party problem? and how much code does it take", 2),
        ("快排是谁想出来的？平均复杂度多少？用不用额外的大数组？", 3),
        ("ASCII用几位表示一个字符？还有Unicode是哪年搞出来的？", 2),
        ("what is a k-d tree (kd tree) and which lecture covers it", 2),
        ("What does flow-sensitive mean? give an example", 2),
        ("I took HIST 1010 - can I get into Maps and Power, and when does it meet?", 2),
        ("伸展树是什么，哪一集讲的？", 2),
        ("快排最坏情况是什么时候，复杂度多少", 2),
        ("什么是栈，举个例子", 2),
        ("Who teaches this course and which language do we program in?", 2),
        ("what is a stack and do i always need it", 2),
        ("计算机里负数和小数怎么表示", 2),
    ],
)
def test_each_question_of_a_message_is_found(text: str, parts: int) -> None:
    assert len(questions_in(text)) == parts


def test_how_two_things_are_done_is_asked_of_each() -> None:
    assert questions_in("计算机里负数和小数怎么表示") == ("计算机里负数怎么表示", "计算机里小数怎么表示")
    of_trees = "how do heaps and hash tables work"
    assert questions_in(of_trees, lambda _: True) == ("how do heaps work", "how do hash tables work")
    assert questions_in(of_trees, lambda text: "heap" in text) == (of_trees,)
    together = "how do heaps and hash tables work together"
    assert questions_in(together, lambda _: True) == (together,)


def test_a_rhetorical_question_leans_on_the_one_before_it() -> None:
    for text in ("冒泡排序怎么会是线性的，不是两层循环吗", "为什么进队时标记，出队再标记不行吗"):
        assert questions_in(text, lambda _: True) == (text,)


def test_pairs_of_numbers_number_no_questions() -> None:
    assert len(questions_in("What is the dot product of (2, 3) and (4, -1)?")) == 1
    assert questions_in("堆在哪一讲讲的？它比栈好在哪里") == ("堆在哪一讲讲的？", "它比栈好在哪里")
    assert len(questions_in("堆是什么？它有什么用")) == 1
    assert len(questions_in("a) what is a heap b) why is it fast")) == 2


def test_a_question_stands_without_the_word_that_joins_it() -> None:
    assert questions_in("what's precision? and what's recall?") == ("what's precision?", "what's recall?")
    assert questions_in("What is a stack? And its complexity?")[1] == "And its complexity?"


@pytest.mark.parametrize(
    "text",
    [
        "What is the difference between a stack and a queue?",
        "Compare linked lists and dynamic arrays.",
        "How do I insert and delete in a heap?",
        "Who found AVL trees and what year was that?",
        "摊还分析是什么意思？跟平均情况复杂度是一回事吗",
        "作业晚交会扣多少分？最多能拖几天",
        "B树要满足哪几条性质，能逐条列出来吗",
        "I read the chapter twice. Why is quicksort fast?",
        "栈有什么用处，举几个例子",
        "是什么，哪一集讲的",
        "which lecture explains tries? can't find it",
        "AVL树和红黑树怎么选",
        "栈和队列怎么相互转换",
    ],
)
def test_one_question_stays_whole(text: str) -> None:
    assert questions_in(text) == (text,)


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        ("伸展树是什么", "哪一集讲的？", "伸展树哪一集讲的？"),
        ("什么是伸展树", "举个例子", "伸展树举个例子"),
        ("伸展排序最坏情况是什么时候", "复杂度多少", "伸展排序最坏情况复杂度多少"),
        ("伸展树是什么", "生活里有什么例子", "伸展树生活里有什么例子"),
        ("哪种推力最大？", "生活里有什么例子", "哪种推力最大，生活里有什么例子"),
    ],
)
def test_a_chinese_question_that_names_nothing_is_asked_of_the_thing_before_it(
    before: str, question: str, whole: str
) -> None:
    graph = ConceptGraph.from_rows([], [], [])
    assert each_alone([before, question], graph, str, knows=lambda _: False) == [before, whole]


def test_the_thing_that_is_asked_about_is_its_whole_name() -> None:
    rows = [concept("base", "basis", "A basis spans."), concept("change", "change of basis", "It is a matrix.")]
    graph = ConceptGraph.from_rows(rows, [], [])
    questions = ["what does change of basis do", "what's the formula for it?"]
    assert each_alone(questions, graph, str, knows=lambda _: True)[1] == "what's the formula for change of basis?"


def test_a_negative_one_is_one_of_what_was_asked_about() -> None:
    rows = [concept("det", "determinant", "It scales areas."), concept("mat", "matrix", "A matrix has rows.")]
    graph = ConceptGraph.from_rows(rows, [], [])
    questions = ["how do you compute the determinant of a 2x2 matrix", "what does a negative one mean?"]
    assert each_alone(questions, graph, str, knows=lambda _: True)[1] == "what does a negative determinant mean?"


def test_a_piece_of_work_is_asked_about_by_its_whole_name() -> None:
    graph = ConceptGraph.from_rows([concept("lamp", "lamp", "A lamp lights.")], [], [])
    for begins in ("how long must the lamp report be", "how long is the lamp report"):
        for question, whole in (
            ("when is it due", "when is lamp report due"),
            ("how many sources do I need", "how many sources do I need (lamp report)?"),
        ):
            assert each_alone([begins, question], graph, str, knows=lambda _: True) == [begins, whole]


def test_it_is_the_thing_by_both_of_its_names() -> None:
    graph = ConceptGraph.from_rows([concept("wide", "wide tree", "A wide tree is a tree.")], [], [])
    questions = questions_in("what is a wide tree (deep tree) and which lecture covers it")
    alone = each_alone(questions, graph, str, knows=lambda _: True)
    assert alone[1] == "which lecture covers wide tree (deep tree)"


def test_the_trace_has_each_question_with_its_kind_and_coverage(composed_by: Asker) -> None:
    answer = composed_by("What is a stack? And who invented the hash table?")
    first, second = answer.trace.parts
    assert (first.question, first.question_kind) == ("What is a stack?", "definition")
    assert (second.question_kind, second.coverage, second.stored) == ("people", "none", False)
    assert composed_by("What is a stack?").trace.parts == ()


def test_no_part_ends_with_the_heading_of_what_there_was_no_room_to_cite() -> None:
    near = ComposedStatement(wording("en").nearby)
    parts = []
    for name, letter in (("a", "S"), ("b", "T")):
        cited = [
            ComposedStatement(f"{letter}{at}.", Evidence(at, f"{letter}{at}", "faq", "ds", "", "")) for at in range(4)
        ]
        parts.append((name, Composed("other", "partial", (*cited[:3], near, cited[3]))))
    assert [one.text for one in join(parts, "en").statements] == [
        "**1. a**",
        "S0.",
        "S1.",
        "S2.",
        "**2. b**",
        "T0.",
        "T1.",
        "T2.",
    ]


def test_of_more_questions_than_are_answered_at_once_the_others_are_named_and_can_be_chosen(composed_by: Asker) -> None:
    asked = ("What is a stack?", "What is a queue?", "What is a heap?", "What is a tree?", "What is an array?")
    answer = composed_by(" ".join(asked))
    assert [one.question for one in answer.trace.parts] == list(asked[:4])
    assert answer.choices == asked[4:]
    assert "Ask next: What is an array?" in answer.text


@pytest.mark.parametrize(
    "text",
    [
        "Is a full binary tree always complete too? And the other way round?",
        "does symmetric imply diagonalizable, and is the converse true?",
        "满二叉树一定是完全二叉树吗？反过来呢？",
        "有环的图能拓扑排序吗？反之成立吗",
    ],
)
def test_the_converse_is_asked_with_what_it_is_the_converse_of(text: str) -> None:
    assert len(questions_in(text)) == 1


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("What's a bag good for and how is it different from a stack?", "how is bag different from a stack?"),
        ("Which gap sequence should I use in shellsort and what is its complexity?", "what is shellsort's complexity?"),
        ("How does timsort work and why does Python use it?", "why does Python use timsort?"),
        ("when is a cuckoo filter better than a trie and when is it worse", "when is cuckoo filter worse than a trie?"),
        ("What is L1 regularization (lasso) and how does it compare?", "how does L1 regularization compare?"),
        ("what's an eigenbasis and what is it good for?", "what is eigenbasis good for?"),
        (
            "How do I give wise feedback? can you give me an example sentence",
            "can you give me an example of wise feedback?",
        ),
        ("What is git and how do I make a branch?", "how do I make a branch (git)?"),
        ("how do I raise precision and what do I lose by it?", "what do I lose by raising precision?"),
        (
            "what is the time complexity of merge sort and why is it better than selection sort",
            "why is merge sort better than selection sort",
        ),
        (
            "What is the running time of heapsort in the worst case and does it use extra memory?",
            "does heapsort use extra memory?",
        ),
        (
            "how many transistors did the first intel chip have and when did it come out",
            "when did first intel chip come out",
        ),
        (
            "which lecture covers topological sort and what should i know before it",
            "what should i know before topological sort",
        ),
        ("what lecture is union find in, and what do I need before it?", "what do I need before union find?"),
        (
            "isn't logistic regression a regression algorithm? why are we using it to classify things",
            "why are we using logistic regression to classify things",
        ),
        (
            "how long does the course take and what do I have to do to finish it",
            "what do I have to do to finish the course",
        ),
        ("how do I delete the maximum and what does it cost?", "what does deleting the maximum cost?"),
        (
            "How many late days can I use on one assignment, and do they work for quizzes too?",
            "do late days work for quizzes too?",
        ),
        (
            "How do I find all the intervals that overlap a given one, and how long does it take?",
            "how long does finding all the intervals that overlap a given one take?",
        ),
        ("what exactly is a skew heap? is it always balanced", "is skew heap always balanced"),
        ("how does timsort pick its minimum run, and when does it gallop?", "when does timsort gallop?"),
        (
            "what is a trie good for, and why not just use one example at a time",
            "why not just use one example at a time",
        ),
        ("归并排序和选择排序哪个更快？复杂度分别是多少", "归并排序和选择排序的复杂度分别是多少"),
        ("请问 DFS 和 BFS 有什么区别？各自适合什么问题？", "DFS 和 BFS各自适合什么问题？"),
        ("数据经常增删的话，AVL 和红黑树挑哪个？各自好在哪", "AVL 和红黑树各自好在哪"),
        ("in which lecture is a trie shown, and when should I use a hash table?", "when should I use a hash table?"),
    ],
)
def test_the_second_question_is_about_what_the_first_one_names(text: str, second: str) -> None:
    nothing = ConceptGraph.from_rows([], [], [])
    alone = each_alone(questions_in(text), nothing, lambda each: each, knows=lambda name: name != "git")
    assert alone[1:] == [second]


def test_they_are_both_of_the_concepts_that_the_first_question_names() -> None:
    sorting = ConceptGraph.from_rows([concept("en:trie", "trie", None), concept("en:heap", "heap", None)], [], [])
    questions = questions_in("isn't trie just a heap in disguise? where do they differ")
    alone = each_alone(questions, sorting, lambda each: each, knows=lambda _: True)
    assert alone[1] == "where do they differ (trie, heap)?"


def test_a_question_for_the_week_of_what_the_first_one_names_is_not_dropped() -> None:
    text = "what do I need to review before the lecture on heaps, and which week is it in?"
    assert questions_in(text)[1] == "which week is it in?"


def test_a_concept_that_no_rule_puts_in_is_named_all_the_same() -> None:
    sorting = ConceptGraph.from_rows([concept("en:merge sort", "merge sort", None)], [], [])
    questions = questions_in("which lecture covers merge sort and what should i know before it")
    alone = each_alone(questions, sorting, lambda each: each, knows=lambda _: True)
    assert alone[1] == "what should i know before merge sort"


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("How many times should I run merge sort, and how do I pick the best run?", "how do I pick the best run"),
        ("Can you do merge sort in place, and how fast?", "how fast"),
        ("what is merge sort and what prize did its inventor win?", "what prize did merge sort's inventor win"),
    ],
)
def test_a_second_question_that_names_nothing_is_asked_of_the_concept_of_the_first(text: str, second: str) -> None:
    sorting = ConceptGraph.from_rows([concept("en:merge sort", "merge sort", None)], [], [])
    alone = each_alone(questions_in(text), sorting, lambda each: each, knows=lambda _: True)
    assert alone[1].removesuffix("?").removesuffix(" (merge sort)") == second
    assert "merge sort" in alone[1]


@pytest.mark.parametrize(
    "text",
    [
        "what is merge sort and when is the midterm?",
        "what is merge sort and how many late days do we have?",
        "what is merge sort and how do I write a parser?",
    ],
)
def test_a_second_question_on_the_course_or_on_what_no_text_has_stays_as_it_is(text: str) -> None:
    sorting = ConceptGraph.from_rows([concept("en:merge sort", "merge sort", None)], [], [])
    questions = questions_in(text)
    assert each_alone(questions, sorting, lambda each: each, knows=lambda name: name != "parser") == list(questions)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("How is a heap stored in an array, where are the children of node k?", 2),
        ("虚拟内存是干嘛用的，内存保护又是什么", 2),
        ("继电器有什么缺点，为什么后来改用真空管？", 2),
        ("Why is it called BFGS, what do the letters stand for?", 1),
        ("When a heap is full, what does a node cost?", 1),
        ("如果内存满了，操作系统是什么状态", 1),
        ("What is a heap, how does it keep each node in place?", 1),
        ("如果内存满了，操作系统怎么处理", 1),
        ("线索二叉树要怎么建，前驱指针放哪里", 1),
        ("测验我只考了一次没考好，证书还能拿到吗，分数是怎么算的", 2),
        ("作业晚交会扣多少分，怎么申请延期", 2),
        ("期末考试哪天考，在哪里考？", 1),
    ],
)
def test_a_comma_alone_parts_questions_that_each_name_something(text: str, parts: int) -> None:
    named = ("heap", "node", "BFGS", "内存", "继电器", "真空管", "二叉树", "操作系统")
    assert len(questions_in(text, lambda part: any(name in part for name in named))) == parts


def test_when_to_use_which_of_two_is_one_question() -> None:
    assert len(questions_in("when should I take the normal equation and when for gradient descent")) == 1
    assert len(questions_in("when do I use a heap and when should I use a sorted array?")) == 1
    assert len(questions_in("when is the midterm and when is the final?")) == 2


def test_when_something_was_stays_with_who_it_was() -> None:
    assert len(questions_in("Who discovered heapsort, and in what year?")) == 1


def test_what_stands_in_brackets_is_not_taken_apart() -> None:
    leaning = "what happens when it is not in there (what is a cache and why does it make the cpu faster)"
    assert questions_in(leaning) == (leaning,)
    assert questions_in("What is a stack (or pile)? And what is a queue (FIFO)?") == (
        "What is a stack (or pile)?",
        "what is a queue (FIFO)?",
    )
    assert questions_in("What is a stack (or pile) and why is a queue another thing (FIFO)?") == (
        "What is a stack (or pile)",
        "why is a queue another thing (FIFO)?",
    )
    assert questions_in("\x01\x02 what is a stack (\x01)") == (" what is a stack ()",)
    assert len(questions_in("What is a stack (" + ") and (".join("x" * 60) + ")?")) == 1
