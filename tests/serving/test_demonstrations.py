"""The collection of demonstrations: what every one must be, and which one a question gets."""

import asyncio
import csv
import json
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
import yaml

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.assistant import Assistant
from serving.assistant.generation.demonstrations import (
    COLLECTION,
    Demonstration,
    DemonstrationsBroken,
    load_demonstrations,
    read_own,
    sample_similar,
)
from serving.assistant.understanding.complexity import complexity
from serving.index.search import SearchIndex
from serving.settings import Settings

EXAMPLES = Path(__file__).parents[2] / "examples"

KINDS = ("comparison", "method", "reason", "instance", "recommendation", "other")

MOST_WORDS = {"reasoning": 60, "answer": 40}
MOST_CHARACTERS = 120
"""What a demonstration may cost: words of English, characters of Chinese. Choices."""


def by_id(demonstration: Demonstration) -> str:
    return demonstration.id


@pytest.fixture(params=load_demonstrations(), ids=by_id)
def one(request: pytest.FixtureRequest) -> Demonstration:
    assert isinstance(request.param, Demonstration)
    return request.param


def test_there_are_at_least_thirty_and_every_id_is_used_once() -> None:
    ids = [one.id for one in load_demonstrations()]
    assert len(ids) >= 30
    assert len(ids) == len(set(ids))


def test_every_kind_has_at_least_two_in_each_language() -> None:
    found = Counter((one.lang, one.kind) for one in load_demonstrations())
    assert set(found) == {(lang, kind) for lang in ("en", "zh") for kind in KINDS}
    assert min(found.values()) >= 2


def test_every_row_of_the_file_has_the_same_fields_as_text() -> None:
    rows = yaml.safe_load(COLLECTION.read_text(encoding="utf-8"))
    fields = {"id", "lang", "kind", "question", "reasoning", "answer", "author", "date"}
    assert {frozenset(row) for row in rows} == {frozenset(fields)}
    assert all(isinstance(row[name], str) and row[name] for row in rows for name in fields - {"date"})


def test_a_demonstration_names_its_language_kind_origin_and_day(one: Demonstration) -> None:
    assert one.id.startswith(f"{one.lang}-{one.kind}-")
    assert one.author == "coteach project"
    assert "2026-11-21" <= one.date <= "2026-12-31"


def test_a_demonstration_is_short(one: Demonstration) -> None:
    for name, most in MOST_WORDS.items():
        text = str(getattr(one, name))
        assert (len(text) <= MOST_CHARACTERS) if one.lang == "zh" else (len(text.split()) <= most)


def test_the_wording_of_a_demonstration_is_of_its_kind(one: Demonstration) -> None:
    assert complexity(one.question, is_complex=True) == one.kind


def test_a_demonstration_is_one_line_without_marks_of_evidence(one: Demonstration) -> None:
    text = one.question + one.reasoning + one.answer
    assert "\n" not in text
    assert "[" not in text


def own_file(folder: Path, *rows: dict[str, object]) -> Path:
    usual = {"id": "t1", "lang": "en", "kind": "comparison", "question": "How do heat and work differ?"}
    usual |= {
        "reasoning": "Heat flows\n by itself.",
        "answer": "Work is ordered.",
        "author": "Ines",
        "date": "2026-11-01",
    }
    usual["date"] = "2026-11-01"
    path = folder / "own.yaml"
    path.write_text(yaml.safe_dump([{**usual, **row} for row in rows]), encoding="utf-8")
    return path


def test_what_a_teacher_wrote_stands_before_the_programs_in_its_course_alone(
    tmp_path: Path, graph: ConceptGraph, index: SearchIndex
) -> None:
    path = own_file(tmp_path, {"id": "of-ds", "course": "ds"}, {"id": "other", "kind": "method", "course": None})
    settings = Settings(home=tmp_path).model_copy(update={"own_demonstrations": path, "demonstrations": 1})
    assistant = Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings)

    def shown(course_id: str | None) -> str:
        asked = "What is the difference between a stack and a queue?"
        _, plan = asyncio.run(assistant.plan_teaching(asked, course_id=course_id))
        return "\n".join(message.content for message in plan.messages)

    assert "Heat flows by itself." in shown("ds")
    assert "Heat flows by itself." not in shown(None)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"kind": "simple"}, "entry 2: kind must be comparison or method"),
        ({"author": ""}, "author is empty"),
        ({"answer": None}, "missing or unknown: answer"),
        ({"autor": "Ines"}, "missing or unknown: autor"),
        ({"id": "first"}, "these ids stand there twice or more: first"),
    ],
)
def test_a_file_of_a_teacher_that_cannot_be_used_says_where_and_what(
    tmp_path: Path, row: dict[str, object], told: str
) -> None:
    with pytest.raises(DemonstrationsBroken, match=told):
        read_own(own_file(tmp_path, {"id": "first"}, row))
    (tmp_path / "own.yaml").write_text("id: no list\n", encoding="utf-8")
    with pytest.raises(DemonstrationsBroken, match="expected a list"):
        read_own(tmp_path / "own.yaml")
    with pytest.raises(DemonstrationsBroken, match="cannot be read"):
        read_own(tmp_path / "gone.yaml")


