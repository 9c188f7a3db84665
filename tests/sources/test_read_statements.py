"""Seeds, a dataset's files and a teacher's edits as one table, and every line that does not fit told."""

import json
import re
from pathlib import Path

import pytest
from course_files import WriteCourse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.records import CourseCard, Statement
from knowledge_graph.sources import edits, statements, terms
from knowledge_graph.sources.contradictions import consistent, shortest_path
from knowledge_graph.sources.course import find_courses, input_digest, read_course_card
from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.importing import mooccubex_files
from knowledge_graph.sources.statements import read_statements
from knowledge_graph.sources.terms import LONGEST_DEFINITION, first_sentences

CARD = CourseCard("trees", "Trees", "en")
GRAPH = """\
accept: [gradient descent]
reject: [bunch of stuff]
rename: {grad descent: gradient descent}
merge:
  gradient descent: [steepest descent, LMS rule]
add:
  - {name: feature scaling, aliases: [normalisation of features], definition: Bringing features into one range.}
  - learning rate
prerequisites:
  accept: [[derivative, gradient descent]]
  reject: [[octave, gradient descent]]
"""


def said(found: tuple[Statement, ...]) -> list[tuple[str, str, str | None, int]]:
    return [(each.kind, each.subject, each.object, each.row) for each in found]


def test_every_section_of_the_edits_is_read_with_its_line(write_course: WriteCourse) -> None:
    found, problems = read_statements(write_course({"graph.yaml": GRAPH}), CARD)
    assert problems == ()
    assert {(each.course_id, each.given_by, each.file) for each in found} == {("trees", "teacher", "graph.yaml")}
    assert said(found) == [
        ("concept", "gradient descent", None, 1),
        ("no_concept", "bunch of stuff", None, 2),
        ("name", "grad descent", "gradient descent", 3),
        ("alias", "gradient descent", "steepest descent", 5),
        ("alias", "gradient descent", "LMS rule", 5),
        ("concept", "feature scaling", None, 7),
        ("alias", "feature scaling", "normalisation of features", 7),
        ("concept", "learning rate", None, 8),
        ("prerequisite", "derivative", "gradient descent", 10),
        ("no_prerequisite", "octave", "gradient descent", 11),
    ]
    assert [each.definition for each in found if each.definition] == ["Bringing features into one range."]


def test_the_examples_of_the_guide_are_read_without_a_problem(write_course: WriteCourse) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "teach-the-graph.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    names = ("graph.yaml", "seeds.txt", "concepts.jsonl", "prerequisites.jsonl")
    assert [kind for kind, _ in blocks] == ["yaml", "text", "json", "json"]
    found, problems = read_statements(write_course(dict(zip(names, (text for _, text in blocks), strict=True))), CARD)
    assert problems == ()
    assert {each.file for each in found} == set(names)


def test_chinese_edits_and_values_that_look_like_numbers_are_names(write_course: WriteCourse) -> None:
    text = "accept: [梯度下降, 2-3 树]\nmerge: {决策树: [yes 树, no 树]}\nprerequisites: {accept: [[导数, 梯度下降]]}\n"
    found, problems = read_statements(write_course({"graph.yml": text}), CARD)
    assert problems == ()
    assert [each.object or each.subject for each in found] == ["梯度下降", "2-3 树", "yes 树", "no 树", "梯度下降"]


