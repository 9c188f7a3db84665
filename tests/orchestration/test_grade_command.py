"""`coteach grade`: answers in, one line about each out, and what is told about lines that are none."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from orchestration.cli.grade_command import GradeUnusable, grade_file
from orchestration.cli.main import app

GOOD = {
    "id": "a",
    "question": "Who invented it?",
    "knowledge": "It was invented by Tony Hoare.",
    "answer": "Tony Hoare",
}
BAD = {
    "id": 2,
    "question": "Who invented it?",
    "knowledge": ["It was Tony Hoare.", "In 1959."],
    "answer": "It was Ada Li.",
}


def graded(folder: Path, text: str) -> tuple[int, list[dict[str, Any]]]:
    records, out = folder / "records.jsonl", folder / "grades.jsonl"
    records.write_text(text, encoding="utf-8")
    code = grade_file(records, out=out)
    return code, [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    "text",
    [f"{json.dumps(GOOD)}\n\n{json.dumps(BAD)}\n", json.dumps([GOOD, BAD]), "\n" + json.dumps([GOOD, BAD], indent=1)],
    ids=["lines", "array", "indented array"],
)
def test_each_answer_gives_a_line_in_the_same_order(tmp_path: Path, text: str) -> None:
    code, found = graded(tmp_path, text)
    assert code == 0
    assert [(line["id"], line["grounded"]) for line in found] == [("a", True), (2, False)]
    assert found[0]["score"] > found[1]["score"]
    assert list(found[1]) == ["id", "score", "grounded", "certain", "sentences"]
    assert found[1]["sentences"] == [
        {**found[1]["sentences"][0], "start": 0, "end": 14, "text": "It was Ada Li.", "missing": ["Ada Li"]}
    ]


def test_an_answer_without_id_is_called_by_its_place(tmp_path: Path) -> None:
    nameless = {name: value for name, value in GOOD.items() if name != "id"}
    assert [line["id"] for line in graded(tmp_path, json.dumps([nameless, nameless]))[1]] == [1, 2]


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "7",
        '{"question": "q", "answer": "a"}',
        '{"question": "q", "knowledge": [1], "answer": "a"}',
        '{"question": "q", "knowledge": "k"}',
        '{"id": 1.5, "question": "q", "knowledge": "k", "answer": "a"}',
        '{"question": "q", "knowledge": "k", "answer": "\\ud800"}',
    ],
)
def test_a_line_that_is_no_answer_is_told_and_left_out(
    tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = graded(tmp_path, f"{line}\n{json.dumps(GOOD)}\n")
    assert code == 1
    assert [line["id"] for line in found] == ["a"]
    assert "records.jsonl:1" in capsys.readouterr().err.replace("\n", "")


@pytest.mark.parametrize("text", ["", "[]"])
def test_an_empty_file_gives_no_lines(tmp_path: Path, text: str) -> None:
    assert graded(tmp_path, text) == (0, [])


def test_a_broken_array_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GradeUnusable, match="JSON array"):
        graded(tmp_path, '[{"id": 1},')
    with pytest.raises(GradeUnusable, match="nowhere"):
        grade_file(tmp_path / "nowhere.jsonl", out=None)


def test_the_verb_writes_to_standard_output(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_text(json.dumps(GOOD) + "\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["grade", str(records)])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["id"] == "a"
