"""The assets `system_answers`, `rouge_table`, `system_comparison` and `system_ablations` over a small home."""

from pathlib import Path

import course_rows as rows
import dagster as dg
import pyarrow as pa
import pytest
from stand_in_thread import standing_in

from assets.evaluation import system_answers as answers_module
from assets.evaluation.rouge_table import rouge_table
from assets.evaluation.system_answers import RunSampling, every_question_was_answered, system_answers
from assets.evaluation.system_comparison import system_ablations, system_comparison
from knowledge_graph.lake import evaluation_schemas, schemas, tables
from knowledge_graph.lake.home import DataDir
from orchestration.reporting.publishing import read_shown
from orchestration.resources import HomeResource, InputsResource
from serving.evaluation.sets.evaluation_sets import EvaluationQuestion, rows_of
from serving.evaluation.systems.answered_systems import read_systems
from serving.evaluation.systems.system_answers import read_answers
from serving.index.build import build_index

WORDS = ("A stack is a list where ", "the last element added ", "is the first removed [1].")

QUESTIONS = [
    EvaluationQuestion("ds", "1", "ds", "en", "What is a stack?", "simple", ("en:stack",), rows.STACK, "course"),
    EvaluationQuestion(
        "ds", "2", "ds", "en", "Where do I hand in homework?", "simple", ("faq#2",), "Online.", "course"
    ),
    EvaluationQuestion(
        "ds", "3", "ds", "en", "Why does a stack remove the last one first?", "complex", ("en:stack",), "", "course"
    ),
    EvaluationQuestion("sjjg", "4", "sjjg", "zh", "什么是栈？", "simple", ("zh:栈",), "一种线性表。", "course"),
    EvaluationQuestion("qa", "5", None, "zh", "线性表", "simple", (), "元素的有限序列", "public"),
]


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DataDir:
    found = DataDir(tmp_path / "home")
    listings: list[tuple[Path, list[rows.Row], pa.Schema]] = [
        (found.graph_concepts, rows.CONCEPTS, schemas.GRAPH_CONCEPTS),
        (found.graph_prerequisites, rows.PREREQUISITES, schemas.GRAPH_PREREQUISITES),
        (found.graph_courses, rows.COURSES, schemas.GRAPH_COURSES),
    ]
    for path, listed, schema in listings:
        tables.write_table(path, listed, schema)
    build_index(rows.tables(tmp_path / "tables"), found.index)
    tables.write_table(found.evaluation_set("questions"), rows_of(QUESTIONS), evaluation_schemas.EVALUATION_QUESTIONS)
    for name in ("COTEACH_LLM_URL", "COTEACH_HOME"):
        monkeypatch.setenv(name, "")
    return found


def materialized(data_dir: DataDir, *assets: object, system: str | None = None) -> dg.ExecuteInProcessResult:
    inputs = InputsResource(courses="", labels="", albert=None, mlflow_url="http://mlflow", gateway_url="")
    return dg.materialize(
        list(assets),  # type: ignore[arg-type]
        partition_key=system,
        resources={"data_dir": HomeResource(root=str(data_dir.root)), "inputs": inputs},
        raise_on_error=False,
    )


def answer_as(system: str, data_dir: DataDir) -> dg.ExecuteInProcessResult:
    return materialized(data_dir, system_answers, every_question_was_answered, system=system)


def why(result: dg.ExecuteInProcessResult) -> str:
    (event,) = result.filter_events(lambda one: one.is_step_failure)
    error = event.step_failure_data.error
    return str(error.message if error else "") + str(event.step_failure_data.user_failure_data or "")


def test_a_system_without_a_model_answers_every_question_and_the_tables_show_it(data_dir: DataDir) -> None:
    result = answer_as("retrieval_only", data_dir)
    assert result.success
    assert all(check.passed for check in result.get_asset_check_evaluations())
    found = read_answers(data_dir.system_answers("retrieval_only"))
    assert [row.question_id for row in found] == ["1", "2", "3", "4", "5"]
    assert not data_dir.system_answers_begun("retrieval_only").exists()

    assert materialized(data_dir, rouge_table, system_comparison, system_ablations).success
    shown = read_shown(data_dir.evaluation_tables / "littlemu_4.json")
    assert list(shown.made_of) == ["retrieval_only"]
    assert (data_dir.evaluation_tables / "littlemu_4.png").is_file()
    assert shown.table.metrics()["retrieval_only/public/questions"] == 1


def test_the_run_in_mlflow_has_the_systems_figures(data_dir: DataDir) -> None:
    import mlflow

    assert answer_as("concept_aware", data_dir).success
    (run,) = mlflow.search_runs(experiment_names=["systems"], output_format="list")
    assert run.data.tags["coteach.system"] == "concept_aware"
    assert run.data.params["strategy"] == "concept_aware"
    assert run.data.metrics["course/hit_at_1"] == 1
    assert {"sample/mrr", "public/rougel", "course/simple/rougel", "course/p50_ms"} <= set(run.data.metrics)


def test_a_system_with_a_model_says_what_to_do_without_a_server(data_dir: DataDir) -> None:
    result = answer_as("chain_of_teach", data_dir)
    assert not result.success
    assert "COTEACH_LLM_URL" in why(result)
    assert "coteach report" in why(result)


def test_a_system_with_a_model_answers_the_sample_in_its_language(
    data_dir: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    with standing_in(words=WORDS) as server:
        monkeypatch.setenv("COTEACH_LLM_URL", server.url)
        assert answer_as("chain_of_teach", data_dir).success
    found = read_answers(data_dir.system_answers("chain_of_teach"))
    assert [row.question_id for row in found] == ["1", "2", "3"]
    assert found[2].model is not None


def test_a_stopped_run_goes_on(data_dir: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    with standing_in("dies midway", words=WORDS) as server:
        monkeypatch.setenv("COTEACH_LLM_URL", server.url)
        result = answer_as("chain_of_teach", data_dir)
        assert not result.success
    begun = data_dir.system_answers_begun("chain_of_teach").read_text().splitlines()
    assert len(begun) > 1, "the direct answers need no model and are kept"
    with standing_in(words=WORDS) as server:
        monkeypatch.setenv("COTEACH_LLM_URL", server.url)
        assert answer_as("chain_of_teach", data_dir).success
    assert len(read_answers(data_dir.system_answers("chain_of_teach"))) == 3


def test_answers_of_the_model_before_stay_under_its_name(data_dir: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    with standing_in(words=WORDS) as server:
        monkeypatch.setenv("COTEACH_LLM_URL", server.url)
        monkeypatch.setenv("COTEACH_LLM_MODEL", "Small")
        assert answer_as("plain_prompt", data_dir).success
        monkeypatch.setenv("COTEACH_LLM_MODEL", "Big")
        assert answer_as("plain_prompt", data_dir).success
    assert [one.label for one in read_systems(data_dir.systems_answered)] == [
        "plain_prompt (Big)",
        "plain_prompt (Small)",
    ]


def test_the_tables_are_made_without_any_answer(data_dir: DataDir) -> None:
    assert materialized(data_dir, rouge_table, system_comparison, system_ablations).success
    shown = read_shown(data_dir.evaluation_tables / "system_comparison.json")
    assert {row[1] for row in shown.table.rows} == {"not run"}


def test_a_sample_has_a_size_and_partitions_are_the_systems() -> None:
    assert RunSampling().per_language == 24
    assert "retrieval_only" in answers_module.systems.get_partition_keys()
