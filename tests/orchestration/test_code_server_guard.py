"""A code server that is killed is started again by itself."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from dagster._core.errors import DagsterUserCodeUnreachableError
from dagster._grpc.client import DagsterGrpcClient

from orchestration.building.code_server_guard import address_in
from orchestration.building.dagster_record import prepare_instance_folder
from orchestration.project import PROJECT

PATIENCE_S = 120.0


def test_only_what_passes_on_to_a_server_is_asked_to_reload() -> None:
    start = ["python", "-m", "dagster", "code-server", "start"]
    assert address_in([*start, "--socket", "/tmp/one", "--heartbeat"]) == ["--socket", "/tmp/one"]
    assert address_in([*start, "--port", "4000", "--host", "0.0.0.0"]) == ["--host", "0.0.0.0", "--port", "4000"]
    assert address_in([*start, "--socket"]) == []
    assert address_in(["python", "-m", "dagster", "api", "grpc", "--socket", "/tmp/one"]) == []


def answers(client: DagsterGrpcClient) -> bool:
    try:
        return "alive" in str(client.ping("alive"))
    except DagsterUserCodeUnreachableError:
        return False


def until_answered(client: DagsterGrpcClient) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not answers(client):
        assert time.monotonic() < deadline, "nobody answers"
        time.sleep(0.2)


def below(process: subprocess.Popen[bytes], what: str) -> list[psutil.Process]:
    return [one for one in psutil.Process(process.pid).children(recursive=True) if what in " ".join(one.cmdline())]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_code_server_that_is_killed_is_started_again_and_one_that_is_stopped_is_not(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    prepare_instance_folder(tmp_path / "dagster")
    places = {"COTEACH_HOME": "home", "COTEACH_COURSES": "courses", "DAGSTER_HOME": "dagster"}
    environment = os.environ | {name: str(tmp_path / place) for name, place in places.items()}
    socket = str(tmp_path_factory.mktemp("s") / "s")
    command = [sys.executable, "-m", "dagster", "code-server", "start", "--socket", socket]
    process = subprocess.Popen(
        [*command, "-m", "orchestration.definitions"],
        env=environment | {"PYTHONPATH": str(PROJECT)},
        cwd=PROJECT,
    )
    client = DagsterGrpcClient(socket=socket)
    try:
        until_answered(client)
        (server,) = below(process, "api grpc")
        guards = below(process, "code_server_guard")
        server.kill()
        psutil.wait_procs([server])
        until_answered(client)
        (another,) = below(process, "api grpc")
        assert another != server
        guards += below(process, "code_server_guard")
        process.terminate()
        process.wait(PATIENCE_S)
        assert psutil.wait_procs([another, *guards], timeout=PATIENCE_S)[1] == []
        assert len(set(guards)) == 2
    finally:
        process.kill()
        process.wait()
