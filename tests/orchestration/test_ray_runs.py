"""Courses built on a real Ray cluster of two raylets on this machine: the same bytes as without, whatever is killed."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from built_homes import copied
from small_courses import Place, write_two_courses

from orchestration.building import ray_runs
from orchestration.building.home_lock import borrowed_lock, writer_of, writing
from orchestration.building.ray_runs import RayMissing, cluster

HAS_RAY = ray_runs.find_spec("ray") is not None
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


def test_what_is_lent_is_written_without_the_lock_and_given_back(tmp_path: Path) -> None:
    data_dir = Place(tmp_path).data_dir
    with borrowed_lock(data_dir), writing(data_dir, "a task", wait=False):
        assert not data_dir.writer.exists(), "the home's writer is who lends it"
    assert writer_of(data_dir) is None
    with writing(data_dir, "a build", wait=False):
        assert data_dir.writer.exists()


def test_without_ray_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_runs, "find_spec", lambda name: None)
    with pytest.raises(RayMissing, match=r"uv pip install 'coteach\[ray\]'"), cluster():
        pass
