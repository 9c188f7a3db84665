"""The registered model, as MLflow's users load and serve it: it answers as the gateway does, without the checkout."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path

import mlflow
import pandas as pd
import pytest
from tiny_intent import Trained, labelled

from knowledge_graph.lake.home import DataDir
from models.intent.classifier import IntentClassifier
from models.tracking.place import place_of
from models.tracking.relocating import relocate


def test_the_registered_model_can_be_loaded_and_asked(trained: Trained) -> None:
    mlflow.set_tracking_uri(place_of(trained.data_dir).uri)
    mlflow.set_registry_uri(place_of(trained.data_dir).uri)
    model = mlflow.pyfunc.load_model("models:/coteach-intent@champion")
    found = model.predict(pd.DataFrame([{"question": "what is a heap?"}]))
    assert found["category"].tolist() == ["simple"]


def questions_to_compare(count: int) -> pd.DataFrame:
    """Texts of every length, with and without what came before; the tokenizer's odd cases among them."""
    odd = ["", " ", "\x00", "二叉树" * 40, "🙂 ok", "ﬁ ＡＢ", "x" * 3000]
    asked = [one.question for one in labelled()] + odd
    rows = [(asked[n % len(asked)] + " again" * (n // 60), asked[n % 7] if n % 2 else "") for n in range(count)]
    return pd.DataFrame([{"question": asked, "previous": before, "course": "Trees"} for asked, before in rows])


def test_the_registered_model_answers_as_the_gateway_does(trained: Trained) -> None:
    mlflow.set_tracking_uri(place_of(trained.data_dir).uri)
    mlflow.set_registry_uri(place_of(trained.data_dir).uri)
    asked = questions_to_compare(500)
    found = mlflow.pyfunc.load_model("models:/coteach-intent@champion").predict(asked)
    gateway = IntentClassifier.open(trained.data_dir.intent)
    turns = [(row["previous"], row["course"], row["question"]) for row in asked.to_dict("records")]
    scores = gateway.classify_batch(turns)
    assert found["category"].tolist() == [one.category for one in scores]
    assert found["h"].to_numpy() == pytest.approx([one.h for one in scores], abs=1e-6)
    called = [one.h > gateway.alpha_for(turn[2]) for one, turn in zip(scores, turns, strict=True)]
    assert found["is_chat"].tolist() == called


def test_the_registered_model_needs_no_package_that_is_on_no_index(trained: Trained) -> None:
    (file,) = trained.data_dir.mlflow_artifacts.rglob("requirements.txt")
    names = {line.split("==")[0] for line in file.read_text().split() if not line.startswith("mlflow")}
    assert names == {"numpy", "onnxruntime", "pandas", "tokenizers"}
    assert all("==" in line for line in file.read_text().split())


OUTSIDE = """
import json, sys, mlflow, pandas as pd
asked = pd.DataFrame(json.load(open(sys.argv[2])))
model = mlflow.pyfunc.load_model(sys.argv[1])
print(json.dumps(model.predict(asked)[["category", "h"]].to_dict("list")))
"""


@pytest.mark.slow
def test_the_registered_model_runs_in_a_fresh_environment_outside_the_checkout(
    trained: Trained, tmp_path: Path
) -> None:
    (file,) = trained.data_dir.mlflow_artifacts.rglob("requirements.txt")
    needed = [line for line in file.read_text().split() if not line.startswith("mlflow")]
    uv = Path(__file__).parents[2] / ".cache" / "uv" / "bin" / "uv"
    place = {"cwd": tmp_path, "check": True, "env": {**os.environ, "PYTHONPATH": ""}}
    subprocess.run([uv, "venv", "-q", "--python", sys.executable, "fresh"], **place)  # type: ignore[call-overload]
    python = tmp_path / "fresh" / "bin" / "python"
    packages = [f"mlflow-skinny=={version('mlflow')}", *needed]
    subprocess.run([uv, "pip", "install", "-q", "--python", python, *packages], **place)  # type: ignore[call-overload]
    asked = questions_to_compare(500)
    (tmp_path / "asked.json").write_text(json.dumps(asked.to_dict("records")))
    command = [python, "-c", OUTSIDE, file.parent, "asked.json"]
    done = subprocess.run(command, capture_output=True, text=True, **place)  # type: ignore[call-overload]
    found = json.loads(done.stdout.splitlines()[-1])
    gateway = IntentClassifier.open(trained.data_dir.intent)
    scores = gateway.classify_batch(
        [(row["previous"], row["course"], row["question"]) for row in asked.to_dict("records")]
    )
    assert found["category"] == [one.category for one in scores]
    assert found["h"] == pytest.approx([one.h for one in scores], abs=1e-6)


@contextmanager
def served(model: Path, folder: Path) -> Iterator[str]:
    """`mlflow models serve` of a model's folder, outside the checkout; its address."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "mlflow", "models", "serve", "-m", model, "-p", port, "--env-manager", "local"]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"  # where MLflow looks for uvicorn
    with (folder / "serve.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def answered(address: str, asked: pd.DataFrame) -> pd.DataFrame:
    """What a scoring server says, as soon as it listens."""
    body = json.dumps({"dataframe_split": asked.to_dict("split", index=False)}).encode()
    request = urllib.request.Request(f"{address}/invocations", body, {"Content-Type": "application/json"})
    for _ in range(600):
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return pd.DataFrame(json.load(response)["predictions"])
        except (urllib.error.URLError, ConnectionError) as error:
            if isinstance(error, urllib.error.HTTPError):
                raise
            time.sleep(0.1)
    raise TimeoutError(address)


@pytest.mark.slow
def test_mlflow_serves_the_registered_model_with_the_gateways_answers(trained: Trained, tmp_path: Path) -> None:
    (file,) = trained.data_dir.mlflow_artifacts.rglob("requirements.txt")
    copy = shutil.copytree(file.parent, tmp_path / "model")
    asked = questions_to_compare(500)
    with served(copy, tmp_path) as address:
        found = answered(address, asked)
    turns = [(row["previous"], row["course"], row["question"]) for row in asked.to_dict("records")]
    scores = IntentClassifier.open(trained.data_dir.intent).classify_batch(turns)
    assert found["category"].tolist() == [one.category for one in scores]
    assert found["h"].to_numpy() == pytest.approx([one.h for one in scores], abs=1e-6)


def test_the_champion_of_a_moved_home_loads_and_answers_where_the_original_is_gone(
    trained: Trained, tmp_path: Path
) -> None:
    first = DataDir(tmp_path / "first")
    first.root.mkdir()
    shutil.copy(trained.data_dir.mlflow_db, first.mlflow_db)
    shutil.copytree(trained.data_dir.mlflow_artifacts, first.mlflow_artifacts)
    relocate(first)
    moved = DataDir(first.root.rename(tmp_path / "moved"))
    relocate(moved)
    mlflow.set_tracking_uri(place_of(moved).uri)
    mlflow.set_registry_uri(place_of(moved).uri)
    found = mlflow.pyfunc.load_model("models:/coteach-intent@champion").predict(questions_to_compare(3))
    assert len(found) == 3
