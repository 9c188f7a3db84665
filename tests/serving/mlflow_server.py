"""A real `mlflow server` with its records in PostgreSQL and its files in an object store, run as `deploy/` runs it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import object_store
import yaml
from mlflow.store.artifact.s3_artifact_repo import _cached_get_s3_client
from postgres import Postgres

from serving.llm.processes import free_port

START_SECONDS = 120
COMPOSE = Path(__file__).parents[2] / "deploy" / "compose.yaml"


@dataclass(frozen=True)
class MlflowServer:
    """A server, its database and the object store of its files."""

    url: str
    database: str
    objects: str


@contextmanager
def running_mlflow(postgres: Postgres, folder: Path) -> Iterator[MlflowServer]:
    _cached_get_s3_client.cache_clear()  # of another store, with the same keys
    name, port = postgres.new_database(), free_port(0)
    with object_store.running_store() as objects, (folder / "log").open("wb") as log:
        deployed = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]["mlflow"]
        given = {
            **deployed["environment"],
            **object_store.environment(objects),
            "MLFLOW_BACKEND_STORE_URI": postgres.url(name),
            "MLFLOW_DEFAULT_ARTIFACT_ROOT": f"s3://{object_store.BUCKET}/mlflow",
        }
        here = ("--host=127.0.0.1", f"--port={port}")
        kept = [word for word in deployed["command"] if not word.startswith(("--host", "--port", "--allowed-hosts"))]
        process = subprocess.Popen(
            [sys.executable, "-m", *kept, *here],
            env={**os.environ, **{key: value for key, value in given.items() if isinstance(value, str)}},
            stdout=log,
            stderr=log,
            cwd=folder,
            start_new_session=True,
        )
        try:
            _await(f"http://127.0.0.1:{port}/health", process, folder / "log")
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