def test_unknown_keys_are_told_with_a_suggestion(write_course: WriteCourse) -> None:
    text = "acept: [tree]\nprerequisites:\n  acccept: [[a, b]]\nadd:\n- {name: heap, alias: pile}\nwhatever: 1\n"
    found, problems = read_statements(write_course({"graph.yaml": text}), CARD)
    assert said(found) == [("concept", "heap", None, 5)]
    assert [(each.line, each.message, each.remedy) for each in problems] == [
        (1, "Unknown key 'acept' was ignored.", "Did you mean 'accept'?"),
        (3, "Unknown key 'acccept' was ignored.", "Did you mean 'accept'?"),
        (5, "Unknown key 'alias' was ignored.", "Did you mean 'aliases'?"),
        (
            6,
            "Unknown key 'whatever' was ignored.",
            "Allowed in graph.yaml: accept, reject, rename, merge, add, prerequisites.",
        ),
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("accept: {tree: heap}\n", 1, "Expected text, found a mapping; it was left out."),
        ("accept:\n- [tree]\n", 2, "Expected text, found a list; it was left out."),
        ("accept:\n- tree\n- ~\n", 3, "Expected text, found nothing; it was left out."),
        ("accept: ['12']\n", 1, "'12' was left out: it has no letter."),
        ("rename: [tree, heap]\n", 1, "Expected 'key: value', found a list; it was left out."),
        ("rename:\n  tree: [heap]\n", 2, "Expected text, found a list; it was left out."),
        ("merge: tree\n", 1, "Expected 'key: value', found text; it was left out."),
        ("merge: {[a]: b}\n", 1, "A key must be text, found a list; it was left out."),
        ("add:\n- {aliases: [tree]}\n", 2, "The concept has no name; it was left out."),
        ("add:\n- [tree]\n", 2, "Expected 'key: value', found a list; it was left out."),
        (
            "prerequisites:\n  accept: [tree, heap]\n",
            2,
            "Expected two names in brackets, found text; left out.",
        ),
        (
            "prerequisites:\n  accept:\n  - [a, b, c]\n",
            3,
            "Expected two names in brackets, found 3 names; left out.",
        ),
        ("- accept\n", 1, "Expected 'key: value', found a list; it was left out."),
        ("accept: [a\nreject: [b]\n", 2, "Not valid YAML: expected ',' or ']', but got ':'."),
    ],
)
def test_an_entry_that_does_not_fit_is_told_with_its_line(
    write_course: WriteCourse, text: str, line: int, message: str
) -> None:
    _, problems = read_statements(write_course({"graph.yaml": text}), CARD)
    assert (problems[0].file, problems[0].line, problems[0].message) == ("graph.yaml", line, message)
    assert problems[0].severity == "error"


def test_one_bad_entry_leaves_the_others(write_course: WriteCourse) -> None:
    text = "accept: [tree, {a: b}, heap]\nprerequisites:\n  accept: [[tree], [tree, heap]]\n"
    found, problems = read_statements(write_course({"graph.yaml": text}), CARD)
    assert [(each.kind, each.subject) for each in found] == [
        ("concept", "tree"),
        ("concept", "heap"),
        ("prerequisite", "tree"),
    ]
    assert len(problems) == 2


def test_an_empty_file_and_empty_sections_say_nothing(write_course: WriteCourse) -> None:
    files: dict[str, str | bytes] = {"graph.yaml": "accept:\nmerge: {}\nprerequisites:\n", "seeds.txt": "# none yet\n"}
    assert read_statements(write_course(files), CARD) == ((), ())
    assert read_statements(write_course({"graph.yaml": ""}), CARD) == ((), ())


def test_of_two_statements_that_contradict_the_first_counts(write_course: WriteCourse) -> None:
    text = """\
accept: [trees, heap]
reject: [Tree]
rename: {heap: pile, Heaps: stack}
merge:
  tree: [forest]
  heap: [forest]
add:
- {name: list, definition: One.}
- {name: lists, definition: Two.}
prerequisites:
  accept: [[tree, heap]]
  reject: [[tree, heap]]
"""
    found, problems = read_statements(write_course({"graph.yaml": text}), CARD)
    assert [(each.line, each.message) for each in problems] == [
        (2, "That 'Tree' is no concept contradicts line 1; it was left out."),
        (3, "That 'Heaps' is shown as 'stack' contradicts line 3; it was left out."),
        (6, "That 'forest' is another name of 'heap' contradicts line 5; it was left out."),
        (9, "That 'lists' is a concept contradicts line 8; it was left out."),
        (12, "That 'tree' need not come before 'heap' contradicts line 11; it was left out."),
    ]
    assert "no_concept" not in {each.kind for each in found}


