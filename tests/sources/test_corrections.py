"""Corrections from the console beside a course's files: the file wins, then the newest."""

from knowledge_graph.lake.records import Statement, StatementKind, TeacherEdit
from knowledge_graph.sources.corrections import add_corrections


def edit(
    number: int, kind: StatementKind, subject: str, second: str | None = None, says: str | None = None
) -> TeacherEdit:
    return TeacherEdit("trees", str(number), kind, subject, second, says, "Dr. Rivera", f"2026-03-0{number}T12:00:00")


def in_file(kind: StatementKind, subject: str, second: str | None = None, row: int = 3) -> Statement:
    return Statement("trees", kind, "teacher", subject, second, None, "graph.yaml", row)


def test_a_correction_is_a_teachers_statement() -> None:
    found = add_corrections([], [edit(1, "concept", "heap", says="A tree in order.")])
    assert found.statements == (
        Statement("trees", "concept", "teacher", "heap", None, "A tree in order.", "console, by Dr. Rivera", 1),
    )
    assert found.problems == ()


def test_the_file_wins_and_both_places_are_told() -> None:
    said = in_file("concept", "heap")
    found = add_corrections([said], [edit(1, "no_concept", "leaf"), edit(2, "no_concept", "Heaps")])
    assert [(each.subject, each.file) for each in found.statements] == [
        ("heap", "graph.yaml"),
        ("leaf", "console, by Dr. Rivera"),
    ]
    (problem,) = found.problems
    assert "That 'Heaps' is no concept contradicts graph.yaml:3; it was left out." in str(problem)


def test_the_newest_of_two_corrections_counts_and_nobody_is_told_off() -> None:
    found = add_corrections([], [edit(1, "concept", "heap"), edit(2, "no_concept", "heap"), edit(3, "concept", "leaf")])
    assert [(each.kind, each.subject, each.row) for each in found.statements] == [
        ("concept", "leaf", 3),
        ("no_concept", "heap", 2),
    ]
    assert (found.problems, found.superseded) == ((), 1)


def test_a_seed_that_is_rejected_stays_in_the_table_and_loses_where_it_is_applied() -> None:
    seed = Statement("trees", "concept", "seed", "heap", None, None, "seeds.txt", 1)
    found = add_corrections([seed], [edit(1, "no_concept", "heap")])
    assert [each.given_by for each in found.statements] == ["seed", "teacher"]
    assert found.problems == ()


def test_a_circle_with_the_file_is_left_out() -> None:
    said = in_file("prerequisite", "tree", "heap")
    found = add_corrections([said], [edit(1, "prerequisite", "heap", "tree")])
    assert found.statements == (said,)
    assert len(found.problems) == 1


def test_a_name_that_is_none_and_a_pair_without_its_second_are_told() -> None:
    found = add_corrections([], [edit(1, "no_concept", "???"), edit(2, "prerequisite", "tree")])
    assert found.statements == ()
    assert {problem.file for problem in found.problems} == {"console, by Dr. Rivera"}
    assert len(found.problems) == 2
