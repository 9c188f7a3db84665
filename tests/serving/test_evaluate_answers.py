"""`coteach evaluate answers` over a small home, with a stand-in for the model server."""

import json
from pathlib import Path

import pytest
from stand_in_thread import standing_in
from typer.testing import CliRunner

from orchestration.cli import app
from orchestration.evaluate_answers import read_audits

WORDS = ("A stack removes ", "the last element first [1], ", "a queue [7] “as nobody said” the first.")


def evaluate(home: Path, url: str, out: Path, count: int) -> tuple[int, dict[str, int]]:
    command = ["evaluate", "answers", "--llm-url", url, "--out", str(out), "--home", str(home), "--count", str(count)]
    result = CliRunner().invoke(app, [*command, "--json"], catch_exceptions=False)
    return result.exit_code, json.loads(result.stdout)


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COTEACH_LLM_URL", "COTEACH_HOME"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("COTEACH_GRADERS", "none")


def test_a_model_that_invents_marks_and_quotes_breaks_no_promise(home: Path, tmp_path: Path) -> None:
    with standing_in(words=WORDS) as server:
        code, found = evaluate(home, server.url, tmp_path / "out.jsonl", 6)
    assert code == 0
    assert (found["answers"], found["unresolved"], found["invented"], found["no_verdicts"]) == (6, 0, 0, 0)
    assert found["generated"] > 0
    assert found["citations"] > 0


def test_it_goes_on_where_it_stopped(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with standing_in(words=WORDS) as server:
        evaluate(home, server.url, out, 2)
        out.write_text(out.read_text() + '{"id": "2", "cour')
        asked = len(server.asked)
        _, found = evaluate(home, server.url, out, 3)
        assert found["answers"] == 3
        assert len(server.asked) <= asked + 3
    assert sorted(one.id for one in read_audits(out)) == ["0", "1", "2"]
