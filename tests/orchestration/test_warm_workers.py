"""Runs that are forked from a process that has loaded what they use."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import dagster as dg
import psutil
import pytest
from dagster._core.remote_origin import RegisteredCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin
from dagster._core.workspace.context import WorkspaceProcessContext
from dagster._core.workspace.load_target import ModuleTarget
from dagster._grpc.types import ExecuteExternalJobArgs
from dagster._serdes import serialize_value

from knowledge_graph.lake.home import DataDir
from orchestration.building import warm_workers
from orchestration.building.dagster_record import prepare_instance_folder
from orchestration.building.home_lock import life_of
from orchestration.building.warm_workers import PRELOADED, ForkedRun, ForkingContext, WarmContext
from orchestration.definitions import defs
from orchestration.project import PROJECT
from orchestration.sensors import UNFINISHED

PATIENCE_S = 300.0
JOB = "answering_watch_job"


class Server:
    """As Dagster's: it sets a context of its own."""

    def __init__(self) -> None:
        self._mp_ctx: Any = multiprocessing.get_context("spawn")


def leave_word(told: str, place: str) -> None:
    """What a run does in its process."""
    Path(place).write_text(told)


def asked(run_id: str) -> str:
    """What a code server is asked to run."""
    origin = RemoteRepositoryOrigin(RegisteredCodeLocationOrigin("coteach"), "__repository__")
    job = RemoteJobOrigin(origin, JOB)
    return serialize_value(ExecuteExternalJobArgs(job_origin=job, run_id=run_id, instance_ref=None))


def fork_servers_below(process: psutil.Process) -> dict[int, int]:
    """The parents of the fork servers below this process and of what they have forked, by their own number."""
    parent_of = {}
    for below in process.children(recursive=True):
        with suppress(psutil.Error):  # it ended meanwhile
            if "multiprocessing.forkserver" in " ".join(below.cmdline()):
                parent_of[below.pid] = below.ppid()
    return parent_of


def forked_below(process: psutil.Process) -> set[int]:
    """The processes that a fork server below this one has forked and that live."""
    parent_of = fork_servers_below(process)
    return {each for each, parent in parent_of.items() if parent in parent_of}


@pytest.mark.slow
def test_the_code_server_of_this_dagster_forks_its_runs_from_one_process_and_they_succeed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, place in (("COTEACH_HOME", "home"), ("COTEACH_COURSES", "courses"), ("DAGSTER_HOME", "dagster")):
        monkeypatch.setenv(name, str(tmp_path / place))
    prepare_instance_folder(tmp_path / "dagster")
    here, seen = psutil.Process(), set[int]()
    target = ModuleTarget("orchestration.definitions", None, str(PROJECT), "coteach")
    with dg.DagsterInstance.get() as instance, WorkspaceProcessContext(instance, target) as process:
        workspace = process.create_request_context()
        repository = next(iter(workspace.get_code_location("coteach").get_repositories().values()))
        job = repository.get_full_job(JOB)
        assert fork_servers_below(here)
        worked = list[int]()
        for _ in range(2):
            run = instance.create_run_for_job(
                defs().resolve_job_def(JOB),
                remote_job_origin=job.get_remote_origin(),
                job_code_origin=job.get_python_origin(),
            )
            instance.launch_run(run.run_id, workspace)
            deadline = time.monotonic() + PATIENCE_S
            while _unfinished(instance, run.run_id) and time.monotonic() < deadline:
                seen |= forked_below(here)
                time.sleep(0.02)
            home = DataDir(tmp_path / "home")
            assert home.run_alive(run.run_id).exists(), "though its job asks for no home"
            os.utime(home.run_alive(run.run_id), (0, 0))
            done = instance.get_run_by_id(run.run_id)
            assert done is not None
            assert done.status == dg.DagsterRunStatus.SUCCESS
            worked.append(_pid(instance, run.run_id))
    assert set(worked) <= seen, "and not started as Dagster starts them"


def _unfinished(instance: dg.DagsterInstance, run_id: str) -> bool:
    run = instance.get_run_by_id(run_id)
    return run is not None and run.status in UNFINISHED


