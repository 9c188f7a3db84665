"""How lists, terms, code and tables of a page are laid out in a section's text, and what only leads elsewhere."""

import pytest
from course_files import WriteCourse

from knowledge_graph.lake.records import CourseCard
from knowledge_graph.sources.articles import join_paragraphs
from knowledge_graph.sources.documents import read_documents
from knowledge_graph.sources.headed_text import html_parts, markdown_parts
from knowledge_graph.text.layout import LayoutBlock, item_line, layout_of


def text_of(html: str) -> list[str]:
    return [line for _, text in html_parts(f"<html><body>{html}</body></html>").parts for line in text.splitlines()]


def test_items_of_a_page_are_items_numbered_and_nested_as_they_are() -> None:
    html = "<p>Phases:</p><ol><li><p>Lexing</p><ul><li>tokens</li></ul></li><li>Parsing</li></ol>"
    assert text_of(html) == ["Phases:", "1. Lexing", "  - tokens", "2. Parsing"]


def test_a_list_of_terms_says_each_term_with_its_meaning() -> None:
    html = "<dl><dt>Lexer</dt><dd>Makes tokens.</dd><dt>Parser</dt><dd>Makes a tree.</dd></dl>"
    assert text_of(html) == ["- Lexer: Makes tokens.", "- Parser: Makes a tree."]


def test_paragraphs_in_the_cells_of_a_table_are_one_row() -> None:
    html = "<table><tr><td><p>Exam</p></td><td><p>30 %</p></td></tr><tr><td>Report</td><td>70 %</td></tr></table>"
    assert text_of(html) == ["Exam | 30 %", "Report | 70 %"]


def test_code_of_a_page_keeps_its_lines() -> None:
    assert text_of("<p>So:</p><pre><code>if x:\n    y()</code></pre><p>Done.</p>") == [
        *("So:", "```", "if x:", "    y()", "```", "Done.")
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Go back to the <a href='/x'>activities</a> for a list of all of them.",
        "<a href='/x'>Back to top</a> | <a href='/y'>Next page</a>",
        "<a href='/x'>Downloadable transcripts</a>",
        "Click the next arrow at the bottom of the screen.",
        "\u200b",
    ],
)
def test_a_line_that_only_leads_elsewhere_is_left_out(line: str) -> None:
    assert text_of(f"<p>A heap is a tree.</p><p>{line}</p>") == ["A heap is a tree."]


@pytest.mark.parametrize(
    "line",
    [
        "<a href='/x'>Graphic organizers</a>",
        "Next, the rows are split.",
        "Go to the left child when the key is smaller.",
        "Return to the caller is what the instruction does; the value stands in a register.",
    ],
)
def test_a_line_that_says_something_stays(line: str) -> None:
    assert len(text_of(f"<p>A heap is a tree.</p><p>{line}</p>")) == 2


def test_code_and_nested_items_of_markdown_keep_their_place() -> None:
    text = "# Sorting\n\n- stable\n  - merge sort\n- unstable\n\n```python\ndef sort(a):\n\n    return a\n```\n"
    ((_, said),) = markdown_parts(text).parts
    assert said.splitlines() == [
        "- stable",
        "  - merge sort",
        "- unstable",
        "```",
        "def sort(a):",
        "",
        "    return a",
        "```",
    ]


def test_a_numbered_list_loses_no_item_though_its_numbers_might_be_articles(write_course: WriteCourse) -> None:
    html = "<p>Here they are:</p><ol><li>Graphic organizers</li><li>Chunking Steps</li></ol>"
    folder = write_course({"documents/scaffolds.html": f"<title>Scaffolds</title>{html}"})
    (section,), _ = read_documents(folder, CourseCard("trees", "Trees", "en"))
    assert section.text == "Here they are:\n1. Graphic organizers\n2. Chunking Steps"


def test_code_that_never_ends_is_ended() -> None:
    assert join_paragraphs(["So:", "```", "a", "b"]) == "So:\n```\na\nb\n```"


def test_a_layout_is_read_as_it_was_written() -> None:
    lines = [
        "A list:",
        item_line("one"),
        item_line("two", 1),
        item_line("three", 0, "2."),
        "a | b",
        "```",
        "x = 1",
        "```",
    ]
    assert list(layout_of("\n".join(lines))) == [
        LayoutBlock("paragraph", "A list:"),
        LayoutBlock("item", "one"),
        LayoutBlock("item", "two", 1),
        LayoutBlock("item", "three", 0, "2."),
        LayoutBlock("row", "a | b"),
        LayoutBlock("code", "x = 1"),
    ]
    assert [one.mark for one in layout_of("\n".join(lines))] == ["", "- ", "  - ", "2. ", "", ""]
