"""Runs whose process is gone: known at once, wherever on its way it was killed."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from small_courses import FAQ, write_course

from knowledge_graph.lake.home import DataDir
from orchestration.building import dead_runs
from orchestration.building.dagster_record import prepare_instance_folder
from orchestration.building.dead_runs import fail_dead_runs
from orchestration.building.home_lock import life_of, show_alive
from orchestration.project import PROJECT
from orchestration.sensors import UNFINISHED

ALIVE = """
import sys
from pathlib import Path
from knowledge_graph.lake.home import DataDir
from orchestration.building.home_lock import show_alive, writing
home = DataDir(Path(sys.argv[1]))
for run_id in sys.argv[2:]:
    show_alive(home, run_id)
    with writing(home, run_id):
        pass
print("wrote", flush=True)
sys.stdin.read()
"""

COMMAND = """
import os, signal, sys
from pathlib import Path
import dagster as dg
from knowledge_graph.lake.home import DataDir
from orchestration.building.build import Builder, RunPlan
from orchestration.definitions import defs
from orchestration.resources import PipelineSettings, inputs_of

keep = dg.DagsterInstance.handle_new_event
def handle(self, event, **named):
    kind = event.dagster_event and event.dagster_event.event_type_value
    if kind == sys.argv[1] == "PIPELINE_SUCCESS":
        os.kill(os.getpid(), signal.SIGKILL)
    keep(self, event, **named)
    if kind == sys.argv[1]:
        os.kill(os.getpid(), signal.SIGKILL)
dg.DagsterInstance.handle_new_event = handle

settings = PipelineSettings()
with dg.DagsterInstance.get() as instance:
    builder = Builder(defs(), instance, inputs_of(settings), DataDir(settings.home))
    builder.prepare()
    builder.run(RunPlan("course_build", "trees", (dg.AssetKey("course_card"),), {"course_card": "a test"}))
"""
"""A run of the command line that is killed as soon as it told Dagster that it started, or when it is about to tell that
it succeeded: its one asset is made, and the home's lock given back."""


@pytest.fixture
def home(tmp_path: Path) -> DataDir:
    return DataDir(tmp_path / "home")


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


@dg.op
def nothing() -> None: ...


@dg.job
def work() -> None:
    nothing()


def begin(home: DataDir, *run_ids: str) -> subprocess.Popen[str]:
    """A process that began runs, one after the other, gave the home's lock back, and lives."""
    command = [sys.executable, "-c", ALIVE, str(home.root), *run_ids]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "wrote\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def age(home: DataDir, run_id: str) -> None:
    """Make the file of a run ten seconds older: a file that was made this moment is about to be locked."""
    earlier = time.time() - 10
    os.utime(home.run_alive(run_id), (earlier, earlier))


def test_a_run_is_alive_until_its_process_ends_though_it_gave_the_homes_lock_back(home: DataDir) -> None:
    process = begin(home, "one")
    age(home, "one")
    assert life_of(home, "one") is True, "it has not told Dagster how it ended"
    end(process)
    assert life_of(home, "one") is False
    assert life_of(home, "other") is None


def test_a_process_that_begins_another_run_has_done_with_the_one_before(home: DataDir) -> None:
    process = begin(home, "one", "two", "two")
    age(home, "one")
    age(home, "two")
    assert (life_of(home, "one"), life_of(home, "two")) == (False, True)
    end(process)


def test_only_a_run_whose_process_is_gone_is_marked_as_failed(home: DataDir, instance: dg.DagsterInstance) -> None:
    ids = [f"00000000-0000-0000-0000-00000000000{number}" for number in (1, 2, 3)]
    for run_id in ids:
        instance.create_run_for_job(work, run_id=run_id, status=dg.DagsterRunStatus.STARTED)
    show_alive(home, ids[0])
    end(begin(home, ids[1]))
    age(home, ids[0])
    age(home, ids[1])
    assert fail_dead_runs(instance, home) == [ids[1]], "who began the third is not known yet"
    run = instance.get_run_by_id(ids[1])
    assert run is not None
    assert run.status == dg.DagsterRunStatus.FAILURE
    assert run.remote_job_origin is not None, "Dagster's pages re-execute no run without it"


