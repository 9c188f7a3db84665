"""Questions in a Markdown document that are bold or marked with a picture, and what is not for the reader's eyes."""

import pytest
from course_files import WriteCourse

from knowledge_graph.lake.records import CourseCard, DocumentSection
from knowledge_graph.sources.documents import read_documents
from knowledge_graph.sources.headed_text import markdown_parts

CARD = CourseCard("trees", "Trees", "en")


def parts(text: str) -> list[tuple[str | None, str]]:
    return list(markdown_parts(text).parts)


def test_each_bold_question_heads_its_own_answer() -> None:
    text = (
        "# Interview\n\n## Validation\n\n**What is overfitting? 👶**\n\nIt fits too well.\n\n<br/>\n\n"
        "**Why is data split? \u200d⭐️**\n\nTo measure.\n\n## Trees\n**What is a leaf?**\nIt has no children.\n"
    )
    assert parts(text) == [
        ("Validation › What is overfitting?", "It fits too well."),
        ("Validation › Why is data split?", "To measure."),
        ("Trees › What is a leaf?", "It has no children."),
    ]


@pytest.mark.parametrize(
    "line", ["### What is a heap? 🚀", "🚀 What is a heap?", "What is a heap? ⭐️", "__What is a heap?__ 👶"]
)
def test_a_question_is_told_without_its_mark(line: str) -> None:
    assert parts(f"{line}\n\nA tree.\n") == [("What is a heap?", "A tree.")]


def test_a_bold_number_begins_a_task_of_its_own() -> None:
    text = "**1)** The number of ads.\n\nOne row.\n\n**2) Mean**. Compute it.\n\nSum by count.\n"
    assert parts(text) == [("1) The number of ads.", "One row."), ("2) Mean. Compute it.", "Sum by count.")]


@pytest.mark.parametrize(
    "text",
    [
        "**No phones.**\n\n**No bags.**\n",
        "**Late work is not accepted.**\n",
        "A pen.\n**Not a pencil**\nand paper.\n",
        "**Usage:**\n\nRead it.\n",
        "What is a heap?\n\nA tree.\n",
        "```\n\n**x**\n\n```\n\ny\n",
    ],
)
def test_what_is_only_made_much_of_is_no_heading_and_is_not_lost(text: str) -> None:
    found = parts(text)
    assert [heading for heading, _ in found] == [None]
    said = found[0][1].replace("*", "")
    assert all(word in said for word in text.replace("*", "").replace("`", "").split())


def test_a_question_that_waits_for_its_answer_has_none() -> None:
    assert parts("## What is ranking?\n\nAnswer here\n\n## What is search?\n\nTo find.\n") == [
        ("What is search?", "To find.")
    ]


def test_a_list_of_links_into_the_document_is_no_part_of_it() -> None:
    assert parts("## Contents\n\n* [Trees](#trees)\n* [Heaps](#heaps)\n\n## Trees\n\nSee [heaps](#heaps).\n") == [
        ("Trees", "See heaps.")
    ]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("It takes O(n<sup>2</sup>) time.", "It takes O(n^2) time."),
        ("one<br/>two", "one two"),
        ("<b>M</b>ean", "Mean"),
        ("with *p* and *q r*", "with p and q r"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("write `<br>` or `a*b*c`", "write <br> or a*b*c"),
        ("List<String> and a < b > c", "List<String> and a < b > c"),
    ],
)
def test_tags_and_stars_are_not_shown(line: str, shown: str) -> None:
    assert parts(f"{line}\n") == [(None, shown)]


def test_a_numbered_task_is_found_by_its_number(write_course: WriteCourse) -> None:
    folder = write_course({"documents/tasks.md": "## SQL\n\n**3) Clicks**. Count them.\n\nSum.\n"})
    sections: tuple[DocumentSection, ...] = read_documents(folder, CARD)[0]
    assert [(one.article, one.heading) for one in sections] == [("3", "SQL › Clicks. Count them.")]