def test_a_name_that_is_rejected_cannot_be_used_elsewhere(write_course: WriteCourse) -> None:
    text = "reject: [stuff]\nmerge: {tree: [stuff]}\nprerequisites: {accept: [[stuff, tree]]}\n"
    found, problems = read_statements(write_course({"graph.yaml": text}), CARD)
    assert said(found) == [("no_concept", "stuff", None, 1)]
    assert [each.line for each in problems] == [2, 3]


def test_prerequisites_in_a_circle_are_told_with_the_way_round(write_course: WriteCourse) -> None:
    pairs = "- [a, b]\n  - [b, c]\n  - [c, a]\n  - [b, a]\n  - [d, d]\n  - [a, c]\n"
    found, problems = read_statements(write_course({"graph.yaml": f"prerequisites:\n  accept:\n  {pairs}"}), CARD)
    assert [(each.subject, each.object) for each in found] == [("a", "b"), ("b", "c"), ("a", "c")]
    assert [(each.line, each.message) for each in problems] == [
        (5, "That 'c' comes before 'a' closes a circle with lines above; it was left out: a → b → c."),
        (6, "That 'b' comes before 'a' contradicts line 3; it was left out."),
        (7, "That 'd' comes before 'd' closes a circle with lines above; it was left out: d."),
    ]


def test_names_merged_into_each_other_in_a_circle_are_told(write_course: WriteCourse) -> None:
    found, (problem,) = read_statements(write_course({"graph.yaml": "merge:\n  a: [b]\n  b: [a]\n"}), CARD)
    assert said(found) == [("alias", "a", "b", 2)]
    assert problem.line == 3


def test_a_repeated_statement_is_told_and_a_section_given_twice_is_read_twice(write_course: WriteCourse) -> None:
    found, problems = read_statements(write_course({"graph.yaml": "accept: [tree]\naccept: [trees, heap]\n"}), CARD)
    assert [each.subject for each in found] == ["tree", "heap"]
    assert [(each.line, each.message, each.severity) for each in problems] == [
        (2, "'accept' is given twice, in line 1 too; both were read.", "warning"),
        (2, "That 'trees' is a concept is said in line 1 already.", "warning"),
    ]


def test_only_one_file_of_edits_is_read(write_course: WriteCourse) -> None:
    files: dict[str, str | bytes] = {"graph.yaml": "accept: [tree]\n", "graph.yml": "accept: [heap]\n"}
    found, (problem,) = read_statements(write_course(files), CARD)
    assert [each.subject for each in found] == ["tree"]
    assert str(problem) == "graph.yml: Not read: graph.yaml exists too. Keep one of them."


def test_more_edits_than_people_write_are_cut_off_and_told(
    write_course: WriteCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edits, "MOST_EDITS", 2)
    found, (problem,) = read_statements(write_course({"graph.yaml": "accept: [a, b, c, d]\n"}), CARD)
    assert [each.subject for each in found] == ["a", "b"]
    assert problem.message == "Only the first 2 statements were read."


SEEDS = "# names\n2d tree::;2d trees\n\n  a star\ta star search\t\ta* algorithm\nC#\n"


def test_seeds_are_concepts_with_their_aliases(write_course: WriteCourse) -> None:
    found, problems = read_statements(write_course({"seeds.txt": SEEDS}), CARD)
    assert problems == ()
    assert {each.given_by for each in found} == {"seed"}
    assert said(found) == [
        ("concept", "2d tree", None, 2),
        ("alias", "2d tree", "2d trees", 2),
        ("concept", "a star", None, 4),
        ("alias", "a star", "a star search", 4),
        ("alias", "a star", "a* algorithm", 4),
        ("concept", "C#", None, 5),
    ]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gbk", "utf-16"])
