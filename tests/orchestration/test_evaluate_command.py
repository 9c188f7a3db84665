"""`coteach evaluate mcq` as a person runs it, with a stand-in for the model server."""

import json
from pathlib import Path

import pytest
from stand_in_thread import standing_in
from typer.testing import CliRunner

from orchestration.cli.evaluate_command import EvaluationStopped, read_answers
from orchestration.cli.main import app

WORDS = ("People waiting ", "in line are served ", "by the time they came.")
QUESTIONS = [
    {"id": "1", "question": "Which is first in, first out?", "options": {"A": "stack", "B": "queue"}, "answer": "B"},
    {"id": "2", "question": "Which is last in, first out?", "options": {"A": "stack", "B": "queue"}, "answer": "A"},
    {"id": "3", "question": "哪一个先进先出？", "options": {"A": "栈", "B": "队列"}, "answer": "B"},
]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.json"
    path.write_text(json.dumps(QUESTIONS))
    return path


def evaluate(questions: Path, url: str, *more: str) -> str:
    out = questions.with_name("out.jsonl")
    command = ["evaluate", "mcq", str(questions), "--llm-url", url, "--out", str(out), "--home", str(out.parent), *more]
    result = CliRunner().invoke(app, command, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COTEACH_LLM_URL", "COTEACH_HOME"):
        monkeypatch.setenv(name, "")


def test_the_figures_of_a_file(questions: Path) -> None:
    with standing_in(words=WORDS) as server:
        server.chooses = "B"
        found = json.loads(evaluate(questions, server.url, "--json"))
    assert found["accuracy"]["value"] == 0.5
    assert (found["accuracy"]["of"], found["chance"]) == (2, 0.5)
    assert found["names_an_option"]["value"] == found["explained_by_model"]["value"] == 1.0


def test_what_is_answered_is_not_asked_again_even_after_a_kill_in_the_middle_of_a_line(questions: Path) -> None:
    out = questions.with_name("out.jsonl")
    with standing_in(words=WORDS) as server:
        server.chooses = "A"
        evaluate(questions, server.url, "--limit", "1")
        out.write_text(out.read_text() + '{"id": "2", "subj')
        asked = len(server.asked)
        assert "accuracy" in evaluate(questions, server.url)
        assert len(server.asked) == 2 * asked
    assert [one.id for one in read_answers(out)] == ["1", "2"]


def test_answers_of_another_model_are_not_mixed_in(questions: Path) -> None:
    out = questions.with_name("out.jsonl")
    with standing_in(words=WORDS) as server:
        server.chooses = "A"
        evaluate(questions, server.url)
        out.write_text(out.read_text().replace("stand-in-not-a-model", "another"))
        with pytest.raises(EvaluationStopped, match="holds answers of another"):
            evaluate(questions, server.url)


def test_a_dead_server_stops_it_and_says_what_is_kept(questions: Path) -> None:
    with standing_in("breaks") as server, pytest.raises(EvaluationStopped, match="run the same again to go on"):
        evaluate(questions, server.url)


def test_tracked_figures_are_a_run_in_mlflow(questions: Path) -> None:
    import mlflow

    with standing_in(words=WORDS) as server:
        server.chooses = "A"
        evaluate(questions, server.url, "--track")
    (run,) = mlflow.search_runs(experiment_names=["multiple choice"], output_format="list")
    assert run.data.metrics["accuracy"] == 0.5
    assert run.data.params["model"] == "stand-in-not-a-model"
