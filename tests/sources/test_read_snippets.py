"""Recorded search replies, and lines that are none."""

from course_files import WriteCourse

from knowledge_graph.records import CourseCard, Snippet
from knowledge_graph.sources.snippets import read_snippets

CARD = CourseCard("trees", "Trees", "en")


def test_results_keep_their_place_in_the_reply(write_course: WriteCourse) -> None:
    text = (
        '{"query": "tree", "results": [{"headline": "Tree", "text": "A graph.", "url": "https://x.org/t", '
        '"fetched_at": "2026-01-02"}, {"headline": "Empty"}, {"title": "Baum", "snippet": "树是一种图"}]}\n'
    )
    snippets, problems = read_snippets(write_course({"snippets.jsonl": text}), CARD)
    assert snippets == (
        Snippet("trees", "tree", 1, "Tree", "A graph.", "https://x.org/t", "2026-01-02", "en"),
        Snippet("trees", "tree", 3, "Baum", "树是一种图", None, None, "zh"),
    )
    assert [str(problem) for problem in problems] == [
        "snippets.jsonl:1: Result 2 of 'tree' has no text; it was left out. Add its 'text', or remove it."
    ]


def test_bad_lines_are_told_by_number_and_the_others_read(write_course: WriteCourse) -> None:
    good = '{"query": "tree", "results": [{"headline": "Tree", "text": "A graph."}]}'
    text = f'{good}\n{{"query": \n[1]\n{{"query": "heap"}}\n{{"results": []}}\n{good}\n'
    snippets, problems = read_snippets(write_course({"snippets.jsonl": text}), CARD)
    assert len(snippets) == 2
    assert [(problem.line, problem.message) for problem in problems] == [
        (2, "Not valid JSON: Expecting value at column 11."),
        (3, "Expected an object, found list."),
        (4, "The reply has no list 'results'; it was left out."),
        (5, "The reply has no query; it was left out."),
    ]


def test_a_course_without_snippets_has_none(write_course: WriteCourse) -> None:
    assert read_snippets(write_course({}), CARD) == ((), ())