def test_seeds_are_read_in_the_encodings_people_save(write_course: WriteCourse, encoding: str) -> None:
    folder = write_course({"seeds.txt": "选择排序\r\n哈希函数\r\n连通分量\r\n".encode(encoding)})
    assert [each.subject for each in read_statements(folder, CARD)[0]] == ["选择排序", "哈希函数", "连通分量"]


def test_bad_seeds_are_told_by_line_and_the_others_read(write_course: WriteCourse) -> None:
    text = f"tree\n{'x' * 1_001}\n{'y' * 101}\n42\nTrees\nhe\0ap\n"
    found, problems = read_statements(write_course({"seeds.txt": text}), CARD)
    assert [each.subject for each in found] == ["tree", "heap"]
    assert [(each.line, each.message) for each in problems] == [
        (2, "The line has 1,001 characters, the limit is 1,000; it was left out."),
        (3, f"'{'y' * 60}…' was left out: it has 101 characters, the limit is 100."),
        (4, "'42' was left out: it has no letter."),
        (5, "That 'Trees' is a concept is said in line 1 already."),
        (6, "'name' holds control characters (U+0000); they were taken out."),
    ]


def test_duplicate_seeds_are_told_in_bounds(write_course: WriteCourse) -> None:
    found, problems = read_statements(write_course({"seeds.txt": "tree\n" * 1_000}), CARD)
    assert len(found) == 1
    assert len(problems) == 21
    assert problems[-1].message == "979 more like those above, from this line on."


def test_a_file_of_seeds_without_end_is_not_read(write_course: WriteCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "LARGEST_LIST", 10)
    found, (problem,) = read_statements(write_course({"seeds.txt": "tree\nheap\nstack\n"}), CARD)
    assert found == ()
    assert problem.message.startswith("Not read: the file has")


def test_more_seeds_than_the_limit_are_cut_off_and_told(
    write_course: WriteCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "MOST_STATEMENTS", 2)
    found, (problem,) = read_statements(write_course({"seeds.txt": "tree\nheap\nstack\nlist\n"}), CARD)
    assert [each.subject for each in found] == ["tree", "heap"]
    assert (problem.line, problem.message) == (3, "Only the first 2 names or pairs were read.")


def rows(*values: object) -> str:
    return "".join(f"{json.dumps(value, ensure_ascii=False)}\n" for value in values)


DATASET: dict[str, str | bytes] = {
    "concepts.jsonl": rows(
        {"id": "K_栈_计算机", "name": "栈", "definition": "栈是\n线性表。"},
        {"id": "K_队列_计算机", "name": "队列", "definition": None, "aliases": ["queue", "队列"]},
    ),
    "prerequisites.jsonl": rows(
        {"prerequisite": "栈", "concept": "队列", "label": 1}, {"prerequisite": "队列", "concept": "树", "label": 0}
    ),
}


def test_a_dataset_is_read_as_the_importer_writes_it(write_course: WriteCourse) -> None:
    found, problems = read_statements(write_course(DATASET), CARD)
    assert problems == ()
    assert {each.given_by for each in found} == {"dataset"}
    assert said(found) == [
        ("concept", "栈", None, 1),
        ("concept", "队列", None, 2),
        ("alias", "队列", "queue", 2),
        ("prerequisite", "栈", "队列", 1),
        ("no_prerequisite", "队列", "树", 2),
    ]
    assert found[0].definition == "栈是 线性表。"


