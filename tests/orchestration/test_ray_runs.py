"""Courses built on a real Ray cluster of two raylets on this machine: the same bytes as without, whatever is killed."""

import json
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from subprocess import PIPE
from typing import Any

import dagster as dg
import psutil
import pytest
from built_homes import copied
from small_courses import FAQ, SORTING, STACKS, Place, srt, write_course, write_two_courses

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.writer_lease import HomeBusy
from orchestration.automation import WAVE
from orchestration.building import build, ray_runs
from orchestration.building.build import RunOutcome, RunPlan
from orchestration.building.home_lock import HomeWriter, borrow_lock, writer_of, writing
from orchestration.building.ray_runs import RayMissing, TaskResources, cluster
from orchestration.definitions import defs
from orchestration.resources import PipelineSettings, inputs_of
from orchestration.sensors import automation

HAS_RAY = ray_runs.find_spec("ray") is not None
NOBODY = HomeWriter("nobody", 0, "nowhere", 0.0)
needs_ray = pytest.mark.skipif(not HAS_RAY, reason="of the extra `ray`: uv pip install 'coteach[ray]'")


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digests of what is built without Ray."""
    return copied(tmp_path_factory, write_two_courses, "without ray").tables()


@pytest.fixture
def raylets(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster of one node with one processor, to which others may be added, each a raylet of its own."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield found
    found.shutdown()


def workers() -> list[psutil.Process]:
    """The workers of Ray that build a course now."""
    running = psutil.process_iter(["cmdline"])
    return [one for one in running if "ray::_run" in " ".join(one.info["cmdline"] or ())]


def until(found: Callable[[], object]) -> None:
    for _ in range(1200):
        if found():
            return
        time.sleep(0.1)
    raise TimeoutError("That did not happen within two minutes.")


@needs_ray
@pytest.mark.slow
def test_a_killed_worker_and_a_lost_node_leave_the_same_bytes(
    raylets: Any, local: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_COMPUTE", "ray")
    monkeypatch.setenv("RAY_ADDRESS", raylets.address)
    place, lost = Place(tmp_path), list[str]()
    write_two_courses(place.courses)
    node = raylets.add_node(num_cpus=1)

    def lose() -> None:
        until(lambda: len(workers()) == 2 and any((place.data_dir.root / "lake").rglob("*.parquet")))
        workers()[0].kill()
        lost.append("worker")
        until(lambda: len(workers()) == 2)
        raylets.remove_node(node, allow_graceful=False)
        lost.append("node")

    losing = threading.Thread(target=lose)
    losing.start()
    code, printed = place.build()
    losing.join()
    assert lost == ["worker", "node"]
    assert code == 0, printed
    assert "2 courses on Ray" in printed
    assert place.tables() == local
    code, printed = place.build()
    assert (code, "Everything is up to date" in printed) == (0, True)


def test_the_smallest_course_is_begun_first_and_none_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = list[str | None]()

    def run_plans(plans: Sequence[RunPlan], each: TaskResources, lender: HomeWriter) -> Iterator[RunOutcome]:
        begun.extend(plan.partition for plan in plans)
        return iter(())

    monkeypatch.setattr(build, "run_plans", run_plans)
    place = Place(tmp_path)
    for course, times in (("algebra", 3), ("biology", 1), ("chemistry", 2), ("zoology", 1)):
        write_course(place.courses / course, {"01.srt": srt(STACKS * times), "faq.csv": FAQ})
    write_course(place.courses / "biology", {"notes/of_nobody.bin": bytes(10_000)})  # is no input
    with writing(place.data_dir, "a build"), place.builder() as builder:
        plans = [RunPlan("course_build", course, (), {}) for course in builder.prepare()]
        assert list(builder.run_apart(plans, TaskResources())) == []
    assert begun == ["biology", "zoology", "chemistry", "algebra"]


@needs_ray
@pytest.mark.slow
def test_a_killed_build_is_built_again_to_the_same_bytes_and_nothing_of_it_writes_on(
    raylets: Any, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the two builds the courses change: what the first left behind would write other bytes."""
    monkeypatch.setenv("COTEACH_COMPUTE", "ray")
    monkeypatch.setenv("RAY_ADDRESS", raylets.address)
    raylets.add_node(num_cpus=1)
    place = Place(tmp_path)
    write_two_courses(place.courses)
    killed = multiprocessing.get_context("spawn").Process(target=Place.build, args=(place,))
    killed.start()
    until(lambda: len(workers()) == 2 and any((place.data_dir.root / "lake").rglob("*.parquet")))
    left = workers()
    killed.kill()
    killed.join()
    write_changed_courses(place.courses)
    code, printed = place.build()
    assert code == 0, printed
    assert not [one for one in left if one.is_running()], "the next build waited until they were gone"
    built = place.tables()
    monkeypatch.setenv("COTEACH_COMPUTE", "local")
    assert built == copied(tmp_path_factory, write_changed_courses, "changed without ray").tables()
    code, printed = place.build()
    assert (code, "Everything is up to date" in printed) == (0, True)
    assert place.tables() == built


