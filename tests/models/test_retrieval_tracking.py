"""A comparison of retrieval strategies is a run in MLflow, with one nested in it for each strategy."""

from pathlib import Path

import mlflow
import pandas as pd

from knowledge_graph.lake.home import DataDir
from models.tracking.recording import DataSet
from models.tracking.retrieval import EXPERIMENT, StrategyRecord, log_retrieval_run

HYBRID = StrategyRecord(
    "hybrid",
    DataSet("sorting", "abc", pd.DataFrame({"question": ["what is a heap?"]})),
    {"all": {"hit_at_1": 0.5}, "1-10": {"hit_at_1": 0.25}, "51+": {"hit_at_1": 1.0}},
)


def test_each_strategy_is_a_run_of_its_own_with_figures_by_length(tmp_path: Path) -> None:
    tracked = log_retrieval_run((HYBRID,), params={"index_version": "v1"}, table="| |", data_dir=DataDir(tmp_path))
    assert mlflow.get_run(tracked.run_id).data.params == {"index_version": "v1"}
    (child,) = mlflow.search_runs(
        experiment_names=[EXPERIMENT], filter_string="tags.strategy = 'hybrid'", output_format="list"
    )
    assert child.data.tags["mlflow.parentRunId"] == tracked.run_id
    assert child.data.params == {"questions_digest": "abc", "strategy": "hybrid"}
    (logged,) = child.inputs.dataset_inputs
    assert (logged.dataset.name, logged.dataset.digest) == ("sorting", "abc")
    assert child.data.metrics == {
        "hit_at_1": 0.5,
        "chars_1_10.hit_at_1": 0.25,
        "chars_51_more.hit_at_1": 1.0,
    }
