"""A service's whole life, with small real servers."""

import os
import socket
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from serving.llm.processes import (
    PortTaken,
    ServiceFailed,
    ServiceProcess,
    ServiceSpec,
    free_port,
    free_ports,
    hold_port,
)

WITH_A_CHILD = """
import http.server, subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print("listening", flush=True)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), http.server.SimpleHTTPRequestHandler).serve_forever()
"""


def spec(tmp_path: Path, code: str, port: int, timeout_s: float = 20) -> ServiceSpec:
    return ServiceSpec(
        name="The test server",
        command=[sys.executable, "-c", code, str(port)],
        environment=dict(os.environ),
        log=tmp_path / "server.log",
        ready_url=f"http://127.0.0.1:{port}/",
        ready_timeout_s=timeout_s,
    )


def test_stopping_a_service_leaves_no_child_behind(tmp_path: Path) -> None:
    service = ServiceProcess(spec(tmp_path, WITH_A_CHILD, free_port(0)))
    service.wait_ready()
    family = [psutil.Process(service.pid), *psutil.Process(service.pid).children(recursive=True)]
    assert len(family) == 2
    service.stop()
    gone, alive = psutil.wait_procs(family, timeout=5)
    assert (len(gone), alive) == (2, [])


def test_temporary_files_of_a_service_with_a_folder_of_its_own_go_when_it_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("deep" * 20)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    leaves = (
        "import socket, tempfile; place = tempfile.gettempdir() + '/' + 36 * 'x'\n"
        "socket.socket(socket.AF_UNIX).bind(place); print(place, flush=True)\n"
    )
    server = replace(spec(tmp_path, leaves + WITH_A_CHILD, free_port(0)), has_own_temporary=True)
    service = ServiceProcess(server)
    service.wait_ready()
    place = Path(service.last_lines().splitlines()[0])
    assert place.is_socket()
    service.stop()
    assert not place.parent.exists()
    assert list(long.iterdir()) == []


def test_a_service_that_ends_early_shows_its_own_last_lines(tmp_path: Path) -> None:
    service = ServiceProcess(spec(tmp_path, "raise SystemExit('no such model: tiny')", free_port(0)))
    with pytest.raises(ServiceFailed, match=r"exit code 1(.|\n)*no such model: tiny"):
        service.wait_ready()


def test_a_service_that_ignores_the_request_to_end_is_killed(tmp_path: Path) -> None:
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + WITH_A_CHILD
    service = ServiceProcess(spec(tmp_path, stubborn, free_port(0)))
    service.wait_ready()
    service.stop(patience_s=0.3)
    assert not service.running


def test_a_service_that_never_gets_ready_is_stopped(tmp_path: Path) -> None:
    service = ServiceProcess(spec(tmp_path, "import time; time.sleep(600)", free_port(0), timeout_s=0.5))
    with pytest.raises(ServiceFailed, match="not ready after 0 s"):
        service.wait_ready()
    assert not service.running


def test_what_a_log_says_already_stays_when_its_service_is_started_again(tmp_path: Path) -> None:
    for number in (1, 2):
        service = ServiceProcess(spec(tmp_path, f"print('start {number}')", free_port(0)))
        while service.running:
            time.sleep(0.05)
        service.stop()
    assert service.last_lines().splitlines() == ["start 1", "start 2"]


def test_waiting_reports_the_newest_line_of_the_log(tmp_path: Path) -> None:
    seen: list[str] = []
    slow = "import time; print('loading weights', flush=True); time.sleep(1)\n" + WITH_A_CHILD
    service = ServiceProcess(spec(tmp_path, slow, free_port(0)))
    try:
        started = time.monotonic()
        took = service.wait_ready(lambda _seconds, line: seen.append(line))
        assert 0 < took <= time.monotonic() - started
    finally:
        service.stop()
    assert "loading weights" in seen


def test_a_taken_port_is_replaced_by_a_free_one(tmp_path: Path) -> None:
    port = free_port(0)
    service = ServiceProcess(spec(tmp_path, WITH_A_CHILD, port))
    try:
        service.wait_ready()
        assert free_port(port) not in (0, port)
    finally:
        service.stop()


def test_many_ports_are_different_ones_from_the_first_on() -> None:
    first = free_port(0)
    found = free_ports(first, 3)
    assert found[0] == first
    assert len({*found, 0}) == 4
    assert len(set(free_ports(0, 3))) == 3


def test_beyond_the_last_port_the_system_picks() -> None:
    assert max(free_ports(65_535, 3)) <= 65_535
    assert len(set(free_ports(65_535, 3))) == 3


def test_a_held_port_is_for_its_service_alone() -> None:
    with hold_port(0, "127.0.0.1") as held:
        address = held.getsockname()
        with socket.socket() as going_out, pytest.raises(OSError, match="in use"):
            going_out.bind(address)
        with socket.socket() as service:
            service.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            service.bind(address)
            service.listen(1)
            with pytest.raises(PortTaken, match="was taken just now"):
                hold_port(address[1], "127.0.0.1")
