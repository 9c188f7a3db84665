"""`coteach classify`: JSON lines in, what is understood of each out, and what is told about lines that are none."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import GRAPH_CONCEPTS, GRAPH_COURSES, GRAPH_PREREQUISITES
from knowledge_graph.lake.tables import write_table
from orchestration.cli import classify_command
from orchestration.cli.classify_command import BATCH, ClassifyUnusable, InputLine, QuestionClassifier, classify_file
from orchestration.cli.main import app

HEAP = '{"id": "1", "question": "How does a heap work?"}'
FIELDS = ["id", "category", "h", "form", "options", "complexity", "refusal"]


def course(course_id: str) -> dict[str, Any]:
    return {
        **dict.fromkeys(GRAPH_COURSES.names),
        "course_id": course_id,
        "title": f"Title of {course_id}",
        "lang": "en",
    }


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of two courses without concepts, and no intent model; tests only look."""
    data_dir = DataDir(tmp_path_factory.mktemp("home"))
    write_table(data_dir.graph_courses, [course("ds"), course("art")], GRAPH_COURSES)
    write_table(data_dir.graph_concepts, [], GRAPH_CONCEPTS)
    write_table(data_dir.graph_prerequisites, [], GRAPH_PREREQUISITES)
    return data_dir.root


def lines(folder: Path, *listed: str) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("".join(f"{line}\n" for line in listed), encoding="utf-8")
    return path


def classified(home: Path, questions: Path, **more: Any) -> tuple[int, list[dict[str, Any]]]:
    out = questions.with_name("classes.jsonl")
    code = classify_file(questions, home=home, course=more.get("course"), out=out)
    return code, [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def test_each_question_gives_a_line_in_the_same_order(home: Path, tmp_path: Path) -> None:
    mcq = json.dumps({"id": 2, "question": "Which of the following is linear?\nA. list\nB. tree\nC. graph"})
    code, found = classified(home, lines(tmp_path, HEAP, mcq, '{"id": "题", "question": "下列哪个是栈？"}'))
    assert code == 0
    assert [list(line) for line in found] == [FIELDS] * 3
    assert found[0] == {
        "id": "1",
        "category": "simple",
        "h": 0.0,
        "form": "frq",
        "options": [],
        "complexity": "method",
        "refusal": None,
    }
    assert found[1]["options"] == [
        {"label": "A", "text": "list"},
        {"label": "B", "text": "tree"},
        {"label": "C", "text": "graph"},
    ]
    assert (found[2]["id"], found[2]["form"], found[2]["refusal"]) == ("题", "mcq", "missing_options")


def test_the_turn_before_is_taken_into_account(home: Path, tmp_path: Path) -> None:
    alone = '{"id": "1", "question": "Why?"}'
    after = '{"id": "2", "question": "Why?", "previous": "A queue is first in, first out."}'
    _, found = classified(home, lines(tmp_path, alone, after))
    assert [line["refusal"] for line in found] == ["incomplete", None]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{not json", "Not valid JSON."),
        ("[" * 100_000, "Not valid JSON."),
        ('["a", "b"]', "Expected an object, found list."),
        ('{"question": "stack"}', "no 'id' or no 'question'"),
        ('{"id": "x"}', "no 'id' or no 'question'"),
        ('{"id": "x", "question": 7}', "no 'id' or no 'question'"),
        ('{"id": true, "question": "stack"}', "no 'id' or no 'question'"),
        ('{"id": "x", "question": "stack", "previous": 7}', "'previous' is int, not text."),
        ('{"id": "x", "question": "half \\udfff"}', "half a character"),
        ('{"id": "x", "question": "stack", "course": ["ds"]}', "'course' is list, not text."),
    ],
)
def test_a_line_that_is_no_question_is_told_with_its_number_and_passed_over(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, told: str
) -> None:
    code, found = classified(home, lines(tmp_path, HEAP, line, HEAP.replace("1", "3")))
    assert code == 1
    assert [each["id"] for each in found] == ["1", "3"]
    error = " ".join(capsys.readouterr().err.split())
    assert told in error
    assert "questions.jsonl:2" in error
    assert "2 classified, 1 left out" in error


