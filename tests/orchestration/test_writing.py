"""One writer per home: who has the lock, who waits, and what becomes of a writer that died."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
from typer.testing import CliRunner

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.writer_lease import HomeBusy
from orchestration.building.dagster_record import prepare_instance_folder
from orchestration.building.home_lock import writer_of, writing
from orchestration.cli.main import app
from orchestration.resources import HomeResource

ANOTHER = """
import sys, time
from pathlib import Path
from knowledge_graph.lake.home import DataDir
from orchestration.building.home_lock import show_alive, writing
home = DataDir(Path(sys.argv[1]))
show_alive(home, sys.argv[2])
with writing(home, "another process"):
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


@pytest.mark.parametrize(
    "verb", [["build"], ["forget", "trees"], ["publish", "--to", "there"]], ids=lambda verb: verb[0]
)
def test_a_command_that_is_not_to_wait_says_who_writes_and_does_nothing(
    home: DataDir, verb: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(home.root))
    monkeypatch.setenv("COTEACH_COURSES", str(home.root.parent / "courses"))
    monkeypatch.chdir(home.root.parent)
    process = another_writer(home)
    try:
        done = CliRunner().invoke(app, [*verb, "--no-wait"])
    finally:
        end(process)
    assert isinstance(done.exception, HomeBusy), done.output
    assert str(done.exception).startswith(f"another process (process {process.pid} on ")
    assert not (home.root / "lake").exists()
    assert not (home.root.parent / "there").exists()


def test_the_lock_of_a_killed_writer_is_taken_over_and_what_it_staged_is_removed(home: DataDir) -> None:
    process = another_writer(home)
    staged = home.staging_file("faq", "trees", "dead-run")
    staged.parent.mkdir(parents=True)
    staged.write_text("half a ro")
    end(process)
    with writing(home, "me", wait=False):
        assert not home.staging.exists()


def test_two_runs_stage_the_same_table_in_two_places(home: DataDir) -> None:
    assert home.staging_file("faq", "trees", "one") != home.staging_file("faq", "trees", "two")


def test_a_run_takes_the_lock_while_it_lasts(home: DataDir) -> None:
    @dg.asset
    def looking(data_dir: dg.ResourceParam[DataDir]) -> str:
        return str(writer_of(data_dir))

    result = dg.materialize([looking], resources={"data_dir": HomeResource(root=str(home.root))})
    assert f"run {result.run_id[:8]}" in result.output_for_node("looking")
    assert writer_of(home) is None


def test_a_home_starts_with_pools_and_run_monitoring(tmp_path: Path) -> None:
    folder = prepare_instance_folder(tmp_path / "dagster")
    with dg.DagsterInstance.from_config(str(folder)) as instance:
        assert instance.run_monitoring_enabled
        limits = instance.get_concurrency_config()
        assert limits.pool_config.default_pool_limit == 1
        assert limits.run_queue_config is not None
        assert limits.run_queue_config.max_concurrent_runs == 4
        # Longer than a code server that heard no heartbeat needs to be there again: its run would fail.
        queue = limits.run_queue_config
        assert queue.max_user_code_failure_retries * queue.user_code_failure_retry_delay == 120


def test_settings_that_a_person_changed_are_left_alone(tmp_path: Path) -> None:
    folder = prepare_instance_folder(tmp_path / "dagster")
    (folder / "dagster.yaml").write_text("telemetry:\n  enabled: false\n")
    prepare_instance_folder(folder)
    assert (folder / "dagster.yaml").read_text() == "telemetry:\n  enabled: false\n"


def test_settings_that_coteach_wrote_before_are_brought_up_to_date(tmp_path: Path) -> None:
    oldest = "telemetry:\n  enabled: false\nnux:\n  enabled: false\nfreshness:\n  enabled: true\n"
    now = prepare_instance_folder(tmp_path / "new").joinpath("dagster.yaml").read_text()
    queue = now[now.index("# A code server that hears nothing") : now.index("\n# A worker that never started")]
    before_the_queue = now.replace(queue, "")
    before_servers_were_waited_for = now.replace(queue, "run_queue:\n  dequeue_interval_seconds: 1\n")
    for number, old in enumerate((oldest, before_the_queue, before_servers_were_waited_for)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "dagster.yaml").write_text(old)
        assert (prepare_instance_folder(folder) / "dagster.yaml").read_text() == now
