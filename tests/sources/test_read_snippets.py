"""Recorded search replies, and lines that are none."""

import json

import pytest
from course_files import WriteCourse

from knowledge_graph.lake.records import CourseCard, Snippet
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


@pytest.mark.parametrize(
    ("headline", "text", "message"),
    [
        (" ", "A graph.", "Result 1 of 'tree' has no headline; it was left out."),
        ("Tree", "\n", "Result 1 of 'tree' has no text; it was left out."),
        (
            "h" * 2_001,
            "A graph.",
            "Result 1 of 'tree' was left out: its headline has 2,001 characters, the limit is 2,000.",
        ),
        (
            "Tree",
            "t" * 50_001,
            "Result 1 of 'tree' was left out: its text has 50,001 characters, the limit is 50,000.",
        ),
    ],
)
def test_a_result_that_is_blank_or_too_long_is_told_and_the_others_stay(
    write_course: WriteCourse, headline: str, text: str, message: str
) -> None:
    results = [{"headline": headline, "text": text}, {"headline": "Baum", "text": "Ein Graph."}]
    line = json.dumps({"query": "tree", "results": results})
    snippets, (problem,) = read_snippets(write_course({"snippets.jsonl": line}), CARD)
    assert [snippet.headline for snippet in snippets] == ["Baum"]
    assert (problem.file, problem.line, problem.message) == ("snippets.jsonl", 1, message)


def test_a_query_that_is_too_long_is_told(write_course: WriteCourse) -> None:
    line = json.dumps({"query": "q" * 2_001, "results": [{"headline": "Tree", "text": "A graph."}]})
    snippets, (problem,) = read_snippets(write_course({"snippets.jsonl": line}), CARD)
    assert snippets == ()
    assert problem.message.endswith("was left out: its query has 2,001 characters, the limit is 2,000.")


def test_deep_nesting_and_half_a_character_are_told_by_line(write_course: WriteCourse) -> None:
    good = r'{"query": "tree", "results": [{"headline": "Tree \ud83d", "text": "A graph."}]}'
    snippets, problems = read_snippets(write_course({"snippets.jsonl": "[" * 100_000 + f"\n{good}\n"}), CARD)
    assert [snippet.headline for snippet in snippets] == ["Tree \N{REPLACEMENT CHARACTER}"]
    assert [(problem.line, problem.severity) for problem in problems] == [(1, "error"), (2, "warning")]
    assert "nested too deeply" in problems[0].message


def test_a_file_that_is_gone_is_told(write_course: WriteCourse) -> None:
    folder = write_course({})
    (folder.path / "snippets.jsonl").symlink_to("gone.jsonl")
    snippets, (problem,) = read_snippets(folder, CARD)
    assert (snippets, problem.file, problem.severity) == ((), "snippets.jsonl", "error")


def test_a_file_of_nothing_but_bad_lines_is_told_in_short(write_course: WriteCourse) -> None:
    _, problems = read_snippets(write_course({"snippets.jsonl": "x\n" * 5_000}), CARD)
    assert len(problems) == 21
    assert problems[-1].message == "4,980 more like those above, from this line on."
