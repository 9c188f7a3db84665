"""Label files as people have them: encodings, headers, categories, defects; each told with its line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.problems import Problem
from knowledge_graph.sources.bounded_report import BoundedTold
from models.intent.labels.categories import CATEGORIES, PUBLISHED_NAMES, category_of
from models.intent.labels.columns import columns_of
from models.intent.labels.files import LabelFiles, read_label_files

Read = Callable[..., tuple[LabelFiles, list[Problem]]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads files given by name, as text or bytes."""

    def read(**files: str | bytes) -> tuple[LabelFiles, list[Problem]]:
        (tmp_path / "intents").mkdir(exist_ok=True)
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            (tmp_path / "intents" / name.replace("__", ".")).write_bytes(data)
        told = BoundedTold()
        return read_label_files(tmp_path, told), told.problems

    return read


def test_every_category_is_known_by_its_name_and_its_published_name() -> None:
    assert [category_of(PUBLISHED_NAMES[name]) for name in CATEGORIES] == list(CATEGORIES)
    assert [category_of(name.upper().replace("_", " ")) for name in CATEGORIES] == list(CATEGORIES)


@pytest.mark.parametrize("name", ["平台/课程问题", "平台课程问题", " Platform-FAQ ", "platform_faq"])
def test_blanks_case_and_punctuation_of_a_category_do_not_matter(name: str) -> None:
    assert category_of(name) == "platform_faq"


@pytest.mark.parametrize("name", ["", "闲", "chat", "question"])
def test_a_category_is_not_guessed(name: str) -> None:
    assert category_of(name) is None


def test_columns_are_found_by_their_usual_names_in_both_languages() -> None:
    assert columns_of(["编号", "问题", "会话ID", "类别"]) == {"id": 0, "question": 1, "session_id": 2, "category": 3}
    assert columns_of(["Query", "Session Id", "LABEL"]) == {"question": 0, "session_id": 1, "category": 2}
    assert columns_of(["score", "answer"]) == {}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_public_format_is_read_in_any_usual_encoding(read: Read, encoding: str, delimiter: str) -> None:
    rows = [
        ("id", "question", "session_id", "category"),
        ("1", "什么是二叉树", "7", "简单问题"),
        ("2", "怎么退课呀", "7", "平台、课程问题"),
    ]
    text = "\r\n".join(delimiter.join(row) for row in rows)
    found, problems = read(public__csv=text.encode(encoding))
    assert [(row.id, row.question, row.previous, row.category) for row in found.rows] == [
        ("public/1", "什么是二叉树", "", "simple"),
        ("public/2", "怎么退课呀", "什么是二叉树", "platform_faq"),
    ]
    assert all(problem.severity == "warning" for problem in problems)


def test_a_row_without_a_category_is_kept_and_is_the_previous_turn_of_the_next(read: Read) -> None:
    found, problems = read(a__csv="id,question,session_id,category\n1,hm,s,\n2,what is a heap?,s,simple\n")
    assert [(row.category, row.previous) for row in found.rows] == [(None, ""), ("simple", "hm")]
    assert problems == []


def test_bad_rows_are_named_with_their_line_and_the_others_are_kept(read: Read) -> None:
    text = (
        'id,question,category\n1,"two\nlines",simple\n2,,simple\n3,hm,silly\n1,again,simple\n5,a,b,simple\n6,ok,other\n'
    )
    found, problems = read(a__csv=text)
    assert [(row.id, row.category) for row in found.rows] == [("a/1", "simple"), ("a/3", None), ("a/6", "other")]
    assert [(problem.file, problem.line) for problem in problems] == [("intents/a.csv", n) for n in (4, 5, 6, 7)]
    assert "Unknown category 'silly'" in problems[1].message
    assert "platform_faq" in problems[1].remedy


def test_blank_rows_are_passed_over(read: Read) -> None:
    found, problems = read(a__csv="id,question,category\n\n,,\n1,hi,general_chat\n , ,\n")
    assert ([row.line for row in found.rows], problems) == ([4], [])


def test_a_question_of_100_000_characters_is_left_out(read: Read) -> None:
    found, (problem,) = read(a__csv=f"id,question,category\n1,{'x' * 100_000},simple\n2,hi,general_chat\n")
    assert [row.id for row in found.rows] == ["a/2"]
    assert (problem.line, problem.message) == (
        2, "Left out: its question has 100,000 characters, the limit is 2,000."
    )  # fmt: skip


