"""Which queries are sent, and which never."""

import pytest

from knowledge_graph.lake.records import Concept, CourseCard, DefinitionKind, Lang, SearchQuery
from knowledge_graph.sources.web.queries import QueryPlan, is_sendable, plan_queries, query_key

CARD = CourseCard("trees", "Trees", "en", subject="computer science")


def concept(name: str, rank: int, kind: DefinitionKind = "none", lang: str = "en") -> Concept:
    definition = None if kind == "none" else "It is."
    language: Lang = "zh" if lang == "zh" else "en"
    concept_id = f"{lang}:{name.lower()}"
    return Concept("trees", concept_id, name, (), language, rank, 0.5, definition, kind, None, (), 3, ())


def plan(concepts: list[Concept], asked: list[tuple[str, int]], limit: int = 50, send: bool = True) -> QueryPlan:
    return plan_queries(CARD, concepts, asked, max_queries=limit, send_questions=send)


def texts(found: QueryPlan) -> list[str]:
    return [query.query for query in found.queries]


def test_concepts_without_a_definition_are_asked_best_rank_first() -> None:
    found = plan([concept("AVL Tree", 3), concept("B-tree", 1, "subtitle"), concept("Bloom filter", 2)], [])
    assert found == QueryPlan(
        (
            SearchQuery("trees", "Bloom filter", "concept", "en:bloom filter", "en"),
            SearchQuery("trees", "AVL Tree", "concept", "en:avl tree", "en"),
        ),
        withheld=0,
        left_out=0,
    )


def test_a_concept_that_only_a_search_defined_is_asked_for_again_so_that_builds_agree() -> None:
    assert texts(plan([concept("Bloom filter", 1, "search"), concept("AVL", 2, "document")], [])) == ["Bloom filter"]


def test_a_short_name_takes_the_subject_with_it() -> None:
    names = [concept("stack", 1), concept("B-tree", 2), concept("AVL", 3), concept("栈", 4, lang="zh")]
    assert texts(plan(names, [])) == ["stack computer science", "B-tree", "AVL", "栈 computer science"]


def test_students_words_stay_in_the_house_unless_it_is_allowed() -> None:
    asked = [("how do skip lists work?", 1), ("what is a treap", 4)]
    assert texts(plan([], asked, send=False)) == []
    found = plan([], asked).queries
    assert [each.query for each in found] == ["what is a treap", "how do skip lists work?"]
    assert {(each.reason, each.concept_id) for each in found} == {("unanswered", None)}


@pytest.mark.parametrize(
    "question",
    [
        "why was ada@example.edu not graded",
        "call me on +44 20 7946 0958 about heaps",
        "138 0013 8000 上的作业",
        "my id is u20231234, where is my grade",
        "２０２３１２３４５６ 的成绩",
        "Student number 42: is my proof right?",
        "My name is Ada, can I resit?",
        "我叫小明，能补考吗",
        "我的学号登录不了",
        "加我微信讨论红黑树",
        "x" * 301,
    ],
)
def test_a_question_that_may_name_a_person_is_withheld_and_counted(question: str) -> None:
    assert not is_sendable(question)
    assert plan([], [(question, 9)]) == QueryPlan((), withheld=1, left_out=0)


@pytest.mark.parametrize(
    "question",
    [
        "what is O(n log n)?",
        "insert 5, 3, 8 into a heap",
        "红黑树的高度是多少？",
        "RFC 9110 and utf-8",
        "C++20 or C++23",
    ],
)
def test_an_ordinary_question_may_be_sent(question: str) -> None:
    assert is_sendable(question)


def test_queries_of_one_normal_form_are_sent_once() -> None:
    found = plan([concept("Red-black tree", 1)], [("red black trees?", 5), ("Red black  tree", 2), ("heaps?", 1)])
    assert texts(found) == ["Red-black tree", "heaps?"]
    assert query_key("Red-Black Trees?") == query_key("red black tree")


def test_questions_get_up_to_half_of_the_places() -> None:
    concepts = [concept(f"big tree {number}", number) for number in range(1, 9)]
    asked = [(f"what is topic {letter}?", 1) for letter in "abcdefgh"]
    found = plan(concepts, asked, limit=6)
    assert texts(found) == ["big tree 1", "big tree 2", "big tree 3"] + [f"what is topic {letter}?" for letter in "abc"]
    assert found.left_out == 10
    assert len(plan(concepts, asked[:1], limit=6).queries) == 6
    assert [query.reason for query in plan(concepts[:1], asked, limit=6).queries].count("unanswered") == 5
    assert plan(concepts, asked, limit=0).queries == ()