def write_changed_courses(folder: Path) -> None:
    """The two courses with another lecture in one, and another answer in the other."""
    write_two_courses(folder)
    write_course(folder / "structures", {"subtitles/03 - More.srt": srt(SORTING)})
    write_course(folder / "sorting", {"faq.csv": FAQ.replace("On Sunday at noon", "On Monday at noon")})


@needs_ray
@pytest.mark.slow
def test_what_the_daemon_starts_builds_its_courses_on_ray_each_as_a_run_of_its_own(
    raylets: Any, local: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_COMPUTE", "ray")
    monkeypatch.setenv("RAY_ADDRESS", raylets.address)
    raylets.add_node(num_cpus=1)
    place = Place(tmp_path)
    write_two_courses(place.courses)
    with place.builder() as builder:
        builder.prepare()
    with place.instance() as instance, dg.build_sensor_context(instance=instance) as context:
        asked = automation(context, inputs=inputs_of(PipelineSettings()))
        assert isinstance(asked, dg.SensorResult)
        (together,) = asked.run_requests or ()
        job = defs().resolve_job_def(together.job_name or "")
        found = job.execute_in_process(together.run_config, instance=instance, tags=dict(together.tags))
        assert found.success
        runs = {run.tags["dagster/partition"]: run for run in instance.get_runs() if run.job_name == "course_build"}
    keys = together.run_config["ops"]["courses_of_the_wave"]["config"]["waves"]
    assert {course: run.tags[WAVE] for course, run in runs.items()} == keys
    assert set(keys) == {"structures", "sorting"}
    assert all(run.is_success for run in runs.values())
    monkeypatch.setenv("COTEACH_COMPUTE", "local")
    code, printed = place.build()
    assert code == 0, printed
    assert "course structures" not in printed, "only what is made of all courses is left"
    assert place.tables() == local


@needs_ray
@pytest.mark.slow
def test_a_course_gets_the_gpu_and_the_memory_that_it_asks_for(raylets: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two nodes one has a GPU, as Ray is told; courses run there, one at a time, though the other is free."""
    monkeypatch.setenv("RAY_ADDRESS", raylets.address)
    raylets.add_node(num_cpus=2, num_gpus=1)

    def run(plan: RunPlan, lender: HomeWriter, environment: dict[str, str]) -> RunOutcome:
        import ray

        began = time.time()
        time.sleep(1.0)
        asked = ray.get_runtime_context().get_assigned_resources()
        told = json.dumps([asked, os.environ.get("CUDA_VISIBLE_DEVICES")])
        return RunOutcome(plan, succeeded=True, seconds=began, run_id="", trouble=told)

    monkeypatch.setattr(ray_runs, "_run", run)
    plans = [RunPlan("course_build", course, (), {}) for course in ("trees", "sorting", "graphs")]
    with cluster():
        found = [*ray_runs.run_plans(plans, TaskResources(gpus=1.0, memory_bytes=50 * 2**20), NOBODY)]
    assert [json.loads(one.trouble or "") for one in found] == [
        [{"CPU": 1.0, "GPU": 1.0, "memory": 50.0 * 2**20}, "0"] for _ in plans
    ]
    begun = sorted(one.seconds for one in found)
    assert all(later - earlier >= 1.0 for earlier, later in pairwise(begun))


@needs_ray
@pytest.mark.slow
def test_what_no_node_could_ever_give_is_refused_and_not_waited_for(
    raylets: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", raylets.address)
    plans = [RunPlan("course_build", "trees", (), {})]
    with cluster(), pytest.raises(RayMissing, match="asks for: CPU 1, GPU 1"):
        next(ray_runs.run_plans(plans, TaskResources(gpus=1.0), NOBODY))


@contextmanager
def process(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A process that runs some code, said its first word, and is killed afterwards."""
    with subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], stdout=PIPE, text=True) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
        try:
            yield one
        finally:
            one.kill()


