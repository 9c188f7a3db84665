"""FAQ files in each format, and rows that are not entries."""

import time

import pytest
from course_files import WriteCourse

from knowledge_graph.lake.records import CourseCard
from knowledge_graph.sources.faq import question_id, read_faq
from knowledge_graph.sources.faq_formats import rows_of
from knowledge_graph.sources.row_formats import FormatError

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
    assert [entry.origin_id for entry in entries] == ["late", question_id(name, "Resit?", "en")]


def test_author_reviewer_and_date_are_kept(write_course: WriteCourse) -> None:
    text = "question;answer;author;reviewed by;date\nLate?;No.;A. Lee;B. Roy;2026/01/31\n"
    (entry,), _ = read_faq(write_course({"faq.csv": text}), CARD)
    assert (entry.author, entry.reviewer, entry.updated_at) == ("A. Lee", "B. Roy", "2026-01-31")


def test_chinese_headers_are_understood(write_course: WriteCourse) -> None:
    (entry,), _ = read_faq(write_course({"faq.csv": "编号,问题,答案\n7,可以迟交吗？,可以。\n".encode("gbk")}), CARD)
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
        (question_id("faq/resit.md", "Is there a resit?", "en"), "Is there a resit?", "Yes, one.", None),
    ]


def test_markdown_in_sub_folders_is_read_too(write_course: WriteCourse) -> None:
    folder = write_course(
        {
            "faq/general/001_a1_late.md": "---\nid: a1\nquestion: 'Late work?'\nsort_order: 1\n---\n\nTen percent.\n",
            "faq/module-1/002_b2_resit.md": "---\nid: b2\nquestion: Resit?\nsort_order: 2\n---\n\nYes.\n",
        }
    )
    entries, problems = read_faq(folder, CARD)
    assert problems == ()
    assert [(entry.origin_id, entry.file) for entry in entries] == [
        ("a1", "faq/general/001_a1_late.md"),
        ("b2", "faq/module-1/002_b2_resit.md"),
    ]