def test_no_demonstration_asks_what_the_sample_courses_are_asked() -> None:
    asked = {_plain(question) for question in chain(_faq_questions(), _labelled_questions())}
    assert len(asked) >= 70
    assert not asked & {_plain(one.question) for one in load_demonstrations()}


def _faq_questions() -> list[str]:
    found = []
    for path in (EXAMPLES / "courses").glob("*/faq.csv"):
        with path.open(encoding="utf-8", newline="") as lines:
            found += [row["question"] for row in csv.DictReader(lines)]
    for path in (EXAMPLES / "courses").glob("*/faq.jsonl"):
        found += [json.loads(line)["question"] for line in path.read_text(encoding="utf-8").splitlines()]
    return found


def _labelled_questions() -> list[str]:
    """Of every file of questions with their answers or references."""
    found = []
    for path in (EXAMPLES / "courses").glob("*/gold/*.jsonl"):
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found += [row["question"] for row in rows]
    return found


def _plain(question: str) -> str:
    return "".join(character for character in question.casefold() if character.isalnum())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the difference between a stack and a queue?", "en-comparison-1"),
        ("Compare merge sort and quicksort.", "en-comparison-2"),
        ("How does heat differ from temperature?", "en-comparison-3"),
        ("How do I reverse a string?", "en-method-1"),
        ("How can I find the mean of some numbers?", "en-method-2"),
        ("What are the steps to solve a linear equation?", "en-method-3"),
        ("Why is quicksort faster than bubble sort?", "en-reason-1"),
        ("Why does a minimum wage above the market wage lead to unemployment?", "en-reason-2"),
        ("What causes a segmentation fault in a C program?", "en-reason-3"),
        ("Can you give an example of polymorphism?", "en-instance-1"),
        ("What is an example of a chemical reaction without oxygen?", "en-instance-2"),
        ("What is a stack used for?", "en-instance-3"),
        ("What should I learn before graph algorithms?", "en-recommendation-1"),
        ("Which textbook do you recommend for a beginner?", "en-recommendation-3"),
        ("Show that the product of two odd numbers is odd.", "en-other-1"),
        ("What happens when a page is not in memory?", "en-other-3"),
        ("栈和队列的区别？", "zh-comparison-1"),
        ("传导与辐射有何不同？", "zh-comparison-2"),
        ("怎么判断图有没有环？", "zh-method-1"),
        ("怎样计算方差？", "zh-method-2"),
        ("如何写好实验报告？", "zh-method-3"),
        ("为什么快速排序要求选好枢轴？", "zh-reason-1"),
        ("为什么酶能加快反应？", "zh-reason-2"),
        ("能举一个多态的例子吗？", "zh-instance-1"),
        ("生活中有哪些使用栈的例子？", "zh-instance-2"),
        ("积分有什么实际应用？", "zh-instance-3"),
        ("学操作系统之前，建议补哪些基础？", "zh-recommendation-1"),
        ("数据很少，推荐用哪种模型？", "zh-recommendation-2"),
        ("想学动态规划，该先学什么？", "zh-recommendation-3"),
        ("证明质数有无穷多个。", "zh-other-1"),
    ],
)
def test_a_question_gets_the_demonstration_that_is_most_like_it(question: str, expected: str) -> None:
    lang = "zh" if expected.startswith("zh") else "en"
    kind = complexity(question, is_complex=True)
    found = sample_similar(question, load_demonstrations(), lang=lang, kind=kind)
    assert [one.id for one in found] == [expected]


def test_a_simple_question_gets_the_nearest_of_any_kind() -> None:
    found = sample_similar("What is overfitting?", load_demonstrations(), lang="en", kind=None)
    assert [one.id for one in found] == ["en-reason-3"]