@pytest.mark.parametrize("status", [dg.DagsterRunStatus.NOT_STARTED, dg.DagsterRunStatus.STARTING])
def test_a_run_whose_process_is_gone_before_it_started_is_not_waited_for(
    home: DataDir, instance: dg.DagsterInstance, status: dg.DagsterRunStatus
) -> None:
    made = instance.create_run_for_job(work, status=status)
    process = begin(home, made.run_id)
    age(home, made.run_id)
    assert fail_dead_runs(instance, home) == []
    end(process)
    assert fail_dead_runs(instance, home) == [made.run_id]


@pytest.mark.slow
@pytest.mark.parametrize("told", ["PIPELINE_START", "PIPELINE_SUCCESS"])
def test_a_command_that_is_killed_while_it_tells_dagster_of_its_run_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    home = DataDir(tmp_path / "home")
    for name, place in (("COTEACH_HOME", home.root), ("DAGSTER_HOME", home.dagster)):
        monkeypatch.setenv(name, str(place))
    monkeypatch.setenv("COTEACH_COURSES", str(tmp_path / "courses"))
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    write_course(tmp_path / "courses" / "trees", {"course.yaml": "lang: en\n", "faq.csv": FAQ})
    prepare_instance_folder(home.dagster)
    done = subprocess.run([sys.executable, "-c", COMMAND, told], capture_output=True, text=True, check=False)
    assert done.returncode == -9, done.stderr
    with dg.DagsterInstance.get() as instance:
        (run,) = instance.get_runs()
        assert run.status == dg.DagsterRunStatus.STARTED
        made = instance.get_latest_materialization_event(dg.AssetKey("course_card"))
        assert (made is not None) == (told == "PIPELINE_SUCCESS")
        age(home, run.run_id)
        assert fail_dead_runs(instance, home) == [run.run_id]


@pytest.mark.parametrize(
    ("bound", "status", "tags"),
    [
        ("_LONGEST_TO_BEGIN_S", dg.DagsterRunStatus.NOT_STARTED, {}),
        ("_LONGEST_TO_NAME_S", dg.DagsterRunStatus.STARTING, {}),
        ("_LONGEST_TO_FORK_S", dg.DagsterRunStatus.STARTING, {".dagster/grpc_info": "{}"}),
        ("_LONGEST_START_S", dg.DagsterRunStatus.STARTED, {}),
    ],
)
def test_a_run_that_nobody_begins_is_not_waited_for_long(
    home: DataDir,
    instance: dg.DagsterInstance,
    monkeypatch: pytest.MonkeyPatch,
    bound: str,
    status: dg.DagsterRunStatus,
    tags: dict[str, str],
) -> None:
    made = instance.create_run_for_job(work, tags=tags)
    if status != dg.DagsterRunStatus.NOT_STARTED:
        instance.report_dagster_event(dg.DagsterEvent(f"PIPELINE_{KIND[status]}", work.name), made.run_id)
    assert fail_dead_runs(instance, home) == [], "it may be about to begin"
    monkeypatch.setattr(dead_runs, bound, -1)
    assert fail_dead_runs(instance, home) == [made.run_id]
    assert not instance.get_runs(dg.RunsFilter(statuses=UNFINISHED)), "nothing stands in the way of the next wave"


KIND = {dg.DagsterRunStatus.STARTING: "STARTING", dg.DagsterRunStatus.STARTED: "START"}


@pytest.mark.parametrize("kind", ["socket", "port"])
def test_a_run_whose_server_was_killed_before_it_started_is_not_waited_for(home: DataDir, kind: str) -> None:
    server = socket.socket(socket.AF_UNIX if kind == "socket" else socket.AF_INET)
    with dg.DagsterInstance.ephemeral() as instance, tempfile.TemporaryDirectory() as folder:
        server.bind(f"{folder}/code" if kind == "socket" else ("127.0.0.1", 0))
        server.listen()
        place = {"host": "127.0.0.1", kind: server.getsockname() if kind == "socket" else server.getsockname()[1]}
        tags = {".dagster/grpc_info": json.dumps(place)}
        made = instance.create_run_for_job(work, status=dg.DagsterRunStatus.STARTING, tags=tags)
        instance.create_run_for_job(work, status=dg.DagsterRunStatus.STARTING)  # whose server nobody named yet
        assert fail_dead_runs(instance, home) == [], "its server is about to start it"
        server.close()
        assert fail_dead_runs(instance, home) == [made.run_id]