NESTED_YAML = """\
course: trees
faq:
  - section: Deadlines
    questions:
      - {q: 'Late?', a: 'No.'}
  - section: Exams
    questions:
      - {q: 'Resit?', a: 'Yes.', id: r}
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faq.yaml", NESTED_YAML),
        ("faq.yaml", "Deadlines:\n- {q: 'Late?', a: 'No.'}\nExams:\n- {q: 'Resit?', a: 'Yes.', id: r}\n"),
        ("faq.yaml", "- q: Late?\n  a: No.\n- {id: r, q: 'Resit?', a: 'Yes.'}\n"),
        (
            "faq.json",
            '[{"course": "x", "id": "x", "documents": [{"question": "Late?", "text": "No."}]},'
            '{"course": "x", "documents": [{"question": "Resit?", "text": "Yes.", "id": "r"}]}]',
        ),
        (
            "faq.json",
            '{"sections": [{"faq": [{"q": "Late?", "a": "No."}]},{"faq": [{"q": "Resit?", "a": "Yes.", "id": "r"}]}]}',
        ),
        ("faq.jsonl", '{"q": "Late?", "a": "No."}\n{"section": "s", "faq": [{"q": "Resit?", "a": "Yes.", "id": "r"}]}'),
    ],
)
def test_entries_in_sections_are_found(write_course: WriteCourse, name: str, text: str) -> None:
    entries, problems = read_faq(write_course({name: text}), CARD)
    assert problems == ()
    assert [(entry.question, entry.answer) for entry in entries] == [("Late?", "No."), ("Resit?", "Yes.")]
    assert [entry.origin_id for entry in entries] == [question_id(name, "Late?", "en"), "r"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faq.yaml", "Late?: No.\nResit?: Yes.\n"),
        ("faq.yaml", "faq:\n  Late?: No.\n  Resit?: Yes.\n"),
        ("faq.json", '{"Late?": "No.", "Resit?": "Yes."}'),
    ],
)
def test_a_plain_object_of_questions_and_answers_is_a_faq(write_course: WriteCourse, name: str, text: str) -> None:
    entries, problems = read_faq(write_course({name: text}), CARD)
    assert problems == ()
    assert [(entry.question, entry.answer) for entry in entries] == [("Late?", "No."), ("Resit?", "Yes.")]


def test_a_list_in_a_field_of_an_entry_is_no_section(write_course: WriteCourse) -> None:
    text = '[{"question": "Late?", "answer": "No.", "data": {"votes": 3}, "items": [{"name": "x"}]}]'
    (entry,), problems = read_faq(write_course({"faq.json": text}), CARD)
    assert (entry.question, entry.answer, problems) == ("Late?", "No.", ())


def test_a_row_put_above_others_changes_no_id_of_theirs(write_course: WriteCourse) -> None:
    before, _ = read_faq(write_course({"faq.csv": "q,a\nLate?,No.\nResit?,Yes.\n"}), CARD)
    after, _ = read_faq(write_course({"faq.csv": "q,a\nWhere?,Here.\nLate?,No.\nResit?,Yes.\n"}), CARD)
    assert [entry.origin_id for entry in after][1:] == [entry.origin_id for entry in before]


def test_the_id_of_a_question_ignores_case_width_and_blanks(write_course: WriteCourse) -> None:
    (first,), _ = read_faq(write_course({"faq.csv": "q,a\nLate  work?,No.\n"}), CARD)
    (second,), _ = read_faq(write_course({"faq.csv": "q,a\nlate work？,Never.\n"}), CARD)
    assert first.origin_id == second.origin_id == question_id("faq.csv", "Late work?", "en")
    assert len(first.origin_id) == len("faq.csv#") + 12


def test_a_question_with_two_answers_is_kept_twice_with_ids_of_their_own(write_course: WriteCourse) -> None:
    entries, problems = read_faq(write_course({"faq.csv": "q,a\nLate?,No.\nLate?,Ask.\nLate?,Maybe.\n"}), CARD)
    name = question_id("faq.csv", "Late?", "en")
    assert problems == ()
    assert [(entry.origin_id, entry.answer) for entry in entries] == [
        (name, "No."),
        (f"{name}-2", "Ask."),
        (f"{name}-3", "Maybe."),
    ]


def test_ten_thousand_equal_rows_are_one_entry_and_a_short_report(write_course: WriteCourse) -> None:
    entries, problems = read_faq(write_course({"faq.csv": "q,a\n" + "Late?,No.\n" * 10_001}), CARD)
    assert len(entries) == 1
    assert len(problems) == 21
    assert (
        str(problems[0]) == "faq.csv:3: The entry 'Late?' is the same as row 2; it was left out. Keep one of the two."
    )
    assert str(problems[-1]) == "faq.csv:23: 9,980 more like those above, from this line on. Keep one of the two."


def test_each_kind_of_problem_and_each_file_has_its_own_share_of_the_report(write_course: WriteCourse) -> None:
    rows = "Late?,\n" * 30 + "1,,soon\n"
    _, problems = read_faq(write_course({"faq.csv": "q,a,date\n" + rows, "faq.tsv": "q\ta\n" + "Late?\t\n" * 5}), CARD)
    assert [problem.file for problem in problems] == ["faq.csv"] * 21 + ["faq.tsv"] * 5


def test_a_problem_is_told_in_one_line_whatever_the_question_has(write_course: WriteCourse) -> None:
    _, (problem,) = read_faq(write_course({"faq.jsonl": '{"question": ["Late?", "How late?"], "answer": ""}\n'}), CARD)
    assert problem.message == "The entry 'Late? How late?' has no answer; it was left out."


def test_a_row_without_an_answer_names_file_and_line_and_the_others_stay(write_course: WriteCourse) -> None:
    entries, (problem,) = read_faq(write_course({"faq.csv": "question,answer\nLate?,\nResit?,Yes.\n"}), CARD)
    assert [entry.question for entry in entries] == ["Resit?"]
    assert str(problem) == "faq.csv:2: The entry 'Late?' has no answer; it was left out. Fill it in, or remove the row."


@pytest.mark.parametrize(
    ("below", "lost"),
    [("\n".join(f"q{n}?,a{n}" for n in range(40)), 43), ('q0?,a0\nq1?,"one, two"\nq2?,a2', 5)],
    ids=["and none is closed below", "and the next one closes it"],
)
def test_a_quote_that_is_not_closed_costs_its_line_and_not_those_below(
    write_course: WriteCourse, below: str, lost: int
) -> None:
    text = f'question,answer\nLate?,No.\nResit?,"Yes, one.\n{below}\n'
    entries, problems = read_faq(write_course({"faq.csv": text}), CARD)
    assert [entry.question for entry in entries] == ["Late?", *(f"q{n}?" for n in range(below.count("\n") + 1))]
    assert [(problem.line, problem.message) for problem in problems] == [
        (3, f"A quote is opened here and not closed; this line was left out. Lines 4 to {lost} would be lost in it.")
    ]
    assert entries[-1].row == 3 + below.count("\n") + 1


@pytest.mark.parametrize("row", ['"Late?;No.', '"Late?;No.\n'])
def test_a_quote_that_is_not_closed_in_the_last_line_and_takes_a_cell_is_told_as_that(
    write_course: WriteCourse, row: str
) -> None:
    entries, (problem,) = read_faq(write_course({"faq.csv": f"question;answer\n{row}"}), CARD)
    assert not entries
    assert problem.line == 2
    assert problem.message == "A quote is opened here and not closed; this line was left out."


def test_a_quote_that_is_not_closed_in_the_header_is_told(write_course: WriteCourse) -> None:
    entries, (problem,) = read_faq(write_course({"faq.csv": 'question,"answer\nLate?,No.\n'}), CARD)
    assert not entries
    assert str(problem).startswith("faq.csv:1: Not valid CSV: A quote is opened here and not closed")


def test_of_two_columns_with_one_name_the_first_is_read_and_that_is_told(write_course: WriteCourse) -> None:
    text = "Question,question,answer,tag,tag,,\nWhen?,Why?,Now.,a,b,,\n"
    (entry,), (problem,) = read_faq(write_course({"faq.csv": text}), CARD)
    assert (entry.question, entry.answer) == ("When?", "Now.")
    assert str(problem).startswith("faq.csv:1: Two columns are called 'question'; the first of them is read.")


def test_inches_and_a_blank_behind_a_quote_are_no_quotes_that_stay_open(write_course: WriteCourse) -> None:
    text = 'question,answer,author\n5" disk?,"No.\nNever." ,A. Lee\n'
    (entry,), problems = read_faq(write_course({"faq.csv": text}), CARD)
    assert (entry.question, entry.answer, problems) == ('5" disk?', "No.\nNever.", ())


def test_a_quote_opened_on_each_of_many_lines_is_read_in_time(write_course: WriteCourse) -> None:
    text = "question,answer\n" + "".join(f'q{n}?,"a{n}\n' for n in range(20_001))
    begun = time.perf_counter()
    entries, problems = read_faq(write_course({"faq.csv": text}), CARD)
    assert time.perf_counter() - begun < 5
    assert [entry.question for entry in entries] == ["q20000?"], "behind which nothing is lost"
    assert len(problems) < 30


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


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faq.yaml", "- q: Late?\n  a: No.\n  updated_at: 2024-02-31\n"),
        ("faq/late.md", "---\nq: Late?\nupdated_at: 2024-02-31\n---\nNo.\n"),
    ],
)
def test_a_day_that_does_not_exist_is_left_empty_and_told(write_course: WriteCourse, name: str, text: str) -> None:
    (entry,), (problem,) = read_faq(write_course({name: text}), CARD)
    assert (entry.answer, entry.updated_at) == ("No.", None)
    assert (problem.file, problem.line) == (name, 1)
    assert problem.message == "'2024-02-31' is not a date; it was left empty."


def test_yaml_values_are_text_as_written(write_course: WriteCourse) -> None:
    text = "- id: 007\n  q: Resit?\n  a: yes\n- id: 8\n  q: When?\n  a: 12:30\n- q: Where?\n  a: ~\n"
    entries, (problem,) = read_faq(write_course({"faq.yaml": text}), CARD)
    assert [(entry.origin_id, entry.answer) for entry in entries] == [("007", "yes"), ("8", "12:30")]
    assert problem.message == "The entry 'Where?' has no answer; it was left out."


def test_a_yaml_value_of_a_wrong_type_costs_only_its_entry(write_course: WriteCourse) -> None:
    text = "- q: Late?\n  a: No.\n- q: Resit?\n  a: !!timestamp 2024-02-31\n- q: Where?\n  a: Here.\n"
    entries, (problem,) = read_faq(write_course({"faq.yaml": text}), CARD)
    assert [entry.question for entry in entries] == ["Late?", "Where?"]
    assert (problem.line, problem.message) == (3, "Not valid YAML: day is out of range for month.")


@pytest.mark.parametrize(("name", "shape"), [("faq.json", "[{}]"), ("faq.jsonl", "{}"), ("faq.yaml", "[{}]")])
def test_half_a_character_is_replaced_and_told_and_two_halves_are_joined(
    write_course: WriteCourse, name: str, shape: str
) -> None:
    row = r'{"q": "Late \ud83d?", "a": "No \ud83d\ude00."}'
    (entry,), (problem,) = read_faq(write_course({name: shape.replace("{}", row)}), CARD)
    assert (entry.question, entry.answer) == ("Late \N{REPLACEMENT CHARACTER}?", "No \N{GRINNING FACE}.")
    assert (problem.line, problem.severity) == (1, "warning")
    assert problem.message == "'question' holds half a character; it was replaced by \N{REPLACEMENT CHARACTER}."


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("faq.json", '[{"q": "Late?", "a": "No."},\n' + "[" * 100_000, 1),
        ("faq.json", '{"Late?": ' + "[" * 100_000, 0),
        ("faq.jsonl", '{"q": "Late?", "a": "No."}\n' + "[" * 100_000, 1),
        ("faq.yaml", "[" * 10_000, 0),
    ],
)
def test_deep_nesting_is_told_and_what_can_be_read_is_kept(
    write_course: WriteCourse, name: str, text: str, kept: int
) -> None:
    entries, (problem,) = read_faq(write_course({name: text}), CARD)
    assert len(entries) == kept
    assert "nested too deeply" in problem.message


@pytest.mark.parametrize("wrap", ['{{"faq": [{}]}}', '{{"a": [{}]}}', '{{"a": {}}}'])
def test_sections_in_sections_without_end_are_told(write_course: WriteCourse, wrap: str) -> None:
    text = '{"q": "Late?", "a": "No."}'
    for _ in range(300):
        text = wrap.format(text)
    entries, problems = read_faq(write_course({"faq.json": text}), CARD)
    assert (entries, len(problems)) == ((), 1)


def test_a_number_of_five_thousand_digits_is_text(write_course: WriteCourse) -> None:
    (entry,), problems = read_faq(write_course({"faq.json": '[{"q": "Pi?", "a": ' + "3" * 5_000 + "}]"}), CARD)
    assert (len(entry.answer), problems) == (5_000, ())


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        ("q" * 2_001, "No.", "its question has 2,001 characters, the limit is 2,000"),
        ("Late?", "n" * 200_000, "its answer has 200,000 characters, the limit is 50,000"),
    ],
)
def test_an_entry_that_is_too_long_is_told_and_the_others_stay(
    write_course: WriteCourse, question: str, answer: str, found: str
) -> None:
    text = f"q,a\n{question},{answer}\nResit?,{'y' * 50_000}\n"
    entries, (problem,) = read_faq(write_course({"faq.csv": text}), CARD)
    assert [entry.question for entry in entries] == ["Resit?"]
    assert (problem.file, problem.line) == ("faq.csv", 2)
    assert problem.message == f"The entry '{question[:60]}' was left out: {found}."


def test_another_encoding_and_a_file_that_is_gone_are_told(write_course: WriteCourse) -> None:
    folder = write_course({"faq.csv": "问题,答案\n可以迟交吗？,可以。\n".encode("gbk")})
    (folder.path / "faq.json").symlink_to("gone.json")
    (entry,), problems = read_faq(folder, CARD)
    assert entry.answer == "可以。"
    assert [str(problem) for problem in problems] == [
        "faq.csv: Read as gb18030; nothing was lost. Save it as UTF-8 to be sure.",
        "faq.json: The file could not be read: No such file or directory. Mend or remove the link.",
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faq.csv", "question,answer\n" + "a,b\n" * 4),
        ("faq.jsonl", "{}\n" * 4),
        ("faq.json", "[{}, {}, {}, {}]"),
        ("faq.json", '{"a": [{}, {}], "b": [{}, {}]}'),
        ("faq.jsonl", '{"faq": [{}, {}]}\n{"faq": [{}, {}]}'),
        ("faq.yaml", "- faq: &a [{}, {}]\n- faq: *a\n"),
        ("faq.yaml", "a: &a [{q: x}, {q: y}]\nb: *a\n"),
    ],
)
def test_a_file_of_more_rows_than_fit_into_memory_is_not_read(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowledge_graph.sources.row_formats.MOST_ROWS", 3)
    with pytest.raises(FormatError, match="more than 3 rows"):
        rows_of(name, text)


def aliases(first: str, again: str) -> str:
    """Five levels of `again`, each fourteen times the level below it: 14^5 = 537,824 times `first` in 1 kB."""
    lines = [f"a0: &a0 {first}"]
    for level in range(1, 6):
        below = ", ".join(again.format(number, level - 1) for number in range(14))
        lines.append(f"a{level}: &a{level} {{{below}}}" if ":" in again else f"a{level}: &a{level} {{<<: [{below}]}}")
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text", [aliases("[{q: x, a: y}]", "k{}: *a{}"), aliases("{}", "k{}: *a{}"), aliases("{q: x}", "*a{1}")]
)
def test_a_small_yaml_of_aliases_that_stand_for_half_a_million_entries_is_one_problem(
    write_course: WriteCourse, text: str
) -> None:
    assert len(text) < 1_500
    entries, (problem,) = read_faq(write_course({"faq.yaml": text}), CARD)
    assert entries == ()
    assert problem.message == "Not valid YAML: with its aliases written out it has more than 1,000,000 values."
    assert problem.remedy == "Make it a plain list of entries with a question and an answer."


def test_an_answer_may_be_given_again_by_its_alias(write_course: WriteCourse) -> None:
    entries, problems = read_faq(write_course({"faq.yaml": "- q: Late?\n  a: &no No.\n- q: Resit?\n  a: *no\n"}), CARD)
    assert ([entry.answer for entry in entries], problems) == (["No.", "No."], ())


def test_an_alias_of_itself_is_told(write_course: WriteCourse) -> None:
    entries, problems = read_faq(write_course({"faq.yaml": "faq: &a\n- q: Late?\n  a: No.\n- x: *a\n"}), CARD)
    assert [entry.question for entry in entries] == ["Late?"]
    assert "recursive" in problems[0].message


def test_fields_of_a_section_that_all_its_entries_take_over_do_not_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("knowledge_graph.sources.faq_formats.MOST_FIELDS", 11)
    section = '{"x": "1", "y": "2", "faq": [{"q": "Late?", "a": "No."}, {"q": "Resit?", "a": "Yes."}%s]}'
    assert len(rows_of("faq.jsonl", section % "")) == 2
    with pytest.raises(FormatError, match="more than 11 fields in sections"):
        rows_of("faq.jsonl", section % ', {"q": "Where?", "a": "Here."}')


def test_a_long_yaml_is_asked_for_as_json_lines(write_course: WriteCourse) -> None:
    entries, (problem,) = read_faq(write_course({"faq.yaml": "- q: Late?\n  a: No.\n" + "#" * 2**22}), CARD)
    assert entries == ()
    assert problem.message == "Not read: YAML of 4,194,324 characters, the limit is 4,194,304."
    assert "JSON lines" in problem.remedy


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("name", ["faq.json", "faq.jsonl"])
def test_a_number_that_is_none_is_no_answer(write_course: WriteCourse, name: str, number: str) -> None:
    row = f'{{"question": "Resit?", "answer": {number}}}'
    entries, (empty, problem) = read_faq(write_course({name: f"[{row}]" if name == "faq.json" else row}), CARD)
    assert entries == ()
    assert empty.message == f"'answer' is {float(number)}, which is no text; it was taken as empty."
    assert problem.message == "The entry 'Resit?' has no answer; it was left out."


def test_control_characters_are_taken_out_and_told(write_course: WriteCourse) -> None:
    row = r'{"question": "Re\u0000sit?", "answer": "Yes,\u0007\u009b one.\n\tMaybe two."}'
    (entry,), problems = read_faq(write_course({"faq.jsonl": row}), CARD)
    assert (entry.question, entry.answer) == ("Resit?", "Yes, one.\n\tMaybe two.")
    assert sorted(problem.message for problem in problems) == [
        "'answer' holds control characters (U+0007, U+009B); they were taken out.",
        "'question' holds control characters (U+0000); they were taken out.",
    ]
