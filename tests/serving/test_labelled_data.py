"""Public label files: the published form, and what is told of any other."""

from pathlib import Path

import pytest

from serving.evaluation.sets.labelled_data import (
    AnsweredQuestion,
    LabelledDataUnusable,
    LabelledIntent,
    read_answers,
    read_intents,
)

INTENTS = "id,question,session_id,category\n"
ANSWERS = "id,question,session_id,category,answer\n"


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("简单问题", "simple"),
        ("复杂问题", "complex"),
        ("其他闲聊", "general_chat"),
        ("情绪闲聊", "emotional_chat"),
        ("平台、课程问题", "platform_faq"),
        ("其他", "other"),
        ("general_chat", "general_chat"),
    ],
)
def test_the_published_names_are_our_six_categories(tmp_path: Path, name: str, category: str) -> None:
    found = read_intents(written(tmp_path / "i.csv", f'{INTENTS}7,什么是栈,3,"{name}"\n'))
    assert found.rows == (LabelledIntent("7", "什么是栈", "3", category, 2),)  # type: ignore[arg-type]


def test_blank_rows_are_counted_and_left_out(tmp_path: Path) -> None:
    found = read_intents(
        written(tmp_path / "i.csv", f"{INTENTS}1,栈,1,简单问题\n,,,\n\n3,  ,2,简单问题\n4,队列,2,简单问题\n")
    )
    assert [(row.row_id, row.line) for row in found.rows] == [("1", 2), ("4", 6)]
    assert found.blank == 3


def test_a_question_over_two_lines_keeps_the_line_it_begins_on(tmp_path: Path) -> None:
    found = read_intents(written(tmp_path / "i.csv", f'{INTENTS}1,"什么是\n栈",1,简单问题\n2,队列,1,简单问题\n'))
    assert [(row.question, row.line) for row in found.rows] == [("什么是\n栈", 2), ("队列", 4)]


def test_answers_are_read_with_a_byte_order_mark_and_columns_in_any_order(tmp_path: Path) -> None:
    text = "\ufeffanswer,category,id,question,session_id\n后进先出,简单问题,5,栈,9\n"
    found = read_answers(written(tmp_path / "a.csv", text))
    assert found.rows == (AnsweredQuestion("5", "栈", "9", "simple", "后进先出", 2),)


def test_a_question_without_an_answer_is_counted(tmp_path: Path) -> None:
    found = read_answers(written(tmp_path / "a.csv", f"{ANSWERS}1,栈,1,简单问题,\n2,队列,1,复杂问题,先进先出\n,,,,\n"))
    assert ([row.row_id for row in found.rows], found.blank, found.unanswered) == (["2"], 1, 1)


def test_an_unknown_category_is_told_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path / "i.csv", f"{INTENTS}1,栈,1,简单问题\n2,队列,1,难题\n")
    with pytest.raises(LabelledDataUnusable, match=r"i\.csv:3: Expected one of .*简单问题 \(simple\).*found '难题'"):
        read_intents(path)


def test_a_missing_column_is_told_with_what_was_found(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", f"{INTENTS}1,栈,1,简单问题\n")
    with pytest.raises(
        LabelledDataUnusable, match=r"a\.csv:1: Expected .*; answer missing\. Found: id, question, session"
    ):
        read_answers(path)


def test_an_empty_file_has_no_columns(tmp_path: Path) -> None:
    with pytest.raises(LabelledDataUnusable, match=r"id, question, session_id, category missing\. Found: none"):
        read_intents(written(tmp_path / "i.csv", ""))


def test_another_encoding_is_told_with_the_line_it_begins_on(tmp_path: Path) -> None:
    path = written(tmp_path / "i.csv", f"{INTENTS}1,栈,1,简单问题\n".encode("gb18030"))
    with pytest.raises(LabelledDataUnusable, match=r"i\.csv:2: Expected UTF-8"):
        read_intents(path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LabelledDataUnusable, match="No such file"):
        read_intents(tmp_path / "nowhere.csv")


def test_a_quote_that_is_never_closed_is_told_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path / "i.csv", f'{INTENTS}1,"栈,1,简单问题\n2,队列,1,简单问题\n')
    with pytest.raises(LabelledDataUnusable, match=r"i\.csv:3: Not a row of CSV: unexpected end of data"):
        read_intents(path)