def test_a_dataset_is_read_as_mooccubex_publishes_it(write_course: WriteCourse) -> None:
    concepts = rows({"id": "K_栈_计算机", "name": "栈", "context": "线性表。"}, {"id": "K_二叉_树_计算机"})
    pairs = rows(
        {"c1": "K_栈_计算机", "c2": "队列", "ground_truth": 1, "text_predict": 0.9},
        {"c1": "栈", "c2": "树", "ground_truth": 0.0, "text_predict": 0.9},
        {"c1": "栈", "c2": "表", "ground_truth": True},
        {"c1": "栈", "c2": "图", "text_predict": 0.9},
    )
    folder = write_course({"concepts.jsonl": concepts, "prerequisites.jsonl": pairs})
    found, (problem,) = read_statements(folder, CARD)
    assert said(found) == [
        ("concept", "栈", None, 1),
        ("concept", "二叉_树", None, 2),
        ("prerequisite", "栈", "队列", 1),
        ("no_prerequisite", "栈", "树", 2),
        ("prerequisite", "栈", "表", 3),
    ]
    assert (problem.line, problem.message) == (4, "The pair '栈', '图' was left out: it has no label.")
    assert mooccubex_files.concept_name("K_二叉_树_计算机") == "二叉_树"


def test_bad_rows_of_a_dataset_are_told_by_line(write_course: WriteCourse) -> None:
    concepts = '{"name": "tree"}\n{"name": \n[1]\n{"id": ""}\n{"name": "heap"}\n'
    pairs = rows({"prerequisite": "a", "label": 1}, {"c1": "a", "c2": "b", "ground_truth": 2})
    folder = write_course({"concepts.jsonl": concepts, "prerequisites.jsonl": pairs})
    found, problems = read_statements(folder, CARD)
    assert [each.subject for each in found] == ["tree", "heap"]
    assert [(each.file, each.line) for each in problems] == [
        ("concepts.jsonl", 2),
        ("concepts.jsonl", 4),
        ("prerequisites.jsonl", 1),
        ("prerequisites.jsonl", 2),
    ]
    assert problems[3].message == "The pair 'a', 'b' was left out: its label is '2'."


def test_labels_that_contradict_each_other_are_told(write_course: WriteCourse) -> None:
    pair = {"prerequisite": "a", "concept": "b"}
    labels = rows({**pair, "label": 1}, {**pair, "label": 0}, {"prerequisite": "b", "concept": "a", "label": 1})
    found, problems = read_statements(write_course({"prerequisites.jsonl": labels}), CARD)
    assert said(found) == [("prerequisite", "a", "b", 1)]
    assert [each.line for each in problems] == [2, 3]


def test_a_long_definition_is_cut_to_whole_sentences_and_told(write_course: WriteCourse) -> None:
    long = rows({"name": "tree", "definition": "A tree has nodes. " * 100})
    (found,), (problem,) = read_statements(write_course({"concepts.jsonl": long}), CARD)
    assert found.definition is not None
    assert LONGEST_DEFINITION - 20 < len(found.definition) <= LONGEST_DEFINITION
    assert found.definition.endswith("nodes.")
    assert problem.severity == "warning"


def test_extracted_concepts_leave_the_dataset_unread_but_not_the_teacher(write_course: WriteCourse) -> None:
    folder = write_course({**DATASET, "graph.yaml": "accept: [tree]\n", "seeds.txt": "heap\n"})
    found, _ = read_statements(folder, CourseCard("trees", "Trees", "en", concepts="extracted"))
    assert [(each.given_by, each.subject) for each in found] == [("teacher", "tree"), ("seed", "heap")]


@pytest.mark.parametrize("mode", ["merged", "given", "extracted"])
def test_the_card_says_where_concepts_come_from(write_course: WriteCourse, mode: str) -> None:
    card, problems = read_course_card(write_course({"course.yaml": f"concepts: {mode.capitalize()}\n"}))
    assert (card.concepts, problems) == (mode, ())


def test_another_word_for_where_concepts_come_from_is_told(write_course: WriteCourse) -> None:
    card, (problem,) = read_course_card(write_course({"course.yaml": "lang: en\nconcepts: mine\n"}))
    assert card.concepts == "merged"
    assert str(problem) == (
        "course.yaml:2: 'concepts' must be merged, given, extracted, found 'mine'. "
        "Write one of these; until then it is merged."
    )