def test_control_characters_are_removed_and_told_while_writing_from_right_to_left_stays(read: Read) -> None:
    found, (problem,) = read(
        a__csv="id,question,category\n1,wh\x00at is\x1b a \u202eheap,simple\n2,ما هي الكومة؟,simple\n"
    )
    assert [row.question for row in found.rows] == ["wh at is  a  heap", "ما هي الكومة؟"]
    assert (problem.line, problem.severity) == (2, "warning")


def test_a_question_of_nothing_but_control_characters_is_empty(read: Read) -> None:
    found, problems = read(a__csv="id,question,category\n1,\x01\x02,simple\n")
    assert found.rows == []
    assert problems[-1].message == "The question is empty."


def test_an_overlong_context_is_shortened_and_told(read: Read) -> None:
    found, (problem,) = read(a__csv=f"id,question,category,previous\n1,why?,complex,{'p' * 3000}\n")
    assert len(found.rows[0].previous) == 2000
    assert problem.severity == "warning"


def test_a_file_without_questions_does_not_stop_the_others(read: Read) -> None:
    found, problems = read(a__csv="score,answer\n1,hi\n", b__csv="", c__csv="question,category\nhi,general_chat\n")
    assert [row.question for row in found.rows] == ["hi"]
    assert [(problem.file, problem.line) for problem in problems] == [("intents/a.csv", 1), ("intents/b.csv", 1)]
    assert "found: score, answer" in problems[0].message


def test_a_file_without_categories_is_a_source_of_unlabelled_questions(read: Read) -> None:
    found, (problem,) = read(a__csv="question\nwhat is a heap?\n")
    assert [row.category for row in found.rows] == [None]
    assert problem.severity == "warning"


def test_other_files_are_told_and_hidden_ones_are_not(read: Read) -> None:
    _, (problem,) = read(a__csv="question,category\nhi,general_chat\n", b__xlsx=b"PK", __hidden=b"x")
    assert (problem.file, problem.severity) == ("intents/b.xlsx", "warning")


def test_a_later_row_of_the_same_id_and_question_gives_the_label_that_counts(read: Read) -> None:
    found, (problem,) = read(a__csv="id,question,category\n1,why,simple\n2,hi,general_chat\n1,why?,complex\n")
    assert [(row.id, row.category, row.line) for row in found.rows] == [
        ("a/1", "complex", 4), ("a/2", "general_chat", 3)
    ]  # fmt: skip
    assert [(row.category, row.line) for row in found.earlier] == [("simple", 2)]
    assert (problem.line, problem.severity) == (4, "warning")
    assert "complex here and simple in line 2" in problem.message


def test_a_file_says_how_it_was_read(read: Read) -> None:
    found, _ = read(a__csv="问题,类别\n什么是栈,简单问题\n".encode("gb18030"))
    (file,) = found.files
    assert (file.name, file.encoding, file.columns) == (
        "intents/a.csv", "gb18030", {"question": "问题", "category": "类别"}
    )  # fmt: skip
    assert len(file.version) == 12


def test_ten_thousand_defects_of_a_kind_are_told_in_short(read: Read) -> None:
    found, problems = read(a__csv="question,category\n" + "hi,silly\n" * 10_000)
    assert len(found.rows) == 10_000
    assert len(problems) == 21
    assert problems[-1].message.startswith("9,980 more")


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=300), st.text(max_size=200))
def test_no_file_stops_the_reading(tmp_path_factory: pytest.TempPathFactory, data: bytes, text: str) -> None:
    folder = tmp_path_factory.mktemp("labels")
    (folder / "intents").mkdir()
    (folder / "intents" / "a.csv").write_bytes(b"id,question,category\n" + data)
    (folder / "intents" / "b.csv").write_bytes(b"question,category\n" + text.encode("utf-8", "surrogatepass"))
    for row in read_label_files(folder, BoundedTold()).rows:
        assert row.question
        row.question.encode()


def test_a_row_without_an_id_is_known_by_its_text_wherever_it_stands(read: Read) -> None:
    before, _ = read(a__csv="question,category\nhi,general_chat\nhi,simple\nwhat is a heap,simple\n")
    after, _ = read(a__csv="question,category\nnew,simple\nhi,general_chat\nhi,simple\nwhat is a heap,simple\n")
    assert len({row.id for row in before.rows}) == 3
    assert {row.id: row.category for row in before.rows}.items() <= {row.id: row.category for row in after.rows}.items()
