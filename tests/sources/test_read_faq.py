"""FAQ files in each format, and rows that are not entries."""

import pytest
from course_files import WriteCourse

from knowledge_graph.records import CourseCard
from knowledge_graph.sources.faq import read_faq

CARD = CourseCard("trees", "Trees", "en")

CSV = """\
id,question,answer,author,updated_at
late,Late work?,"Ten percent
a day.",A. Lee,2026-01-31
,Resit?,"Yes, one.",,
"""
TSV = 'id\tquestion\tanswer\nlate\tLate work?\t"Ten percent\na day."\n\tResit?\tYes, one.\n'
JSON = r"""[
  {"id": "late", "question": "Late work?", "answer": "Ten percent\na day."},
  {"q": "Resit?", "a": "Yes, one."}
]
"""
JSONL = r"""{"id": "late", "question": "Late work?", "answer": "Ten percent\na day."}

{"q": "Resit?", "a": "Yes, one."}
"""
YAML = """\
faq:
  - id: late
    question: Late work?
    answer: |
      Ten percent
      a day.
  - {q: 'Resit?', a: 'Yes, one.'}
"""


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        ("faq.csv", CSV, [2, 3]),
        ("faq.tsv", TSV, [2, 3]),
        ("faq.json", JSON, [1, 2]),
        ("faq.json", f'{{"documents": {JSON}}}', [1, 2]),
        ("faq.jsonl", JSONL, [1, 3]),
        ("faq.yaml", YAML, [1, 2]),
    ],
)
def test_each_format_gives_the_same_entries(write_course: WriteCourse, name: str, text: str, rows: list[int]) -> None:
    entries, problems = read_faq(write_course({name: text}), CARD)
    assert problems == ()
    assert [(entry.question, entry.answer) for entry in entries] == [
        ("Late work?", "Ten percent\na day."),
        ("Resit?", "Yes, one."),
    ]
    assert [entry.row for entry in entries] == rows
    assert [entry.origin_id for entry in entries] == ["late", f"{name}#{rows[1]}"]


def test_author_reviewer_and_date_are_kept(write_course: WriteCourse) -> None:
    text = "question;answer;author;reviewed by;date\nLate?;No.;A. Lee;B. Roy;2026/01/31\n"
    (entry,), _ = read_faq(write_course({"faq.csv": text}), CARD)
    assert (entry.author, entry.reviewer, entry.updated_at) == ("A. Lee", "B. Roy", "2026-01-31")


def test_chinese_headers_are_understood(write_course: WriteCourse) -> None:
    (entry,), problems = read_faq(
        write_course({"faq.csv": "编号,问题,答案\n7,可以迟交吗？,可以。\n".encode("gbk")}), CARD
    )
    assert problems == ()
    assert (entry.origin_id, entry.question, entry.answer, entry.lang) == ("7", "可以迟交吗？", "可以。", "zh")


def test_a_folder_of_markdown_with_front_matter_is_a_faq(write_course: WriteCourse) -> None:
    folder = write_course(
        {
            "faq/late.md": "---\nid: late\nquestion: Late work?\nupdated: 2026-01-31\n---\nTen percent a day.\n",
            "faq/resit.md": "# Is there a resit?\n\nYes, one.\n",
        }
    )
    entries, problems = read_faq(folder, CARD)
    assert problems == ()
    assert [(entry.origin_id, entry.question, entry.answer, entry.updated_at) for entry in entries] == [
        ("late", "Late work?", "Ten percent a day.", "2026-01-31"),
        ("faq/resit.md#1", "Is there a resit?", "Yes, one.", None),
    ]


def test_a_row_without_an_answer_names_file_and_line_and_the_others_stay(write_course: WriteCourse) -> None:
    entries, (problem,) = read_faq(write_course({"faq.csv": "question,answer\nLate?,\nResit?,Yes.\n"}), CARD)
    assert [entry.question for entry in entries] == ["Resit?"]
    assert str(problem) == "faq.csv:2: The entry 'Late?' has no answer; it was left out. Fill it in, or remove the row."


def test_lines_are_counted_through_cells_of_several_lines(write_course: WriteCourse) -> None:
    text = 'question,answer\n"Late\nwork?","Ten\npercent."\n,Yes.\n'
    _, (problem,) = read_faq(write_course({"faq.csv": text}), CARD)
    assert (problem.line, problem.message) == (5, "The entry 'Yes.' has no question; it was left out.")


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("faq.json", '[\n{"q": "Late?", "a": "No."},\n{"q": "Resit?"}\n]', 3),
        ("faq.jsonl", '{"q": "Late?", "a": "No."}\n{"q": "Resit?"}\n', 2),
        ("faq.yaml", "- {q: 'Late?', a: 'No.'}\n- q: Resit?\n", 2),
    ],
)
def test_the_line_of_a_missing_answer_is_known_in_every_format(
    write_course: WriteCourse, name: str, text: str, line: int
) -> None:
    entries, (problem,) = read_faq(write_course({name: text}), CARD)
    assert len(entries) == 1
    assert (problem.file, problem.line) == (name, line)


def test_of_two_entries_with_one_id_the_first_is_kept(write_course: WriteCourse) -> None:
    entries, (problem,) = read_faq(write_course({"faq.csv": "id,q,a\n1,Late?,No.\n1,Resit?,Yes.\n"}), CARD)
    assert [entry.question for entry in entries] == ["Late?"]
    assert problem.message == "The id '1' is taken by row 2 of faq.csv; this entry was left out."
    assert problem.line == 3


def test_a_file_without_an_answer_column_says_what_it_found(write_course: WriteCourse) -> None:
    entries, (problem,) = read_faq(write_course({"faq.csv": "question,solution\nLate?,No.\n"}), CARD)
    assert entries == ()
    assert problem.message == "No column for the answer: found question, solution."
    assert problem.remedy.startswith("Name it 'answer' (also read: a, text")


@pytest.mark.parametrize(
    ("name", "text", "line", "kept"),
    [
        ("faq.json", '[{"q": "Late?", "a": "No."},\n{"q": "Resit?" "a": "Yes."}]', 2, 1),
        ("faq.jsonl", '{"q": "Late?", "a": "No."}\n{"q": \n{"q": "Resit?", "a": "Yes."}\n', 2, 2),
        ("faq.yaml", "- q: Late?\n  a: [No\n", 3, 0),
    ],
)
def test_broken_syntax_is_told_and_what_can_be_read_is_kept(
    write_course: WriteCourse, name: str, text: str, line: int, kept: int
) -> None:
    entries, (problem,) = read_faq(write_course({name: text}), CARD)
    assert len(entries) == kept
    assert (problem.file, problem.line, problem.severity) == (name, line, "error")


def test_an_empty_file_is_told(write_course: WriteCourse) -> None:
    _, (problem,) = read_faq(write_course({"faq.csv": "\n"}), CARD)
    assert problem.message == "The file is empty."


def test_a_date_that_is_none_is_left_empty_and_told(write_course: WriteCourse) -> None:
    (entry,), (problem,) = read_faq(write_course({"faq.csv": "q,a,date\nLate?,No.,soon\n"}), CARD)
    assert entry.updated_at is None
    assert (problem.message, problem.severity) == ("'soon' is not a date; it was left empty.", "warning")