def test_statements_have_a_digest_of_their_own_and_are_no_course_alone(write_course: WriteCourse) -> None:
    folder = write_course({"graph.yaml": "accept: [tree]\n", "seeds.txt": "heap\n"})
    assert find_courses(folder.path) == ()
    assert find_courses(folder.path.parent) == ()
    first = input_digest(folder, "statements")
    write_course({"01.srt": "1\n00:00:01,000 --> 00:00:02,000\nA tree.\n"})
    assert input_digest(folder, "statements") == first
    assert [course.course_id for course in find_courses(folder.path)] == ["trees"]
    write_course({"graph.yaml": "accept: [heap]\n"})
    assert input_digest(folder, "statements") != first


def test_edits_beside_the_courses_do_not_make_one_course_of_them_all(write_course: WriteCourse) -> None:
    folder = write_course({"documents/a.md": "# A tree\n"})
    (folder.path.parent / "graph.yaml").write_text("accept: [tree]\n")
    assert find_courses(folder.path.parent) == (folder,)


def test_first_sentences_keeps_short_texts_and_cuts_one_long_sentence() -> None:
    assert first_sentences("One. Two.", 20) == "One. Two."
    assert first_sentences("One. Two. Three.", 10) == "One. Two."
    assert first_sentences("栈是表。队列也是。", 5) == "栈是表。"
    assert first_sentences("x" * 30, 10) == "x" * 10


PAIRS = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=30)


@given(PAIRS)
def test_what_a_teacher_may_say_never_closes_a_circle(pairs: list[tuple[str, str]]) -> None:
    edges = [
        Statement("c", "prerequisite", "teacher", first, second, None, "graph.yaml", row)
        for row, (first, second) in enumerate(pairs, 1)
    ]
    kept = list(consistent(edges, ProblemLog("graph.yaml")))
    after: dict[str, list[str]] = {}
    for each in kept:
        after.setdefault(each.subject, []).append(str(each.object))
    assert not any(shortest_path(after, str(each.object), each.subject) for each in kept)
    assert list(consistent(kept, ProblemLog())) == kept


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.text(max_size=200))
def test_no_text_stops_the_readers(write_course: WriteCourse, text: str) -> None:
    content = text.encode("utf-8", "replace")
    files: dict[str, str | bytes] = dict.fromkeys(("graph.yaml", "seeds.txt", *DATASET), content)
    found, problems = read_statements(write_course(files), CARD)
    assert all(any(map(str.isalpha, each.subject)) for each in found)
    assert all(problem.file for problem in problems)


def test_a_picture_called_seeds_is_told_once_and_names_nothing(write_course: WriteCourse) -> None:
    picture = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 20
    found, problems = read_statements(write_course({"seeds.txt": picture}), CARD)
    assert found == ()
    assert [str(problem) for problem in problems if problem.severity == "error"] == [
        "seeds.txt: Not read: it is no text, but perhaps a picture. Write a plain text, one concept or pair a line."
    ]


@pytest.mark.parametrize("text", ['accept: ["\\UFFFFFFFF"]', 'accept: ["\\U00110000"]', f"%YAML 1.{'9' * 5000}"])
def test_escapes_and_versions_beyond_what_yaml_can_hold_are_told(write_course: WriteCourse, text: str) -> None:
    found, problems = read_statements(write_course({"graph.yaml": text}), CARD)
    assert found == ()
    assert problems[0].file == "graph.yaml"


def test_half_a_character_in_what_is_quoted_can_be_printed(write_course: WriteCourse) -> None:
    files = {
        "graph.yaml": '"\\uD800zz": 1\n',
        "prerequisites.jsonl": '{"prerequisite": "a", "concept": "b", "label": "\\ud800"}\n',
    }
    _, problems = read_statements(write_course(files), CARD)
    assert len(problems) == 2
    assert all(str(problem).encode() for problem in problems)