def test_strange_questions_are_classified(home: Path, tmp_path: Path) -> None:
    strange = ["", "\x00\x07", "a" * 100_000, "\u202eما هي المكدس", "😂"]
    written = [json.dumps({"id": place, "question": text}) for place, text in enumerate(strange)]
    code, found = classified(home, lines(tmp_path, *written))
    assert (code, len(found)) == (0, 5)
    assert [line["refusal"] for line in found] == ["incomplete", "incomplete", "nonsense", None, None]


@dataclass
class CountingIntent:
    """An intent model that remembers how many questions it was given at once."""

    sizes: list[int] = field(default_factory=list)
    turns: list[tuple[str, str, str]] = field(default_factory=list)

    def alpha_for(self, question: str) -> float:
        return 0.5

    def classify_batch(self, turns: list[tuple[str, str, str]]) -> list[Any]:
        self.sizes.append(len(turns))
        self.turns += turns
        return [Scores()] * len(turns)


@dataclass(frozen=True)
class Scores:
    category: str = "general_chat"
    h: float = 0.9
    complex: float = 0.0


def test_questions_are_scored_in_batches_of_bounded_size(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    intent = CountingIntent()
    reader = QuestionClassifier(ConceptGraph.load(DataDir(home)), intent)  # type: ignore[arg-type]
    monkeypatch.setattr(classify_command, "_reader", lambda *_: reader)
    code, found = classified(home, lines(tmp_path, *[HEAP] * (BATCH + 3)))
    assert (code, len(found), intent.sizes) == (0, BATCH + 3, [BATCH, 3])
    assert (found[-1]["category"], found[-1]["h"]) == ("general_chat", 0.9)


def test_the_model_reads_the_turn_before_the_course_and_the_stem(home: Path) -> None:
    intent = CountingIntent()
    reader = QuestionClassifier(ConceptGraph.load(DataDir(home)), intent)  # type: ignore[arg-type]
    reader.understand([InputLine(1, "Is it linear? A. yes B. no", "What is a list?", "ds")])
    assert intent.turns == [("What is a list?", "Title of ds", "Is it linear?")]


def test_a_course_that_is_not_built_is_read_as_a_title_and_told(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = json.dumps({"id": "x", "question": "What is a heap?", "course": "Algorithms"})
    code, found = classified(home, lines(tmp_path, line))
    assert (code, [each["id"] for each in found]) == (0, ["x"])
    assert "No course 'Algorithms' is built here." in " ".join(capsys.readouterr().err.split())
    intent = CountingIntent()
    QuestionClassifier(ConceptGraph.load(DataDir(home)), intent).understand(  # type: ignore[arg-type]
        [InputLine("x", "What is a heap?", "", "Algorithms")]
    )
    assert intent.turns == [("", "Algorithms", "What is a heap?")]


def test_an_unknown_course_or_a_home_without_a_graph_is_told(home: Path, tmp_path: Path) -> None:
    with pytest.raises(ClassifyUnusable, match=r"No course 'nope' is built in .*; there are: art, ds\."):
        classified(home, lines(tmp_path, HEAP), course="nope")
    with pytest.raises(ClassifyUnusable, match="coteach build"):
        classified(tmp_path / "nothing", lines(tmp_path, HEAP))
    with pytest.raises(ClassifyUnusable, match="could not be read"):
        classified(home, tmp_path / "nope.jsonl")


def test_the_command_writes_lines_to_standard_output_and_words_to_people_to_standard_error(
    home: Path, tmp_path: Path
) -> None:
    ran = CliRunner().invoke(app, ["classify", str(lines(tmp_path, HEAP, "no")), "--home", str(home)])
    assert ran.exit_code == 1
    assert [json.loads(line)["complexity"] for line in ran.stdout.splitlines()] == ["method"]
    assert "Not valid JSON" in ran.stderr
    assert "by rules alone" in ran.stderr
