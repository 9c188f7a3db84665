"""Gold lists of a course folder: read in the form they are published in, defects told."""

import pytest
from course_files import WriteCourse

from knowledge_graph.lake.tables import digest
from knowledge_graph.sources.folders import input_digest
from knowledge_graph.sources.gold import Gold, LabelledPair, read_gold

CONCEPTS = "2d tree::;2d trees\nheap\n"
PAIRS = "2d tree\t\tbinary tree\t\t1-\nheap\t\tsorting\t\t-1\nheap\t\tfog\t\t-\n"


def test_concepts_and_pairs_are_read_as_they_are_published(write_course: WriteCourse) -> None:
    folder = write_course({"gold/concepts.txt": CONCEPTS, "gold/prerequisites.tsv": PAIRS})
    gold, problems = read_gold(folder)
    assert problems == ()
    assert gold.concepts == (("2d tree", "2d trees"), ("heap",))
    assert [(pair.first, pair.second, pair.prerequisite) for pair in gold.pairs] == [
        ("2d tree", "binary tree", "binary tree"),
        ("heap", "sorting", "heap"),
        ("heap", "fog", None),
    ]
    assert gold.concepts_digest == digest(folder.path / "gold" / "concepts.txt")
    assert gold.pairs_digest == digest(folder.path / "gold" / "prerequisites.tsv")


def test_a_course_without_gold_has_none(write_course: WriteCourse) -> None:
    assert read_gold(write_course({"a.srt": ""})) == (Gold(), ())


def test_a_row_without_a_label_is_told_with_its_line(write_course: WriteCourse) -> None:
    gold, (problem,) = read_gold(write_course({"gold/prerequisites.txt": PAIRS + "heap\tqueue\n"}))
    assert len(gold.pairs) == 3
    assert (problem.file, problem.line) == ("gold/prerequisites.txt", 4)


def test_files_of_other_names_and_second_files_are_told(write_course: WriteCourse) -> None:
    files = {"gold/concepts.tsv": "heap", "gold/concepts.txt": CONCEPTS, "gold/notes.txt": "by Ada"}
    gold, problems = read_gold(write_course(files))
    assert gold.concepts == (("heap",),)
    assert [problem.file for problem in problems] == ["gold/concepts.txt", "gold/notes.txt"]


def test_another_gold_list_is_another_version_of_the_input(write_course: WriteCourse) -> None:
    before = input_digest(write_course({"gold/concepts.txt": CONCEPTS}), "gold")
    after = input_digest(write_course({"gold/concepts.txt": CONCEPTS + "queue\n"}), "gold")
    assert before != after


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("heap tree 1-", "Expected three fields between tabs, found 1; the row was left out."),
        ("heap\t\ttree", "Expected three fields between tabs, found 2; the row was left out."),
        ("heap\ttree\tyes", "Unknown label 'yes'; the row was left out."),
        ("Trees\ttree\t-", "Both names are of one concept, 'Trees'; the row was left out."),
    ],
)
def test_a_bad_row_is_told_with_its_line_and_left_out(write_course: WriteCourse, row: str, message: str) -> None:
    gold, problems = read_gold(write_course({"gold/prerequisites.tsv": f"# by Ada\nheap\ttree\t-\n{row}\n"}))
    assert gold.pairs == (LabelledPair("heap", "tree", None),)
    assert [(one.file, one.line, one.message) for one in problems] == [("gold/prerequisites.tsv", 3, message)]


def test_of_rows_that_contradict_each_other_the_first_counts_and_a_repeated_one_is_read_once(
    write_course: WriteCourse,
) -> None:
    rows = "heap\ttree\t1-\ntree\theap\t-1\ntree\theap\t1-\n"
    gold, problems = read_gold(write_course({"gold/prerequisites.tsv": rows}))
    assert gold.pairs == (LabelledPair("heap", "tree", "tree"),)
    assert [one.line for one in problems] == [3]
