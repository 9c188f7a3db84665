"""Where the runs of a home are, how homes on one server are told apart, and what is said of a server that is away."""

import http.server
import json
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import mlflow
import pytest
from mlflow.exceptions import MlflowException
from pydantic import ValidationError
from tiny_intent import Trained
from typer.testing import CliRunner

from knowledge_graph.lake.home import DataDir
from models.intent.classifier import IntentClassifier
from models.progress import TrainingProgress
from models.tracking import reaching as reaching_module
from models.tracking.place import HOME_TAG, SETTING, MlflowPlace, place_of
from models.tracking.reaching import MlflowUnusable, describe_failure, reaching, require_server
from models.tracking.recording import LiveRun, RunContent, TrackedExperiment, log_run
from orchestration.cli.main import app, describe_wrong_setting
from orchestration.cli.serve_command import page_specs
from orchestration.resources import PipelineSettings, inputs_of
from serving.settings import Settings

TRIALS = TrackedExperiment("trials", "What is tried here.")
SERVER = "http://mlflow.example:5000"


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a server that is away, which the environment names."""
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    monkeypatch.setenv(SETTING, address)
    return address


@contextmanager
def refusing(status: int, body: bytes) -> Iterator[str]:
    """The address of a server that answers every request alike."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_runs_are_in_the_home_unless_a_server_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = DataDir(tmp_path)
    for unset in ("", " "):
        monkeypatch.setenv(SETTING, unset)
        place = place_of(home)
        assert (place.uri, place.artifacts) == (f"sqlite:///{home.mlflow_db}", home.mlflow_artifacts.as_uri())
        assert place.own("name = 'x'") == "name = 'x'"
        assert not place.may_have_records
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv(SETTING, f"{SERVER}/")
    place = place_of(home)
    assert (place.uri, place.artifacts, place.may_have_records) == (SERVER, None, True)


def test_a_home_keeps_its_name_and_a_copy_or_a_moved_one_has_another(tmp_path: Path) -> None:
    first = DataDir(tmp_path / "Ada's 课程")
    own = MlflowPlace(first, SERVER).own_tags
    name = own[HOME_TAG]
    assert name.startswith("Adas 课程-")
    assert MlflowPlace(first, SERVER).own("name = 'x'") == f"name = 'x' and tags.`{HOME_TAG}` = '{name}'"
    copied = DataDir(shutil.copytree(first.root, tmp_path / "copy"))
    assert MlflowPlace(copied, SERVER).own_tags != own
    assert MlflowPlace(first, SERVER).own_tags == own
    moved = DataDir(first.root.rename(tmp_path / "moved"))
    assert MlflowPlace(moved, SERVER).own_tags != own


def test_a_server_that_is_away_is_told_in_words_and_soon(tmp_path: Path, nobody: str) -> None:
    home, began = DataDir(tmp_path), time.monotonic()
    with pytest.raises(MlflowUnusable) as away:
        log_run(TRIALS, "a trial", RunContent({"m": 1.0}), data_dir=home)
    assert time.monotonic() - began < 10
    for told in (SETTING, nobody, "Connection refused", "See that it runs"):
        assert told in str(away.value)
    assert not home.mlflow_db.exists()
    assert not home.mlflow_artifacts.exists()


