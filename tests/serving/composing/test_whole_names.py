"""A thing is defined by its whole name: a confusion matrix is no matrix."""

from dataclasses import replace

import course_rows as rows
import pytest
from asker import Asker
from spoken_rows import one_lecture

from knowledge_graph.graph.records import Mention
from serving.assistant.composing.found_units import kinds_of_concepts, unit_as_named, units_to_define
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.terms import NEVER, QuestionUnit, drop_general_owner, is_doer, unit_of, with_articles
from serving.assistant.composing.whole_names import says_in_order, says_with_one, whole_name, without_kind
from serving.index.analysis import content_words, terms


def mention(question: str, surface: str) -> Mention:
    start = question.index(surface)
    return Mention(f"en:{surface}", surface, surface, start, start + len(surface))


@pytest.mark.parametrize(
    ("question", "concepts", "name"),
    [
        ("what is a confusion matrix", ["matrix"], "confusion matrix"),
        ("What is transfer learning?", [], "transfer learning"),
        ("define max pooling", [], "max pooling"),
        ("what is the max flow min cut theorem", [], "max flow min cut theorem"),
        ("can you explain word embeddings please", [], "word embeddings"),
        ("what's a bag of words?", [], "bag of words"),
        ("what is a binary search tree", ["binary search tree"], ""),
        ("what is a good learning rate", ["learning rate"], ""),
        ("what is the gradient descent algorithm", ["gradient descent"], ""),
        ("what is the main idea", [], ""),
        ("what is a stack", ["stack"], ""),
        ("what is a stack exactly?", ["stack"], ""),
        ("what is the height of a tree", ["tree"], ""),
        ("what is the goal of clustering", ["clustering"], ""),
        ("what is the difference between a stack and a queue", ["stack", "queue"], ""),
        ("what is the stack used for", ["stack"], ""),
        ("how does a hash table work", [], ""),
        ("can you explain max pooling simply", [], "max pooling"),
        ("can you explain pooling simply", [], ""),
        ("什么是机器学习？", [], "机器学习"),  # 学习 is a word that questions are made of
        ("请问人工智能是什么意思", [], "人工智能"),
        ("什么是快速排序算法", ["快速排序"], ""),
        ("数组和链表是什么", [], ""),
        ("什么是树的高度", [], ""),
    ],
)
def test_the_name_that_is_to_be_defined(question: str, concepts: list[str], name: str) -> None:
    assert whole_name(question, [mention(question, one) for one in concepts]) == name


@pytest.mark.parametrize(
    ("said", "names", "is_known"),
    [
        (["机器语言是处理器的母语。"], ["机器学习"], False),
        (["机器学习让计算机从数据里找规律。"], ["机器学习"], True),
    ],
)
def test_a_chinese_name_is_one_thing_that_a_text_has_or_not(said: list[str], names: list[str], is_known: bool) -> None:
    parts, whole = (unit_of("机器", lambda _: 1.0),), unit_of("机器学习", lambda _: 1.0)
    found = units_to_define(parts, whole, tuple, CourseLectures((one_lecture(*said),)))
    assert [(one.label, one.is_known) for one in found] == [(name, is_known) for name in names]


def test_a_text_says_a_name_by_its_terms_in_order() -> None:
    assert says_in_order("A confusion matrix counts them.", "confusion matrix")
    assert not says_in_order("This matrix is a cause of confusion.", "confusion matrix")


@pytest.mark.parametrize("question", ["What is a confusion stack?", "what is stack learning", "define overflow queue"])
def test_a_name_that_no_text_has_is_declined_by_name(composed_by: Asker, question: str) -> None:
    answer = composed_by(question)
    assert answer.coverage == "none"
    assert "says nothing about" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "how do I push onto a welcome stack?",  # the course has both words, and never together
        "why is a python queue slow?",
    ],
)
def test_a_concept_with_a_word_that_makes_another_thing_of_it_is_not_taught(composed_by: Asker, question: str) -> None:
    answer = composed_by(question)
    assert any(f"says nothing about {name}" in answer.text for name in ("welcome stack", "python queue"))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what is the cost of an empty stack", []),
        ("can I run the stack from within the queue", []),
        ("is a confusion stack slow", ["confusion stack"]),
        ("是不是每个队列都要排序", []),
        ("弗洛伊德队列是什么", ["弗洛伊德队列"]),
        ("怎么搞懂队列", []),
    ],
)
def test_only_a_word_that_names_makes_another_thing_of_a_concept(question: str, names: list[str]) -> None:
    lectures = CourseLectures((one_lecture("A stack and a queue.", "An empty list costs nothing.", "Confusion."),))
    weigh = {NEVER: 2.0}.get
    labels = [one for one in ("stack", "queue", "队列") if one in question]
    concepts = [QuestionUnit(one, (frozenset(terms(one)),), 1.0, f"c:{one}") for one in labels]
    others = content_words(question if question.isascii() else question.replace("队列", " "))
    words = [unit_of(one, lambda term: weigh(term, 1.0)) for one in others if one not in labels]
    words = [replace(one, is_known=question.isascii()) for one in words]
    found = kinds_of_concepts((*words, *concepts), question, tuple, lectures)
    assert [one.label for one in found if one not in words and one.concept_id is None] == names


