"""`coteach compare` on a small home: a table, a page and a run; or what is there to be compared."""

from dataclasses import asdict
from pathlib import Path

import mlflow
import pytest
from typer.testing import CliRunner

from knowledge_graph.lake.evaluation_schemas import SYSTEM_ANSWERS
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import write_table
from models.tracking.place import place_of
from orchestration.cli.main import app
from serving.evaluation.systems.system_answers import SystemAnswer


def answers(system: str, rank: int) -> list[SystemAnswer]:
    return [
        SystemAnswer(
            system=system, served=None, set="ds", section="course", question_id=f"q{n}", course_id="ds", lang="en",
            kind="simple", question=f"Question {n}?", route="direct", answer=f"Of {system}.", source="faq", top=("a",),
            hit_rank=rank, recall5=1.0, references=(), gold_references=1, confidence=0.9, degraded=False, model=None,
            error=None, total_ms=10.0, rouge1=0.5, rouge2=0.2, rougel=0.5 / rank, statements=1, supported_statements=1,
            citations=1, supported_citations=1, grounded=None,
        )
        for n in range(30)
    ]  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> DataDir:
    data_dir = DataDir(tmp_path / "home")
    for system, rank in (("retrieval_only", 2), ("composed", 1)):
        write_table(data_dir.system_answers(system), [asdict(one) for one in answers(system, rank)], SYSTEM_ANSWERS)
    return data_dir


def test_two_systems_are_compared_on_a_page_and_in_mlflow(home: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    done = CliRunner().invoke(app, ["compare", "retrieval_only", "composed", "--home", str(home.root)])
    assert done.exit_code == 0, done.output
    assert "Hit@1" in done.output
    shown = home.evaluation / "comparisons" / "retrieval_only-composed.html"
    assert str(shown) in done.output
    assert "Of composed." in shown.read_text(encoding="utf-8")
    mlflow.set_tracking_uri(place_of(home).uri)
    (run,) = mlflow.search_runs(experiment_names=["comparisons"], output_format="list")
    assert run.data.metrics["hit_at_1/difference"] == 1.0
    assert run.info.run_id in done.output


def test_answers_of_another_home_are_compared_by_their_file(home: DataDir, tmp_path: Path) -> None:
    other = DataDir(tmp_path / "other")
    write_table(other.system_answers("composed"), [asdict(one) for one in answers("composed", 1)], SYSTEM_ANSWERS)
    path = str(other.system_answers("composed"))
    done = CliRunner().invoke(app, ["compare", "composed", path, "--home", str(home.root), "--json"])
    assert done.exit_code == 0, done.output
    assert '"no difference shown"' in done.output


def test_an_unknown_system_is_refused_with_those_that_there_are(home: DataDir) -> None:
    done = CliRunner().invoke(app, ["compare", "nothing", "composed", "--home", str(home.root)])
    assert done.exit_code != 0
    assert "composed, retrieval_only" in (done.output + str(done.exception)).replace("\n", " ")