def test_a_server_that_never_answers_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching_module, "_PATIENCE_S", 0.3)
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        place = MlflowPlace(DataDir(tmp_path), f"http://127.0.0.1:{silent.getsockname()[1]}")
        began = time.monotonic()
        with pytest.raises(MlflowUnusable, match=r"[Tt]imed out"), reaching(place):
            require_server(place)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (401, b"You are not authenticated.", "You are not authenticated"),
        (403, json.dumps({"error_code": "PERMISSION_DENIED", "message": "Not yours."}).encode(), "Not yours"),
        (503, b"", "too many 503 error responses"),
        (200, b"<html>a proxy's page", "not in a valid JSON format"),
    ],
)
def test_a_server_that_refuses_is_quoted_and_no_login_is_told(
    status: int, body: bytes, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_USERNAME", "ada")
    monkeypatch.setenv("MLFLOW_TRACKING_PASSWORD", "s3cret-word")
    with refusing(status, body) as address:
        place = MlflowPlace(DataDir(tmp_path), address)
        with pytest.raises(MlflowUnusable, match=told) as refused, reaching(place):
            require_server(place)
    assert "s3cret-word" not in str(refused.value)


def test_of_a_failure_the_reason_is_told_without_what_signs_an_address() -> None:
    long = "HTTPConnectionPool(host='m', port=1): Max retries exceeded with url: /x?X-Amz-Signature=ab12 (Caused by {})"
    reason = (
        "NewConnectionError(\"HTTPConnection(host='m', port=1): Failed to connect: [Errno 111] Connection refused\")"
    )
    assert describe_failure(ValueError(long.format(reason))) == "Failed to connect: [Errno 111] Connection refused"
    assert describe_failure(ValueError("PUT http://s3/x?X-Amz-Signature=ab12 failed")) == "PUT http://s3/x failed"
    assert describe_failure(ValueError()) == "ValueError"


def test_what_is_wrong_in_a_training_is_told_as_it_is(tmp_path: Path) -> None:
    here, there = (MlflowPlace(DataDir(tmp_path), server) for server in (None, SERVER))
    with pytest.raises(ZeroDivisionError), reaching(there):
        raise ZeroDivisionError
    with pytest.raises(MlflowException), reaching(here):
        raise MlflowException("in the home it is MLflow's own")
    missing = "No module named 'boto3'"
    with pytest.raises(MlflowUnusable, match=missing), reaching(there):
        raise ModuleNotFoundError(missing, name="boto3")


def test_no_training_ends_for_want_of_a_sign_of_life(
    tmp_path: Path, nobody: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("MAX_RETRIES", "0"), ("TIMEOUT", "1")):
        monkeypatch.setenv(f"MLFLOW_HTTP_REQUEST_{name}", value)
    mlflow.set_tracking_uri(nobody)
    live = LiveRun("a" * 32, "1", DataDir(tmp_path))
    for done in (1, 2):
        live.tell(TrainingProgress("finetune", done, 2, {"loss": 1.0}))


def test_students_are_answered_while_the_server_is_away(trained: Trained, nobody: str) -> None:
    assert IntentClassifier.open(trained.data_dir.intent).classify("what is a heap?").category == "simple"


def test_status_names_the_server_and_says_that_it_is_away(
    trained: Trained, nobody: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = shutil.copytree(trained.data_dir.root, tmp_path / "home")
    monkeypatch.setenv("COTEACH_HOME", str(home))
    told = json.loads(CliRunner().invoke(app, ["status", "--json"]).output)
    assert told["mlflow"] == nobody
    assert f"The MLflow server of {SETTING}, {nobody}, cannot be used" in told["warning"]
    monkeypatch.delenv(SETTING)
    told = json.loads(CliRunner().invoke(app, ["status", "--json"]).output)
    assert (told["mlflow"], told["warning"]) == ("in the home", None)


def test_up_starts_no_mlflow_beside_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [spec.name for spec, _ in page_specs(DataDir(tmp_path))] == ["Dagster", "MLflow"]
    monkeypatch.setenv(SETTING, SERVER)
    assert [spec.name for spec, _ in page_specs(DataDir(tmp_path))] == ["Dagster"]


def test_links_lead_to_the_server_or_to_where_people_open_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert PipelineSettings().mlflow_pages == "http://127.0.0.1:5000"
    monkeypatch.setenv(SETTING, f"{SERVER}/")
    assert inputs_of(PipelineSettings()).mlflow_url == SERVER
    monkeypatch.setenv("COTEACH_MLFLOW_URL", "https://pages.example")
    assert inputs_of(PipelineSettings()).mlflow_url == "https://pages.example"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("postgresql://ada:s3cret-word@db/mlflow", "it holds a user, a password"),
        ("https://mlflow.example?token=s3cret-word", "it holds a user, a password"),
        ("sqlite:///mlflow.db", "begins with http:// or https://; found one of 'sqlite'"),
        ("mlflow", "begins with http:// or https://; found one of 'mlflow'"),
        ("http://", "expected a host and, if it is not the usual one, a port"),
        ("http://mlflow:99999", "Port out of range"),
    ],
)
@pytest.mark.parametrize("group", [PipelineSettings, Settings])
def test_an_address_that_is_none_of_a_server_is_refused_without_its_secrets(
    group: type[PipelineSettings | Settings], wrong: str, told: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        group(mlflow_server=wrong)
    (said,) = map(describe_wrong_setting, refused.value.errors())
    assert said.startswith(f"{SETTING}: ")
    assert told in said
    assert "s3cret-word" not in said + str(refused.value)
