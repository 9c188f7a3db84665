"""FAQ banks of several courses, in one file or as a tree of Markdown, to course folders."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.course import find_courses, read_course_card
from knowledge_graph.sources.faq import read_faq
from knowledge_graph.sources.importing.names import LONGEST_NAME, file_name, folder_id, folder_ids, number_title
from knowledge_graph.sources.importing.sources import import_courses
from knowledge_graph.sources.videos import title_of

ROWS = [
    {"text": "Ten percent.", "section": "General", "question": "Late?", "course": "trees", "id": "a1"},
    {"text": "Yes.", "section": "General", "question": "Resit?", "course": "graphs", "id": "b1"},
    {"text": "Here.", "section": "Rooms", "question": "Where?", "course": "trees", "id": "a2"},
]
CSV = "course,section,id,question,text\n" + "".join(
    f"{row['course']},{row['section']},{row['id']},{row['question']},{row['text']}\n" for row in ROWS
)
YAML = "".join(f"- {json.dumps(row)}\n" for row in ROWS)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("documents.json", json.dumps(ROWS)),
        ("bank.jsonl", "\n".join(map(json.dumps, ROWS))),
        ("bank.csv", CSV),
        ("bank.yaml", YAML),
        (
            "nested.json",
            json.dumps(
                [
                    {"course": "trees", "documents": [ROWS[0], ROWS[2]]},
                    {
                        "course": "graphs",
                        "documents": [{key: ROWS[1][key] for key in ("text", "section", "question", "id")}],
                    },
                ]
            ),
        ),
    ],
)
def test_a_bank_in_one_file_becomes_a_folder_for_each_course(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    imported = import_courses(tmp_path / name, tmp_path / "courses")
    assert imported.problems == ()
    assert [(course.course_id, course.counts) for course in imported.courses] == [
        ("graphs", {"questions": 1}),
        ("trees", {"questions": 2}),
    ]
    rows = [json.loads(line) for line in (tmp_path / "courses/trees/faq.jsonl").read_text().splitlines()]
    assert rows == [ROWS[0], ROWS[2]]


def test_what_was_written_is_read_back_whole(tmp_path: Path) -> None:
    (tmp_path / "bank.json").write_text(json.dumps(ROWS))
    import_courses(tmp_path / "bank.json", tmp_path / "courses")
    (graphs, trees) = find_courses(tmp_path / "courses")
    entries, problems = read_faq(trees, read_course_card(trees)[0])
    assert problems == ()
    assert [(entry.origin_id, entry.question, entry.answer) for entry in entries] == [
        ("a1", "Late?", "Ten percent."),
        ("a2", "Where?", "Here."),
    ]
    assert read_course_card(graphs)[0].title == "graphs"


def test_two_texts_with_one_id_are_both_kept_and_told_and_a_true_double_once(tmp_path: Path) -> None:
    text = "course,id,q,a\nx,1,Late?,No.\nx,1,Resit?,Yes.\nx,1,Late?,No.\nx,1,Resit?,Yes.\ny,1,Where?,Here.\n"
    (tmp_path / "bank.csv").write_text(text)
    imported = import_courses(tmp_path / "bank.csv", tmp_path / "courses")
    rows = [json.loads(line) for line in (tmp_path / "courses/x/faq.jsonl").read_text().splitlines()]
    assert [(row["id"], row["q"]) for row in rows] == [("1", "Late?"), ("1-2", "Resit?")]
    assert [str(problem) for problem in imported.problems] == [
        "bank.csv:3: The id '1' is taken by another entry; this one got '1-2'. Give it an id of its own.",
        "bank.csv:4: The entry '1' is there twice; it was left out. Keep one of the two.",
        "bank.csv:5: The entry '1' is there twice; it was left out. Keep one of the two.",
    ]


def test_a_bank_without_a_column_for_the_course_is_one_course_named_like_the_file(tmp_path: Path) -> None:
    (tmp_path / "Data structures.csv").write_text("q,a\nLate?,No.\n")
    (course,) = import_courses(tmp_path / "Data structures.csv", tmp_path / "courses").courses
    assert (course.course_id, course.title) == ("Data-structures", "Data structures")


def test_rows_that_are_no_entries_are_told_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "bank.csv").write_text("course,q,a\nx,Late?,No.\n,Resit?,Yes.\nx,Where?,\n")
    imported = import_courses(tmp_path / "bank.csv", tmp_path / "courses")
    assert [(problem.line, problem.message) for problem in imported.problems] == [
        (3, "The entry names no course; it was left out."),
        (4, "The entry 'Where?' has no answer; it was left out."),
    ]


def test_a_file_that_is_no_bank_says_which_columns_it_has(tmp_path: Path) -> None:
    (tmp_path / "grades.csv").write_text("student,grade\nAda,1\n")
    with pytest.raises(CoteachError, match=r"grades.csv: expected entries .*, found columns grade, student\."):
        import_courses(tmp_path / "grades.csv", tmp_path / "courses")


def test_a_course_named_like_a_path_stays_inside_the_folder(tmp_path: Path) -> None:
    (tmp_path / "bank.csv").write_text("course,q,a\n../../evil,Late?,No.\n/etc,Late?,No.\n..,Late?,No.\n")
    imported = import_courses(tmp_path / "bank.csv", tmp_path / "courses")
    assert [course.course_id for course in imported.courses] == ["course", "etc", "evil"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bank.csv", "courses"]


def test_only_the_courses_asked_for_are_written(tmp_path: Path) -> None:
    (tmp_path / "bank.json").write_text(json.dumps(ROWS))
    import_courses(tmp_path / "bank.json", tmp_path / "courses", only=["graphs"])
    assert [path.name for path in (tmp_path / "courses").iterdir()] == ["graphs"]
    with pytest.raises(CoteachError, match=r"no course grafs; found graphs, trees\."):
        import_courses(tmp_path / "bank.json", tmp_path / "more", only=["grafs"])


def test_a_tree_of_markdown_is_ordered_by_its_metadata(tmp_path: Path) -> None:
    base = tmp_path / "faq-main/_questions/trees"
    files = {
        "_metadata.yaml": 'course: trees\ncourse_name: "Trees for all"\nsections:\n'
        '  - id: module-1\n    name: "Module 1. Roots"\n  - id: general\n    name: "General"\n',
        "general/001_a1_late.md": "---\nid: a1\nquestion: 'Late?'\nsort_order: 1\n---\n\nNo.\n",
        "module-1/010_b9_last.md": "---\nid: b9\nquestion: Last?\nsort_order: 10\n---\n\nIt is.\n",
        "module-1/002_b2_root.md": "---\nid: b2\nquestion: 'Which root?'\nsort_order: 2\n---\n\nThe top one.\n",
    }
    for name, text in files.items():
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text(text)
    (tmp_path / "faq-main/README.md").write_text("# How to contribute\n\nOpen an issue.\n")
    (course,) = import_courses(tmp_path / "faq-main", tmp_path / "courses").courses
    assert (course.course_id, course.title) == ("trees", "Trees for all")
    rows = [json.loads(line) for line in (course.folder / "faq.jsonl").read_text().splitlines()]
    assert [(row["id"], row["section"], row["question"], row["answer"]) for row in rows] == [
        ("b2", "Module 1. Roots", "Which root?", "The top one."),
        ("b9", "Module 1. Roots", "Last?", "It is."),
        ("a1", "General", "Late?", "No."),
    ]


@pytest.mark.parametrize(
    "title",
    [
        "What is a stack?",
        "Queues: first in, first out",
        "Big O notation",
        "第一讲：栈与队列",
        "Don't panic (part 2)",
        "3D graphics",
    ],
)
def test_a_title_survives_the_way_through_a_file_name(title: str) -> None:
    assert title_of(f"01 - Week 1/{number_title(7, title)}") == title


def test_names_are_short_portable_and_never_a_path() -> None:
    assert file_name('a/b\\c:d*e"f<g>h|i\n') == "a-b-c-d-e'f(g)h-i"
    assert (file_name("..."), file_name("")) == ("untitled", "untitled")
    assert len(file_name("栈" * 500).encode()) <= LONGEST_NAME
    assert (folder_id("../.."), folder_id("course-v1:Org+CS101+2026")) == ("course", "course-v1-Org-CS101-2026")
    assert folder_ids(["a-3", "a", "a/", "a?"]) == {"a-3": "a-3", "a": "a", "a/": "a-2", "a?": "a-4"}
    assert folder_ids(["a b", "a-b", "a/b", "c"]) == {"a b": "a-b", "a-b": "a-b-2", "a/b": "a-b-3", "c": "c"}


@given(st.text(st.characters(codec=None), max_size=300))
def test_any_title_is_a_name_in_one_folder(title: str) -> None:
    for name in (file_name(title), folder_id(title), number_title(1, title)):
        assert name not in ("", ".", "..")
        assert not set(name) & set('/\\\0\n:*?"<>|')
        assert len(name.encode()) <= LONGEST_NAME + 5
    assert title_of(number_title(1, title))
