"""The asset `explanations` and `coteach explain`, with a stand-in for the model server."""

import io
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from rich.console import Console
from stand_in_thread import standing_in

from assets.explanations import (
    Explaining,
    explanations,
    explanations_contradict_no_answer,
    stored_answers_are_unchanged,
)
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.schemas import QA_PAIRS
from knowledge_graph.lake.tables import digest, read_rows, write_table
from orchestration.building.build import drop_explanations
from orchestration.cli.explain_command import explain
from orchestration.resources import HomeResource
from serving.index.search import SearchIndex

GOOD = ("A stack works like plates in a pile: ", "whoever arrives latest ", "leaves earliest.")


def pair(number: int, **more: Any) -> dict[str, Any]:
    row = {
        **dict.fromkeys(QA_PAIRS.names),
        "qa_id": f"q{number}",
        "source": "faq",
        "course_id": "ds",
        "lang": "en",
        "question": f"How does structure {number} work?",
        "answer": "Like a stack.",
        "content_hash": f"h{number}",
        "domains": [],
        "also_from": [],
    }
    return {**row, **more}


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DataDir:
    found = DataDir(tmp_path / "home")
    write_table(found.qa_pairs, [pair(1), pair(2), pair(3, lang="zh")], QA_PAIRS)
    monkeypatch.setenv("COTEACH_HOME", str(found.root))
    monkeypatch.setenv("DAGSTER_HOME", "")
    return found


def made(data_dir: DataDir, **config: Any) -> dg.ExecuteInProcessResult:
    return dg.materialize(
        [explanations, explanations_contradict_no_answer, stored_answers_are_unchanged],
        resources={"data_dir": HomeResource(root=str(data_dir.root))},
        run_config=dg.RunConfig(ops={"explanations": Explaining(**config)}),
        raise_on_error=False,
    )


def counts(result: dg.ExecuteInProcessResult) -> dict[str, object]:
    (event,) = result.get_asset_materialization_events()
    metadata = event.materialization.metadata
    return {name: metadata[name].value for name in ("missing", "made", "rejected", "reused", "skipped", "left")}


def test_a_run_tells_what_it_made_and_its_checks_hold(data_dir: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(data_dir.qa_pairs)
    with standing_in(words=GOOD) as server:
        monkeypatch.setenv("COTEACH_LLM_URL", server.url)
        result = made(data_dir, limit=1)
        assert counts(result) == {"missing": 2, "made": 1, "rejected": 0, "reused": 0, "skipped": 1, "left": 1}
        assert all(check.passed for check in result.get_asset_check_evaluations())
        assert counts(made(data_dir)) == {"missing": 1, "made": 1, "rejected": 0, "reused": 1, "skipped": 1, "left": 0}
        assert len(server.asked) == 2
    assert digest(data_dir.qa_pairs) == before


def test_without_a_model_server_the_run_fails_and_says_what_to_do(
    data_dir: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COTEACH_LLM_URL", raising=False)
    result = made(data_dir)
    assert not result.success
    assert "Run `coteach explain`" in str(result.get_step_failure_events()[0].step_failure_data.error)


@pytest.mark.filterwarnings("ignore")  # of libraries inside a run of Dagster
def test_the_command_explains_and_indexes_and_goes_on_after_a_dead_server(
    data_dir: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = io.StringIO()
    console = Console(file=printed, width=200)
    with standing_in("dies midway", words=GOOD) as dying:
        monkeypatch.setenv("COTEACH_LLM_URL", dying.url)
        assert explain(console, limit=None, courses=[], sources=[]) == 1
    assert "run the same again to go on" in printed.getvalue()
    with standing_in(words=GOOD) as server:
        monkeypatch.setenv("COTEACH_LLM_URL", server.url)
        assert explain(console, limit=None, courses=["ds"], sources=[]) == 0
    assert [row["status"] for row in read_rows(data_dir.explanations)] == ["made", "made"]
    entries = SearchIndex.open(data_dir.index).entries("qa", ["q1", "q2", "q3"])
    assert {entry.entry_id: entry.explanation_kind for entry in entries} == {"q1": "ai", "q2": "ai", "q3": None}


def test_nothing_that_ai_wrote_of_a_forgotten_course_is_left(
    data_dir: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_table(data_dir.qa_pairs, [pair(1), pair(2, course_id="os")], QA_PAIRS)
    with standing_in(words=GOOD) as server:
        monkeypatch.setenv("COTEACH_LLM_URL", server.url)
        made(data_dir)
    drop_explanations(data_dir, "ds")
    assert [row["course_id"] for row in read_rows(data_dir.explanations)] == ["os"]


def test_a_home_without_pairs_is_to_be_built_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(tmp_path / "empty"))
    with pytest.raises(CoteachError, match="Run `coteach build` first"):
        explain(Console(file=io.StringIO()), limit=None, courses=[], sources=[])
