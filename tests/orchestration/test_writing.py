"""One writer per home: who has the lock, who waits, and what becomes of a writer that died."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import dagster as dg
import pytest

from knowledge_graph.lake.home import DataDir
from orchestration.building import dead_runs
from orchestration.building.dagster_record import prepare_instance_folder
from orchestration.building.dead_runs import fail_dead_runs
from orchestration.building.home_lock import HomeBusy, alive, life_of, writer_of, writing
from orchestration.resources import HomeResource
from orchestration.sensors import UNFINISHED

ANOTHER = """
import sys, time
from pathlib import Path
from knowledge_graph.lake.home import DataDir
from orchestration.building.home_lock import alive, writing
home = DataDir(Path(sys.argv[1]))
with alive(home, sys.argv[2]), writing(home, "another process"):
    print("writing", flush=True)
    time.sleep(float(sys.argv[3]))
"""


@pytest.fixture
def home(tmp_path: Path) -> DataDir:
    return DataDir(tmp_path / "home")


def another_writer(home: DataDir, run_id: str = "run", *, seconds: float = 60) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ANOTHER, str(home.root), run_id, str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def test_the_lock_says_who_has_it_and_is_free_afterwards(home: DataDir) -> None:
    with writing(home, "`coteach build`"):
        writer = writer_of(home)
        assert writer is not None
        assert (writer.owner, writer.pid) == ("`coteach build`", os.getpid())
    assert writer_of(home) is None


def test_a_home_that_nobody_wrote_in_has_no_writer(home: DataDir) -> None:
    assert writer_of(home) is None


def test_what_a_writer_starts_in_its_own_process_writes_too(home: DataDir) -> None:
    with writing(home, "outer"):
        with writing(home, "inner", wait=False):
            pass
        assert writer_of(home) is not None


def test_who_does_not_wait_is_told_who_writes(home: DataDir) -> None:
    process = another_writer(home)
    try:
        expected = f"another process .process {process.pid} on .* writes in"
        with pytest.raises(HomeBusy, match=expected), writing(home, "me", wait=False):
            pass
    finally:
        end(process)


def test_who_waits_is_told_once_and_goes_on_afterwards(home: DataDir) -> None:
    process, told = another_writer(home, seconds=2), list[str]()
    with writing(home, "me", tell=told.append):
        assert len(told) == 1
        assert "Waiting until another process" in told[0]
    end(process)


def test_the_lock_of_a_killed_writer_is_taken_over_and_what_it_staged_is_removed(home: DataDir) -> None:
    process = another_writer(home)
    staged = home.staged("faq", "trees", "dead-run")
    staged.parent.mkdir(parents=True)
    staged.write_text("half a ro")
    end(process)
    with writing(home, "me", wait=False):
        assert not home.staging.exists()


def test_two_runs_stage_the_same_table_in_two_places(home: DataDir) -> None:
    assert home.staged("faq", "trees", "one") != home.staged("faq", "trees", "two")


def test_a_run_is_alive_until_its_process_ends_however_it_ends(home: DataDir) -> None:
    process = another_writer(home, "one")
    assert life_of(home, "one") is True
    end(process)
    os.utime(home.run_alive("one"), (0, 0))
    assert life_of(home, "one") is False
    assert life_of(home, "other") is None


def test_a_run_that_is_over_has_a_while_to_say_so(home: DataDir) -> None:
    with alive(home, "one"):
        pass
    assert life_of(home, "one") is True
    os.utime(home.run_alive("one"), (0, 0))
    assert life_of(home, "one") is False


def test_a_run_takes_the_lock_while_it_lasts(home: DataDir) -> None:
    @dg.asset
    def looking(data_dir: dg.ResourceParam[DataDir]) -> str:
        return str(writer_of(data_dir))

    result = dg.materialize([looking], resources={"data_dir": HomeResource(root=str(home.root))})
    assert f"run {result.run_id[:8]}" in result.output_for_node("looking")
    assert writer_of(home) is None


def test_only_a_run_whose_process_is_gone_is_marked_as_failed(home: DataDir) -> None:
    @dg.op
    def nothing() -> None: ...

    @dg.job
    def work() -> None:
        nothing()

    with dg.DagsterInstance.ephemeral() as instance, alive(home, "00000000-0000-0000-0000-000000000001"):
        for number in (1, 2, 3):
            run_id = f"00000000-0000-0000-0000-00000000000{number}"
            instance.create_run_for_job(work, run_id=run_id, status=dg.DagsterRunStatus.STARTED)
        dead = home.run_alive("00000000-0000-0000-0000-000000000002")
        dead.parent.mkdir(parents=True, exist_ok=True)
        dead.touch()
        os.utime(dead, (0, 0))
        assert fail_dead_runs(instance, home) == ["00000000-0000-0000-0000-000000000002"]
        run = instance.get_run_by_id("00000000-0000-0000-0000-000000000002")
        assert run is not None
        assert run.status == dg.DagsterRunStatus.FAILURE


def test_a_run_that_a_command_made_and_did_not_live_to_begin_is_not_waited_for(
    home: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dg.op
    def nothing() -> None: ...

    @dg.job
    def work() -> None:
        nothing()

    with dg.DagsterInstance.ephemeral() as instance:
        made = instance.create_run_for_job(work, status=dg.DagsterRunStatus.NOT_STARTED)
        assert fail_dead_runs(instance, home) == [], "it may be about to begin"
        monkeypatch.setattr(dead_runs, "_LONGEST_TO_BEGIN_S", -1)
        assert fail_dead_runs(instance, home) == [made.run_id]
        assert not instance.get_runs(dg.RunsFilter(statuses=UNFINISHED)), "nothing stands in the way of the next wave"


@pytest.mark.parametrize("kind", ["socket", "port"])
def test_a_run_whose_server_was_killed_before_it_started_is_not_waited_for(home: DataDir, kind: str) -> None:
    @dg.op
    def nothing() -> None: ...

    @dg.job
    def work() -> None:
        nothing()

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


def test_a_home_starts_with_pools_and_run_monitoring(tmp_path: Path) -> None:
    folder = prepare_instance_folder(tmp_path / "dagster")
    with dg.DagsterInstance.from_config(str(folder)) as instance:
        assert instance.run_monitoring_enabled
        assert instance.get_concurrency_config().pool_config.default_pool_limit == 1


def test_settings_that_a_person_changed_are_left_alone(tmp_path: Path) -> None:
    folder = prepare_instance_folder(tmp_path / "dagster")
    (folder / "dagster.yaml").write_text("telemetry:\n  enabled: false\n")
    prepare_instance_folder(folder)
    assert (folder / "dagster.yaml").read_text() == "telemetry:\n  enabled: false\n"


def test_settings_that_coteach_wrote_before_are_brought_up_to_date(tmp_path: Path) -> None:
    oldest = "telemetry:\n  enabled: false\nnux:\n  enabled: false\nfreshness:\n  enabled: true\n"
    now = prepare_instance_folder(tmp_path / "new").joinpath("dagster.yaml").read_text()
    before_the_queue = now.replace("run_queue:\n  dequeue_interval_seconds: 1\n", "")
    for number, old in enumerate((oldest, before_the_queue)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "dagster.yaml").write_text(old)
        assert (prepare_instance_folder(folder) / "dagster.yaml").read_text() == now
