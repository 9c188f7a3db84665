"""Traces of answers in an MLflow server with its runs in PostgreSQL and its files in an object store, all real."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import boto3
import httpx
import mlflow
import object_store
import psycopg
import pytest
from postgres import Postgres
from test_tracing import TRACE

from knowledge_graph.lake.home import DataDir
from serving.gateway.mlflow_traces import open_sink
from serving.llm.processes import free_port

pytestmark = pytest.mark.slow
START_SECONDS = 120


@dataclass(frozen=True)
class MlflowServer:
    """A server, its database and the object store of its files."""

    url: str
    database: str
    objects: str


@pytest.fixture
def server(postgres: Postgres, tmp_path: Path) -> Iterator[MlflowServer]:
    name, port = postgres.new_database(), free_port(0)
    with object_store.running_store() as objects, (tmp_path / "log").open("wb") as log:
        told = object_store.environment(objects)
        command = [
            *(sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"),
            *("--backend-store-uri", postgres.url(name), "--no-serve-artifacts"),
            *("--default-artifact-root", f"s3://{object_store.BUCKET}/mlflow"),
        ]
        process = subprocess.Popen(
            command, env={**os.environ, **told}, stdout=log, stderr=log, cwd=tmp_path, start_new_session=True
        )
        try:
            _await(f"http://127.0.0.1:{port}/health", process, tmp_path / "log")
            yield MlflowServer(f"http://127.0.0.1:{port}", postgres.url(name), objects)
        finally:
            os.killpg(process.pid, 15)
            process.wait(30)
            postgres.drop(name)


def _await(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            httpx.get(url).raise_for_status()
            return
        except httpx.HTTPError:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.2)


def test_a_trace_is_in_postgresql_and_its_spans_can_be_read_again(
    server: MlflowServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in object_store.environment(server.objects).items():
        monkeypatch.setenv(name, value)
    sink = open_sink(server.url, DataDir(tmp_path / "home"))
    assert sink is not None
    sink.put(TRACE, "First in, first out.")
    sink.close(timeout_s=100)
    mlflow.set_tracking_uri(server.url)
    experiment = mlflow.get_experiment_by_name("answers")
    assert experiment is not None
    assert experiment.artifact_location.startswith(f"s3://{object_store.BUCKET}/mlflow/")
    (found,) = mlflow.search_traces(locations=[experiment.experiment_id], return_type="list")
    assert {span.name for span in found.data.spans} == {"answer", "understand", "retrieve", "refer"}
    with psycopg.connect(server.database) as connection:
        assert connection.execute("SELECT count(*) FROM trace_info").fetchone() == (1,)
    client = mlflow.MlflowClient()
    run = client.create_run(experiment.experiment_id)
    client.log_text(run.info.run_id, "kept", "note.txt")
    kept = boto3.client("s3").list_objects_v2(Bucket=object_store.BUCKET, Prefix="mlflow/")["Contents"]
    assert any(one["Key"].endswith("/note.txt") for one in kept)
    assert not (tmp_path / "home").exists()
