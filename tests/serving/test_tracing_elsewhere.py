"""Traces of answers in an MLflow server with its runs in PostgreSQL and its files in an object store, all real."""

from collections.abc import Iterator
from pathlib import Path

import boto3
import mlflow
import object_store
import psycopg
import pytest
from mlflow_server import MlflowServer, running_mlflow
from postgres import Postgres
from test_tracing import TRACE

from knowledge_graph.lake.home import DataDir
from models.tracking.place import SETTING
from serving.gateway.mlflow_traces import HOME, open_sink

pytestmark = pytest.mark.slow


@pytest.fixture
def server(postgres: Postgres, tmp_path: Path) -> Iterator[MlflowServer]:
    with running_mlflow(postgres, tmp_path) as found:
        yield found


def test_a_trace_is_in_postgresql_and_its_spans_can_be_read_again(
    server: MlflowServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in object_store.environment(server.objects).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv(SETTING, server.url)  # `home`: where the home's runs are
    for place in (server.url, HOME):
        sink = open_sink(place, DataDir(tmp_path / "home"))
        assert sink is not None
        sink.put(TRACE, "First in, first out.")
        sink.close(timeout_s=100)
    mlflow.set_tracking_uri(server.url)
    experiment = mlflow.get_experiment_by_name("answers")
    assert experiment is not None
    assert experiment.artifact_location.startswith(f"s3://{object_store.BUCKET}/mlflow/")
    for found in (told := mlflow.search_traces(locations=[experiment.experiment_id], return_type="list")):
        assert {span.name for span in found.data.spans} == {"answer", "understand", "retrieve", "refer"}
    assert len(told) == 2
    with psycopg.connect(server.database) as connection:
        assert connection.execute("SELECT count(*) FROM trace_info").fetchone() == (2,)
    client = mlflow.MlflowClient()
    run = client.create_run(experiment.experiment_id)
    client.log_text(run.info.run_id, "kept", "note.txt")
    kept = boto3.client("s3").list_objects_v2(Bucket=object_store.BUCKET, Prefix="mlflow/")["Contents"]
    assert any(one["Key"].endswith("/note.txt") for one in kept)
    assert not (tmp_path / "home").exists()
