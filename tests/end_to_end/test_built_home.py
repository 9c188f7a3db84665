"""What a build of the sample courses leaves: an index of every row, a tracked model, a log of checks that passed."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import dagster as dg
import mlflow
import pytest
from mlflow.exceptions import MlflowException
from running import PROJECT

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import read_rows
from models.tracking.graph import EXPERIMENT as GRAPHS
from models.tracking.place import place_of
from models.tracking.runs import EXPERIMENT, REGISTERED
from serving.index.search import SearchIndex

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def test_the_index_holds_as_many_entries_per_source_as_the_tables(home: DataDir) -> None:
    pairs = Counter(row["source"] for row in read_rows(home.qa_pairs))
    passages = Counter(row["source"] for path in home.tables("passages") for row in read_rows(path))
    assert SearchIndex.open(home.index).counts() == {"qa": pairs, "passage": passages}
    assert {"faq", "concept", "search", "document"} <= set(pairs) | set(passages)


def test_an_approved_answer_stands_first_for_most_rewordings_and_for_no_other_question(home: DataDir) -> None:
    """Sixty rewordings of twenty questions and sixty others, in both languages, by the real embedder."""
    program = PROJECT / "benchmarks" / "approved_wordings.py"
    done = subprocess.run(
        [sys.executable, str(program), str(home.root)], capture_output=True, text=True, timeout=600, check=True
    )
    found = re.findall(r"^(chosen|measured) (?:en|zh) (reworded|others): .*'first': (\d+)", done.stdout, re.MULTILINE)
    first = Counter[tuple[str, str]]()
    for half, of, count in found:
        first[half, of] += int(count)
    assert first["measured", "reworded"] >= 24, done.stdout
    assert first["chosen", "reworded"] >= 19, done.stdout
    assert first["measured", "others"] + first["chosen", "others"] == 0, done.stdout


def test_every_blocking_check_of_the_build_passed(home: DataDir) -> None:
    with dg.DagsterInstance.from_config(str(home.dagster)) as instance:
        evaluations = [
            event
            for run in instance.get_run_records()
            for record in instance.get_records_for_run(run.dagster_run.run_id).records
            if (event := record.event_log_entry.dagster_event) is not None
            and event.event_type == dg.DagsterEventType.ASSET_CHECK_EVALUATION
        ]
    found = [event.asset_check_evaluation_data for event in evaluations]
    assert {"graph_is_sound", "index_counts_equal_the_tables", "beats_the_majority", "faq_meets_expectations"} <= {
        one.check_name for one in found
    }
    assert [one.check_name for one in found if not one.passed and one.severity == dg.AssetCheckSeverity.ERROR] == []


@pytest.fixture(scope="module")
def tracking(home: DataDir) -> mlflow.MlflowClient:
    return mlflow.MlflowClient(tracking_uri=place_of(home).uri, registry_uri=place_of(home).uri)


def test_the_champion_is_registered_and_its_run_has_a_confusion_matrix(tracking: mlflow.MlflowClient) -> None:
    try:
        champion = tracking.get_model_version_by_alias(REGISTERED, "champion")
    except MlflowException as error:
        pytest.fail(f"{REGISTERED} has no champion: {error}")
    assert champion.run_id is not None
    run = tracking.get_run(champion.run_id)
    assert tracking.get_experiment(run.info.experiment_id).name == EXPERIMENT
    assert "confusion_matrix.png" in [one.path for one in tracking.list_artifacts(champion.run_id)]
    assert run.data.params
    assert run.data.metrics


def test_the_confusion_matrix_is_a_picture(tracking: mlflow.MlflowClient, tmp_path: Path) -> None:
    run = tracking.get_model_version_by_alias(REGISTERED, "champion").run_id
    assert run is not None
    picture = Path(tracking.download_artifacts(run, "confusion_matrix.png", str(tmp_path)))
    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize(("course_id", "behind"), [("data-structures", 0.0), ("shujujiegou", 0.02)])
def test_the_first_build_shows_how_good_the_graph_is(
    home: DataDir, tracking: mlflow.MlflowClient, course_id: str, behind: float
) -> None:
    """In Chinese the distance of references alone is as good on this sample: .555 beside .545. Of the concepts of a
    small course more are kept than are sure, so that none is missed that it is about."""
    rows = read_rows(home.table("graph_scores", course_id))
    scores = {(row["of"], row["system"], row["measure"]): row["value"] for row in rows}
    assert scores["concepts", "coteach", "precision"] >= 0.65
    assert scores["concepts", "coteach", "recall"] >= 0.4
    ours, others = scores["prerequisites", "coteach", "f1"], ("first_mention", "reference_distance", "every_pair")
    assert ours > max(scores["prerequisites", name, "f1"] for name in others) - behind
    experiment = tracking.get_experiment_by_name(GRAPHS)
    assert experiment is not None
    run = tracking.search_runs([experiment.experiment_id], f"tags.course = '{course_id}'")[0]
    assert run.data.metrics["prerequisites.f1"] == ours
    assert {one.dataset.name for one in run.inputs.dataset_inputs} == {"gold_concepts", "gold_prerequisites"}