def _pid(instance: dg.DagsterInstance, run_id: str) -> int:
    told = [log.dagster_event.message or "" for log in instance.all_logs(run_id) if log.dagster_event is not None]
    return int(next(one for one in told if one.startswith("Started process")).rpartition("pid: ")[2].rstrip(")."))


def test_code_that_changed_since_it_was_loaded_is_not_forked_from_but_imported_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = {"digest": "of now"}
    monkeypatch.setattr(warm_workers, "look", lambda _: code["digest"])
    server = Server()
    monkeypatch.setattr(Server, "_mp_ctx", WarmContext("of now"), raising=False)
    assert server._mp_ctx.get_start_method() == "forkserver"
    code["digest"] = "of later"
    assert server._mp_ctx.get_start_method() == "spawn"
    assert Server()._mp_ctx.get_start_method() == "spawn", "a later server may set its own, too"


def test_code_that_changed_while_it_was_loaded_is_never_forked_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_workers, "look", lambda _: None)
    monkeypatch.setattr(Server, "_mp_ctx", WarmContext(None), raising=False)
    assert Server()._mp_ctx.get_start_method() == "spawn"


@pytest.fixture
def forking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ForkingContext]:
    """A process to fork from that has loaded nothing but what runs it, and a home."""
    monkeypatch.setenv("COTEACH_HOME", str(tmp_path / "home"))
    context = ForkingContext()
    forkserver._forkserver._stop()  # type: ignore[attr-defined]
    context.set_forkserver_preload([__name__])
    yield context
    warm_workers.end_fork_server()


def test_a_process_to_fork_from_that_makes_no_fork_is_replaced(
    forking: ForkingContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forkserver.ensure_running()
    os.kill(forkserver._forkserver._forkserver_pid, signal.SIGSTOP)  # type: ignore[attr-defined]
    monkeypatch.setattr(warm_workers, "_TO_FORK_S", 1)
    with pytest.raises(EOFError):
        forking.Process(target=leave_word, args=(asked("one"), str(tmp_path / "word"))).start()
    monkeypatch.setattr(warm_workers, "_TO_FORK_S", PATIENCE_S)
    run = forking.Process(target=leave_word, args=(asked("two"), str(tmp_path / "word")))
    run.start()
    run.join(PATIENCE_S)
    assert (tmp_path / "word").read_text() == asked("two")
    assert life_of(DataDir(tmp_path / "home"), "two") is not None


def test_a_process_to_fork_from_that_was_ended_is_gone(forking: ForkingContext) -> None:
    for _ in range(10):
        forkserver.ensure_running()
        pid = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
        warm_workers.end_fork_server()
        assert os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT), "the next run would take it to be alive"


def test_a_run_stops_its_alarm_when_it_shows_that_it_is_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(tmp_path / "home"))
    signal.alarm(int(PATIENCE_S))
    ForkedRun(target=leave_word, args=(asked("one"), str(tmp_path / "word"))).run()
    assert signal.alarm(0) == 0
    assert (tmp_path / "word").exists()


def test_a_fork_that_hangs_is_ended_and_what_it_forks_itself_is_not() -> None:
    script = (
        f"import os, signal, time, {PRELOADED} as preloaded\n"
        "preloaded._TO_SHOW_ALIVE_S = 1\n"
        "hung = os.fork()\n"
        "if not hung:\n"
        "    time.sleep(60)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(hung, 0)[1]))\n"
        "preloaded._TO_SHOW_ALIVE_S = 60\n"
        "fork = os.fork()\n"
        "if not fork:\n"
        "    below = os.fork()\n"
        "    os._exit(signal.alarm(0) if not below else os.waitstatus_to_exitcode(os.waitpid(below, 0)[1]))\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1]))\n"
    )
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split()[-2:] == [str(-signal.SIGALRM), "0"]


def test_what_is_preloaded_starts_no_thread_that_runs_python_and_opens_no_database() -> None:
    script = (
        f"import os, threading, {PRELOADED}\n"
        "files = [os.path.realpath(f'/proc/self/fd/{fd}') for fd in os.listdir('/proc/self/fd')]\n"
        "print(threading.active_count(), [name for name in files if '.db' in name or '.duckdb' in name])"
    )
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split("\n")[-2] == "1 []"
    assert "Traceback" not in done.stderr
