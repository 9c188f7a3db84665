"""Courses whose lectures are transcripts without times, in both languages, built and asked: cited by paragraph."""

import re

import pytest
from answered_at_home import ask_at_home
from small_courses import Place, write_course

from knowledge_graph.lake.records import Locator
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.text.time_code import paragraph_of
from serving.assistant.answer import Answer
from serving.gateway.links import reference_path

pytestmark = pytest.mark.slow

HEAPS = """# Binary heaps

A binary heap is a complete binary tree in which every node has a key that is at most as large as those of its children.

To insert an element, we put it at the end of the array and let it rise. This is called sift-up, and sift-up takes
logarithmic time, because the tree has logarithmic height.

Building a binary heap from n elements takes linear time when we sift down from the last inner node to the root.
"""
SORTING = """Heapsort is a sorting algorithm that builds a binary heap and then removes the largest element repeatedly.

Heapsort is not stable, because swapping the root with the last leaf moves an element across the whole array.
"""
DUI = """优先队列是一种按关键字大小取出元素的数据结构。每次取出的元素，关键字都是最小的。这一讲先讲它的三种基本操作。

二叉堆是一棵完全二叉树，每个结点的关键字都不大于它的孩子。因为树是完全的，所以可以直接存放在数组里，不需要指针。

插入一个元素时，把它放在数组的末尾，再让它上浮。上浮的时间是对数级的，因为完全二叉树的高度是对数级的。
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(tmp_path_factory.mktemp("untimed"))
    write_course(
        place.courses / "heaps",
        {"transcripts/01 - Binary heaps.md": HEAPS, "transcripts/02 - Heapsort.txt": SORTING},
    )
    write_course(place.courses / "dui", {"course.yaml": "title: 堆\nlang: zh\n", "transcripts/第1讲 堆.txt": DUI})
    code, printed = place.build()
    assert code == 0, printed
    assert "input_is_clean" not in printed
    return place


A_TIME = re.compile(r"\d:\d\d")


def ask(place: Place, course: str, question: str) -> Answer:
    """As a student is answered: no model has passed an exam here, so that the course's own sentences are."""
    return ask_at_home(place.data_dir, [question], course)[0].answer


@pytest.mark.parametrize(
    ("course", "question", "label", "address"),
    [
        ("heaps", "What is a binary heap?", "Binary heaps, paragraph 1", "01%20-%20Binary%20heaps?paragraph=1"),
        ("heaps", "Why is heapsort not stable?", "Heapsort, paragraph 2", "02%20-%20Heapsort?paragraph=2"),
        ("dui", "什么是二叉堆？", "第1讲 堆，第 2 段", "%E7%AC%AC1%E8%AE%B2%20%E5%A0%86?paragraph=2"),
    ],
)
def test_an_answer_cites_the_paragraph_and_opens_there(
    place: Place, course: str, question: str, label: str, address: str
) -> None:
    answer = ask(place, course, question)
    labels = {reference.label: reference for reference in answer.references}
    assert label in labels, (answer.text, list(labels))
    assert reference_path(labels[label]) == f"/courses/{course}/videos/{address}"
    assert not A_TIME.search(answer.text + " ".join(labels))


@pytest.mark.parametrize(
    ("course", "question", "said"),
    [
        ("heaps", "Where is sift-up explained?", "Binary heaps, from ¶2"),
        ("heaps", "What is lecture 2 about?", "¶2 Heapsort is not stable"),
        ("dui", "二叉堆在哪里讲到？", "¶2"),
    ],
)
def test_places_and_summaries_name_paragraphs(place: Place, course: str, question: str, said: str) -> None:
    answer = ask(place, course, question)
    assert said in answer.text
    assert not A_TIME.search(answer.text)


def test_what_they_teach_is_in_the_graph_in_the_order_of_the_lectures(place: Place) -> None:
    concepts = {row["name"]: row for row in read_rows(place.data_dir.table("concepts", "heaps"))}
    heap = concepts["binary heap"]
    assert heap["definition"].startswith("A binary heap is a complete binary tree")
    assert Locator(**heap["definition_locator"]).paragraph == 1
    sentences = read_rows(place.data_dir.table("lecture_sentences", "heaps"))
    assert [(row["video_index"], paragraph_of(row["start_ms"])) for row in sentences] == [
        (0, 1),
        (0, 2),
        (0, 2),
        (0, 3),
        (1, 1),
        (1, 2),
    ]


def test_the_map_of_the_course_names_paragraphs(place: Place) -> None:
    page = place.data_dir.concept_map("heaps").read_text(encoding="utf-8")
    assert "¶1" in page
    assert "277:" not in page  # what a place of a paragraph would be, read as a time