@pytest.mark.parametrize(
    ("question", "said", "name"),
    [
        ("how does bucket sort work", ["A bucket holds entries.", "To sort is to order."], "bucket sort"),
        ("how does bucket sort work", ["Then there is bucket sort."], ""),
        ("how does graph search work", ["We search a graph level by level."], ""),
        ("什么叫正交矩阵", ["矩阵有行和列。"], "正交矩阵"),
        ("什么叫正交矩阵", ["正交矩阵的列互相垂直。"], ""),
        ("跳表是什么", ["链表是什么。"], ""),  # one word, of which nothing is known anyway
    ],
)
def test_what_the_glossary_knows_as_one_thing_is_not_taught_by_its_parts(
    question: str, said: list[str], name: str
) -> None:
    words = [
        one for one in content_words(question) if one in ("bucket", "sort", "graph", "search", "正交", "矩阵", "跳表")
    ]
    units = [replace(unit_of(one, lambda _: 1.0), is_known=one != "正交") for one in words]
    found = kinds_of_concepts(units, question, tuple, CourseLectures((one_lecture(*said),)))
    assert [one.label for one in found if not one.is_known and one.label not in words] == ([name] if name else [])


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (["Dijkstra's algorithm has two stacks.", "A path is short."], "Dijkstra's shortest path algorithm"),
        (["Dijkstra found a shortest path."], ""),
    ],
)
def test_what_is_called_after_somebody_is_not_another_thing_of_theirs(said: list[str], name: str) -> None:
    question = "How does Dijkstra's shortest path algorithm work?"
    names = ("Dijkstra", "shortest path", "algorithm")
    units = [replace(unit_of(one, lambda _: 1.0), is_known=True) for one in names]
    found = kinds_of_concepts(units, question, tuple, CourseLectures((one_lecture(*said),)))
    assert [one.label for one in found if not one.is_known] == ([name] if name else [])


def test_a_thing_that_is_not_taught_is_named_beside_what_it_is_compared_with(composed_by: Asker) -> None:
    text = composed_by("what is the difference between a stack and a splay queue?").text
    assert "I did not find splay queue" in text


def test_what_does_something_is_not_what_is_done() -> None:
    assert all(map(is_doer, ("calculator", "interpreter", "optimizers")))
    assert not any(map(is_doer, ("compiler", "parameter", "interpreted", "later")))


def test_a_concept_with_words_that_add_nothing_is_defined(composed_by: Asker) -> None:
    assert composed_by("What is a stack structure?").text.startswith(composed_by("What is a stack?").text[:40])
    assert composed_by("What is a stack exactly?").coverage == composed_by("What is a stack?").coverage


@pytest.mark.parametrize("question", ["can a stack get stuck?", "is a queue any good?"])
def test_a_sentence_that_only_names_the_thing_says_neither_yes_nor_no(composed_by: Asker, question: str) -> None:
    assert not composed_by(question).text.startswith(("Yes", "No"))


def test_a_concepts_own_thing_that_is_defined_without_its_name_is_defined(composed_by: Asker) -> None:
    assert composed_by("What is a stack queue?").text.startswith(rows.QUEUE.removesuffix("."))
    assert "says nothing about a confusion queue" in composed_by("What is a confusion queue?").text


def test_what_a_word_is_of_its_owner_is_told_by_the_sentence_that_says_so(composed_by: Asker) -> None:
    assert composed_by("What is the height of a stack?").text.startswith("The height of a stack is the number")
    assert "The word capacity means the greatest height." in composed_by("What is the capacity of a stack?").text


