"""`coteach model examine` and the asset `model_admission` as a person runs them: a server of the tests over
real HTTP, and what is kept and shown."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

import course_rows as rows
import dagster as dg
import exam_rows
import mlflow
import pyarrow as pa
import pytest
import stand_in_models as stand_ins
from stand_in import StandIn
from stand_in_thread import standing_in
from typer.testing import CliRunner

from assets.model_admission import model_admission
from knowledge_graph.lake import schemas
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import write_table
from models.tracking.place import place_of
from orchestration.cli.main import app
from orchestration.resources import HomeResource
from serving.exam.exam_files import newest
from serving.exam.items import exam_items
from serving.index.build import build_index

MARKS = ("supported", "attributed", "invents_nothing", "covers", "resists", "honest", "cites_rightly")
FORM = ("repeats_nothing", "echoes_nothing", "leaks_nothing", "copies_nothing", "well_formed")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DataDir:
    """A home with an index, a graph and the exam of six concepts and four classes."""
    for name in ("COTEACH_LLM_URL", "COTEACH_HOME", "COTEACH_EXAM_JUDGE_URL"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("COLUMNS", "200")
    found = DataDir(tmp_path / "home")
    listings: list[tuple[Path, list[rows.Row], pa.Schema]] = [
        (found.graph_concepts, rows.CONCEPTS, schemas.GRAPH_CONCEPTS),
        (found.graph_prerequisites, rows.PREREQUISITES, schemas.GRAPH_PREREQUISITES),
        (found.graph_courses, rows.COURSES, schemas.GRAPH_COURSES),
    ]
    for path, listed, schema in listings:
        write_table(path, listed, schema)
    build_index(rows.tables(tmp_path / "tables"), found.index)
    exam = [*exam_items(exam_rows.material()), *exam_items(exam_rows.catalogue())]
    items = [asdict(replace(item, course_id="ds")) for item in exam]
    write_table(found.table("exam_questions", "ds"), items, schemas.EXAM_QUESTIONS)
    return found


@contextmanager
def served(writes: Callable[[str], str] = stand_ins.faithful) -> Iterator[StandIn]:
    with standing_in() as server:
        server.writes = writes
        yield server


def examine(home: DataDir, *more: str) -> str:
    result = CliRunner().invoke(app, ["model", "examine", *more, "--home", str(home.root)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_model_at_a_url_is_examined_and_every_mark_is_shown_and_kept_as_a_run(home: DataDir) -> None:
    with served() as server:
        shown = examine(home, server.url)
    assert "admitted for definition (en), follow_up (en) (supported and rightly attributed: " in shown
    assert all(name in shown for name in (*MARKS, *FORM))
    (found,) = newest(home)
    assert found.tokens_per_second is not None
    assert found.first_token_s is not None
    mlflow.set_tracking_uri(place_of(home).uri)
    (run,) = mlflow.search_runs(experiment_names=["models"], output_format="list")
    assert {f"en_definition_{name}" for name in (*MARKS, *FORM)} <= set(run.data.metrics)
    assert {"first_token_s", "tokens_per_second", "share"} <= set(run.data.metrics)


def test_the_model_of_a_language_is_examined_in_that_language_alone(
    home: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as usual, served() as english:
        monkeypatch.setenv("COTEACH_LLM_URL", usual.url)
        monkeypatch.setenv("COTEACH_LLM_URL_EN", english.url)
        found = json.loads(examine(home, "--language", "en", "--json"))
        assert (len(usual.asked), {one["lang"] for one in found["standings"]}) == (0, {"en"})
        assert english.asked
        other = json.loads(examine(home, "--json"))
        assert (usual.asked, other["asked"]) == ([], 0), "English is not its language"
    with pytest.raises(CoteachError, match="set COTEACH_LLM_URL_ZH"):
        examine(home, "--language", "zh")


def test_an_exam_that_was_stopped_asks_only_what_is_left(home: DataDir) -> None:
    with served() as server:
        whole = json.loads(examine(home, server.url, "--json"))
        asked = len(server.asked)
        answers = next(home.exam.glob("*/answers.jsonl"))
        lines = answers.read_text(encoding="utf-8").splitlines()
        answers.write_text("\n".join([*lines[:-3], lines[-3][:40]]), encoding="utf-8")
        next(home.exam.glob("*/*.json")).unlink()
        again = json.loads(examine(home, server.url, "--json"))
        assert len(server.asked) == asked + 3
        examine(home, server.url)
        assert len(server.asked) == asked + 3, "a known result is not asked for again"
    assert again["standings"] == whole["standings"]


def test_a_server_that_breaks_is_told_in_words_and_what_was_answered_is_kept(home: DataDir) -> None:
    with served() as server:
        server.behaviour = "breaks"
        with pytest.raises(CoteachError, match="run the same again to go on"):
            examine(home, server.url)


def test_another_model_at_the_same_address_is_examined_anew(home: DataDir) -> None:
    with served() as server:
        examine(home, server.url)
        asked = len(server.asked)
        server.name, server.writes = "another-model", stand_ins.says(stand_ins.negates)
        shown = examine(home, server.url)
        assert len(server.asked) > asked
    assert "another-model" in shown
    assert len(newest(home)) == 2


def test_a_judge_is_a_column_and_no_gate(home: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    with served() as server, standing_in() as judge:
        plain = json.loads(examine(home, server.url, "--json"))
        judge.chooses = "no"
        monkeypatch.setenv("COTEACH_EXAM_JUDGE_URL", judge.url)
        harsh = json.loads(examine(home, server.url, "--json", "--again"))
        assert 0 < sum(one["answers"] for one in harsh["standings"]) <= len(judge.asked)
        judge.chooses = "yes"
        shown = examine(home, server.url, "--again")
        judge.behaviour = "breaks"
        broken = json.loads(examine(home, server.url, "--json", "--again"))
    for one, other, last in zip(plain["standings"], harsh["standings"], broken["standings"], strict=True):
        assert (other["judged"], other["judged_right"], last["judged"]) == (other["answers"], 0, 0)
        assert (one["reasons"], one["failed"], one["marks"]) == (other["reasons"], other["failed"], other["marks"])
    assert "judge" in shown
    assert f"{plain['standings'][0]['answers']} of {plain['standings'][0]['answers']}" in shown


def test_the_ablation_asks_any_server_with_and_without_each_part(home: DataDir) -> None:
    with served() as server:
        found = json.loads(examine(home, server.url, "--ablation", "--json"))
    parts = [row["part"] for row in found["rows"]]
    assert parts == [None, "decomposition", "concept_prompts", "demonstrations", "history"]
    assert found["asked"] == found["drawn"] > 20
    assert newest(home) == [], "an ablation admits nobody"


def test_the_asset_holds_the_same_exam_and_tells_its_figures(home: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(stand_ins.says(stand_ins.adds_a_number)) as server:
        monkeypatch.setenv("COTEACH_LLM_URL", server.url)
        monkeypatch.setenv("COTEACH_HOME", str(home.root))
        result = _materialized(home)
    (found,) = result.asset_materializations_for_node("model_admission")
    told = {name: value.value for name, value in found.metadata.items()}
    assert str(told["result"]).startswith("not admitted")
    assert "invents_nothing" in str(newest(home)[0].standings[0].failed)
    assert "supported and rightly attributed" in str(told["refused"])
    assert told["en_definition_invents_nothing"] == 0.0


def _materialized(home: DataDir) -> dg.ExecuteInProcessResult:
    return dg.materialize([model_admission], resources={"data_dir": HomeResource(root=str(home.root))})
