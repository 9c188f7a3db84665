"""`coteach evaluate answers` over a small home, with a stand-in for the model server."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from stand_in_thread import standing_in
from typer.testing import CliRunner

from orchestration.cli.evaluate_answers import read_audits
from orchestration.cli.evaluate_command import EvaluationStopped
from orchestration.cli.main import app
from serving.evaluation.audited_answers import AuditedAnswer, fields_of, score_audits

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
    monkeypatch.setenv("COTEACH_MODEL_ADMISSION", "always")  # what is measured is what a model wrote


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


def rewrite(out: Path, answers: list[AuditedAnswer]) -> None:
    out.write_text("".join(json.dumps(fields_of(one)) + "\n" for one in answers))


def test_what_a_server_that_was_gone_did_not_answer_is_asked_again(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with standing_in("dies midway", words=WORDS) as server:
        code, found = evaluate(home, server.url, out, 4)
    assert code == 1
    assert found["answers"] < 4
    assert found["generated"] == 0
    with standing_in(words=WORDS) as server:
        code, found = evaluate(home, server.url, out, 4)
    assert (code, found["answers"]) == (0, 4)


def test_an_answer_counts_only_for_its_own_question_and_course(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with standing_in(words=WORDS) as server:
        evaluate(home, server.url, out, 2)
        first, second = read_audits(out)
        rewrite(out, [replace(first, question="What else?"), replace(second, id="77")])
        _, found = evaluate(home, server.url, out, 2)
    assert found["answers"] == 2
    assert [one.question for one in read_audits(out)] == ["What else?", second.question, first.question]


def test_another_models_answers_are_not_mixed_in(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with standing_in(words=WORDS) as server:
        evaluate(home, server.url, out, 1)
        rewrite(out, [replace(one, served="another-model") for one in read_audits(out)])
        with pytest.raises(EvaluationStopped, match="holds answers of another-model, and the model served is stand-in"):
            evaluate(home, server.url, out, 1)


ANSWER = AuditedAnswer(
    id="0",
    course_id="ds",
    question="Why?",
    route="teach",
    text="So.",
    model="m",
    served="m",
    error=None,
    degraded=False,
    cited=0,
    quoted=0,
    unresolved=(),
    invented=(),
    verdicts=(),
    no_verdicts=(),
    path=(),
    seconds=1.0,
)


@pytest.mark.parametrize(
    "other",
    [
        replace(ANSWER, model=None),
        replace(ANSWER, route="chat"),
        replace(ANSWER, route="clarify"),
        replace(ANSWER, degraded=True),
        replace(ANSWER, error="LlmRejected: no"),
    ],
)
def test_only_what_the_model_wrote_to_its_end_counts_as_generated(other: AuditedAnswer) -> None:
    scores = score_audits([ANSWER, replace(ANSWER, route="explain"), other])
    assert (scores.answers, scores.generated) == (3, 2)
