"""Runs of courses on a Ray cluster (`COTEACH_COMPUTE=ray`): a task for each, as many at once as it has room for.

A task is a whole run of Dagster in a worker of Ray, in the same home and event log as without: logs, checks and retries
are where they always are. The process that builds stays the home's one writer, and lends that to its tasks, which write
the tables of their own course alone; what is made of all courses it makes itself, afterwards. Ray ends the tasks of a
build that dies, and whoever builds next waits until they are gone.

Not through dagster-ray: its executor starts a process for every step, which loads everything each time, and its
launcher one for every run, which would wait for the home's lock (decision 40).
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from orchestration.building.home_lock import HomeWriter, borrow_lock

if TYPE_CHECKING:
    import dagster as dg

    from orchestration.building.build import RunOutcome, RunPlan

RETRIES = 3
"""How often a course is begun again whose worker or node was lost. What the course itself fails with is not retried. A
choice."""
_PASSED_ON = ("COTEACH_", "AWS_", "DAGSTER_", "DO_NOT_TRACK", "GX_", "MLFLOW_", "OMP_NUM_THREADS")


class RayMissing(CoteachError):
    """Ray is to be used, and is not installed, not to be reached, or has no node that is large enough."""


@dataclass(frozen=True)
class TaskResources:
    """What the task of one course asks of the cluster."""

    cpus: float = 1.0
    gpus: float = 0.0
    memory_bytes: int = 0

    @property
    def by_name(self) -> dict[str, float]:
        """By Ray's names, without what is not asked for."""
        asked = {"CPU": self.cpus, "GPU": self.gpus, "memory": float(self.memory_bytes)}
        return {name: amount for name, amount in asked.items() if amount}


@contextmanager
def cluster() -> Iterator[None]:
    """Be connected with the cluster that `RAY_ADDRESS` names; where it names none, one is started on this machine.

    Raises `RayMissing`.
    """
    if find_spec("ray") is None:
        raise RayMissing("COTEACH_COMPUTE=ray needs Ray: uv pip install 'coteach[ray]', or set COTEACH_COMPUTE=local.")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray  # noqa: PLC0415  an extra, and a second to import

    try:
        ray.init(log_to_driver=False, logging_level="ERROR", ignore_reinit_error=True)
    except (ConnectionError, ValueError, RuntimeError) as error:
        where = os.environ.get("RAY_ADDRESS", "this machine")
        raise RayMissing(f"Ray's cluster at {where} cannot be used: {str(error)[:300]}") from error
    try:
        yield
    finally:
        ray.shutdown()


def run_plans(plans: Sequence["RunPlan"], each: TaskResources, lender: HomeWriter) -> Iterator["RunOutcome"]:
    """Run every plan as a task, begun in this order, in the home of its writer, the `lender`; yields how each went, as
    they end.

    A task whose worker was lost more often than `RETRIES` counts as failed. Within `cluster()`. Raises `RayMissing`
    where no node could ever run one: Ray would wait for such a node for ever.
    """
    import ray  # noqa: PLC0415
    from ray.exceptions import RayError  # noqa: PLC0415

    from orchestration.building.build import RunOutcome  # noqa: PLC0415  it uses this module

    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    if not any(all(node.get(name, 0) >= amount for name, amount in each.by_name.items()) for node in nodes):
        asked = ", ".join(f"{name} {amount:g}" for name, amount in each.by_name.items())
        raise RayMissing(f"No node of Ray's cluster has what a course asks for: {asked}. Ask for less, or add a node.")
    task: Any = ray.remote(
        num_cpus=each.cpus, num_gpus=each.gpus, memory=each.memory_bytes or None, max_retries=RETRIES
    )(_run)
    environment = {name: value for name, value in os.environ.items() if name.startswith(_PASSED_ON)}
    waiting = {task.remote(plan, lender, environment): plan for plan in plans}
    try:
        while waiting:
            (ended,), _ = ray.wait([*waiting])
            plan = waiting.pop(ended)
            try:
                yield ray.get(ended)
            except RayError as error:
                yield RunOutcome(plan, succeeded=False, seconds=0.0, run_id="", trouble=_reason(error))
    finally:
        for left in waiting:
            ray.cancel(left, force=True)


def _run(plan: "RunPlan", lender: HomeWriter, environment: dict[str, str]) -> "RunOutcome":
    """One run, in a worker."""
    os.environ.update(environment)
    from orchestration.building.build import Builder  # noqa: PLC0415  in a worker, where nothing is loaded yet
    from orchestration.cli.build_command import open_instance  # noqa: PLC0415
    from orchestration.resources import inputs_of, settings_now  # noqa: PLC0415

    settings = settings_now()
    data_dir = DataDir(settings.home.absolute())
    with borrow_lock(data_dir, lender), open_instance(settings) as instance:
        return Builder(_definitions(), instance, inputs_of(settings), data_dir).run(plan)


@cache
def _definitions() -> "dg.Definitions":
    """Once in a worker: a task that made them anew would resolve every job again."""
    from orchestration.definitions import defs  # noqa: PLC0415

    return defs()


def _reason(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:300]
