"""What tells two questions apart that mean nearly the same: another week, another thing, the opposite."""

import pytest

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.same_question import are_told_apart

APART = [
    ("Is quiz 4 moved to another week?", "Is quiz 3 moved to another week?"),
    ("Is the midterm moved to another week?", "Is the final moved to another week?"),
    ("Why is the pivot not chosen at random?", "Why is the pivot chosen at random?"),
    ("What is the worst case cost of push?", "What is the amortised cost of push?"),
    ("What is the amortised cost of pop?", "What is the amortised cost of push?"),
    ("Why does a stack stay fast with random keys?", "Why does a stack get slow with sorted keys?"),
    ("When should I prefer probing over chaining?", "When should I prefer chaining over probing?"),
    ("What happens when two keys have different hashes?", "What happens when two keys have the same hash?"),
    ("How do I delete a node with one child?", "How do I delete a node with two children?"),
    ("What can a queue be used for in week 2?", "What can a stack be used for in week 2?"),
    ("Where is assignment 2 handed in?", "May assignment 2 be handed in twice?"),
    ("第四次作业可以用递归写吗？", "第三次作业可以用递归写吗？"),
    ("第三次测验可以用递归写吗？", "第三次作业可以用递归写吗？"),
    ("第三次作业什么时候交？", "第三次作业可以用递归写吗？"),
    ("期中考试可以带计算器吗？", "期末考试可以带计算器吗？"),
    ("循环队列为什么不用空出一个单元？", "循环队列为什么要空出一个单元？"),
]

THE_SAME = [
    ("is the third quiz in another week now?", "Is quiz 3 moved to another week?"),
    ("How can a node with both children be removed?", "How do I delete a node with two children?"),
    ("what is the reason that the pivot is random?", "Why is the pivot chosen at random?"),
    ("when is it better to use chaining instead of probing?", "When should I prefer chaining over probing?"),
    ("Are queues on the midterm exam?", "Does the midterm cover queues?"),
    ("第三次作业能不能用递归来实现？", "第三次作业可以用递归写吗？"),
    ("考期末的时候可不可以带计算器进去？", "期末考试可以带计算器吗？"),
    ("写第三次作业的时候用递归行不行？", "第三次作业可以用递归写吗？"),
]


@pytest.mark.parametrize(("asked", "wording"), APART)
def test_what_words_tell_apart_is_another_question_whichever_is_asked(
    asked: str, wording: str, graph: ConceptGraph
) -> None:
    assert are_told_apart(asked, wording, graph)


@pytest.mark.parametrize(("asked", "wording"), THE_SAME)
def test_the_same_question_in_other_words_is_not_told_apart(asked: str, wording: str, graph: ConceptGraph) -> None:
    assert not are_told_apart(asked, wording, graph)