def test_a_concept_of_any_owner_is_the_concept() -> None:
    thing, owner = (QuestionUnit(label, (frozenset({label}),), 1.0, f"en:{label}") for label in ("stack", "list"))
    assert drop_general_owner("what is the stack of a list", (thing, owner)) == (thing,)
    assert drop_general_owner("what is the stack of the list", (thing, owner)) == (thing, owner)


def test_what_kind_of_thing_it_is_is_no_part_of_what_is_asked_about() -> None:
    thing, kind = unit_of("跷跷板", lambda _: 1.0), QuestionUnit("实验", (frozenset({"实验"}),), 1.0, "zh:实验")
    assert drop_general_owner("跷跷板是什么实验？", (kind, thing)) == (thing,)
    assert drop_general_owner("实验是什么", (kind,)) == (kind,)
    assert drop_general_owner("是什么实验", (kind,)) == (kind,)


def test_what_is_deep_and_learns_is_no_deep_learning() -> None:
    lectures = CourseLectures((one_lecture("A deep tree is slow.", "Learning from deep trees is slow."),))
    unit = replace(unit_of("deep learning", lambda term: 2.0 if term == NEVER else 1.0), weight=1.0)
    assert not unit_as_named(unit, tuple, lectures).is_known
    said = CourseLectures((one_lecture("This is called deep learning."),))
    assert unit_as_named(unit, tuple, said).is_known


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("Floyd-Warshall algorithm", "Floyd-Warshall"),
        ("SSA form", "SSA"),
        ("static single assignment form", "static single assignment"),
        ("transfer function", ""),
        ("heapsort method", "heapsort"),
        ("heapsort", ""),
        ("binary search tree", ""),
        ("跷跷板效应", "跷跷板"),
        ("跷跷板", ""),
    ],
)
def test_a_last_word_that_says_only_the_kind_of_a_thing_is_no_part_of_its_name(name: str, bare: str) -> None:
    assert without_kind(name) == bare


def test_a_thing_is_defined_though_no_text_has_the_word_for_its_kind_behind_its_name() -> None:
    said = ["Static assignment gives each value a name of its own.", "What a form is, we skip."]
    units = tuple(unit_of(word, lambda _: 1.0) for word in ("static", "assignment", "form"))
    whole = unit_of("static assignment form", lambda _: 1.0)
    lectures = CourseLectures((one_lecture("Static assignment comes last."),))
    assert units_to_define(units, whole, lambda: said, lectures) == units[:2]
    effect = QuestionUnit("效应", (frozenset({"效应"}),), 1.0, "zh:效应")
    named = unit_of("跷跷板效应", lambda _: 1.0)
    [bare] = units_to_define([effect], named, lambda: ["最有名的是跷跷板。"], CourseLectures(()))
    assert (bare.label, bare.is_known) == ("跷跷板", True)
    whole = unit_of("transfer form", lambda _: 1.0)
    assert not units_to_define(units, whole, lambda: ["We transfer it."], CourseLectures(()))[0].is_known


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What is the simplex method?", "the simplex method"),
        ("what is a simplex method and how does it work", "a simplex method"),
        ("what is simplex method", "simplex method"),
        ("is the simplex method solver here", "simplex method"),
    ],
)
def test_a_thing_that_is_denied_is_named_with_the_article_of_the_question(question: str, named: str) -> None:
    assert with_articles(["simplex method"], question) == [named]


@pytest.mark.parametrize(
    ("text", "name", "is_said"),
    [
        ("A rigid joint keeps its angle. And a hinged one turns.", "hinged joint", True),
        ("Rigid joints are stiff, hinged ones turn.", "hinged joints", True),
        ("A hinged door is one that turns.", "hinged joint", False),
        ("One joint is enough.", "joint", False),
    ],
)
def test_a_kind_is_said_by_its_own_word_and_one(text: str, name: str, *, is_said: bool) -> None:
    assert says_with_one(text, name) is is_said


def test_a_kind_that_is_said_with_one_is_no_unknown_thing() -> None:
    texts = ("A rigid joint keeps its angle.", "And a hinged one turns about its pin.", "Joints carry loads.")
    units = [unit_of(one, lambda _: 1.0) for one in ("hinged", "joint")]
    defined = units_to_define(units, unit_of("hinged joint", lambda _: 1.0), lambda: texts, CourseLectures())
    assert [one.label for one in defined] == ["hinged", "joint"]
    others = units_to_define(units, unit_of("hinged joint", lambda _: 1.0), lambda: texts[::2], CourseLectures())
    assert [(one.label, one.is_known) for one in others] == [("hinged joint", False)]