@contextmanager
def lender(data_dir: DataDir) -> Iterator[tuple[subprocess.Popen[str], HomeWriter]]:
    """Another process that is the writer of a home."""
    with process(LENDS, data_dir.root) as one:
        writer = writer_of(data_dir)
        assert writer is not None
        yield one, writer


LENDS = """
import sys, time
from pathlib import Path
from knowledge_graph.lake.home import DataDir
from orchestration.building.home_lock import writing

with writing(DataDir(Path(sys.argv[1])), "a build", wait=False):
    print("ready", flush=True)
    time.sleep(600)
"""
BORROWS = """
import sys, time
from pathlib import Path
from knowledge_graph.lake.home import DataDir
from orchestration.building.home_lock import borrow_lock, writer_of

data_dir = DataDir(Path(sys.argv[1]))
with borrow_lock(data_dir, writer_of(data_dir)):
    print("ready", flush=True)
    time.sleep(600)
"""


def test_what_is_lent_is_written_without_the_lock_and_given_back(tmp_path: Path) -> None:
    data_dir = Place(tmp_path).data_dir
    with lender(data_dir) as (_, writer):
        with borrow_lock(data_dir, writer), writing(data_dir, "a task", wait=False):
            assert writer_of(data_dir) == writer, "the home's writer is who lends it"
        with pytest.raises(HomeBusy, match="a build"), writing(data_dir, "another", wait=False):
            pass
    with writing(data_dir, "a build", wait=False):
        assert data_dir.writer.exists()
    assert writer_of(data_dir) is None


def test_the_next_writer_waits_for_what_a_killed_one_has_lent(tmp_path: Path) -> None:
    data_dir = Place(tmp_path).data_dir
    with lender(data_dir) as (builds, _), process(BORROWS, data_dir.root) as borrows:
        builds.kill()
        builds.wait()
        for _ in range(2):
            with pytest.raises(HomeBusy, match="a build"), writing(data_dir, "the next build", wait=False):
                pass
        borrows.kill()
        borrows.wait()
        with writing(data_dir, "the next build", wait=False):
            assert writer_of(data_dir) is not None


@pytest.mark.parametrize("is_another_building", [False, True])
def test_nothing_is_borrowed_of_who_is_dead(tmp_path: Path, *, is_another_building: bool) -> None:
    """A task that a cluster begins late, of a build that was killed, writes nothing."""
    data_dir = Place(tmp_path).data_dir
    with lender(data_dir) as (builds, writer):
        builds.kill()
        builds.wait()
        with ExitStack() as stack:
            if is_another_building:
                stack.enter_context(lender(data_dir))
            with pytest.raises(HomeBusy, match="is its writer no more"), borrow_lock(data_dir, writer):
                pass


def test_without_ray_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_runs, "find_spec", lambda name: None)
    with pytest.raises(RayMissing, match=r"uv pip install 'coteach\[ray\]'"), cluster():
        pass
