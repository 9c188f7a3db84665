"""Where a run can be killed or hang so that the daemon waits for nobody: at each point of its way, on purpose.

    .venv/bin/python benchmarks/kill_points.py [--points NAME…] [--bound SECONDS]

A home of two small courses and the real daemon (running_home.py). A module that Python loads at every start stands
in the way of one function of Dagster or `multiprocessing` at a time: the first process of the home that comes there
kills itself or the daemon with all that it started (kill -9), or stops for ever. After a killed daemon another is
started at once. Told is how long it takes from then until the edit is built. Exit code 0 when each took less than the
bound and no run was left.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table
from running_home import COURSES, QUIET_S, WATCHED, Home, append_row, write_course

from orchestration.sensors import UNFINISHED

BOUND_S = 200.0
"""A bound of dead_runs.py or warm_workers.py, the pause before a second attempt, and a build on a busy machine."""

IN_THE_WAY = """
import os, signal, wrapt

def stop(point):
    try:
        os.rename(os.environ["KILL_POINTS"] + "/" + point, os.environ["KILL_POINTS"] + "/reached")
    except OSError:
        return
    with open(os.environ["KILL_POINTS"] + "/reached") as file:
        kind = file.read()
    if kind == "daemon":
        os.killpg(os.getpgid(0), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGSTOP if kind == "hang" else signal.SIGKILL)

def before(module, name, point, told=lambda *_, **__: True):
    @wrapt.patch_function_wrapper(module, name)
    def patched(function, _, arguments, named):
        if told(*arguments, **named):
            stop(point)
        return function(*arguments, **named)

def after(module, name, point, told):
    @wrapt.patch_function_wrapper(module, name)
    def patched(function, _, arguments, named):
        result = function(*arguments, **named)
        if told(*arguments, **named):
            stop(point)
        return result

def of(kind):
    return lambda event, **_: bool(event.dagster_event) and event.dagster_event.event_type_value == kind

def when(module, act):
    wrapt.register_post_import_hook(lambda _: act(module), module)

when("dagster._core.launcher.default_run_launcher", lambda m: before(m, "DefaultRunLauncher.launch_run", "starting"))
when("dagster._grpc.client", lambda m: before(m, "DagsterGrpcClient.start_run", "named"))
when("dagster._grpc.server", lambda m: before(m, "DagsterApiServer.StartRun", "asked"))
when("multiprocessing.forkserver", lambda m: before(m, "_serve_one", "forked"))
when("dagster._grpc.impl", lambda m: before(m, "_run_in_subprocess", "alive"))
when("dagster._grpc.impl", lambda m: before(m, "core_execute_run", "told"))
INSTANCE, HANDLE = "dagster._core.instance.instance", "DagsterInstance.handle_new_event"
when(INSTANCE, lambda m: after(m, HANDLE, "started", of("PIPELINE_START")))
when(INSTANCE, lambda m: before(m, HANDLE, "written", of("PIPELINE_SUCCESS")))
when("multiprocessing.reduction", lambda m: before(m, "recvfds", "forking"))
"""
"""Points of a run's way, and what is in the way of each. A fork server receives descriptors before it forks."""


@dataclass(frozen=True)
class Point:
    """Where somebody stands in the way."""

    name: str
    kind: str
    """`itself` and `daemon` are killed, `hang` stops."""
    meaning: str


POINTS = (
    Point("starting", "daemon", "the daemon, before it names the server that is to start the run"),
    Point("named", "daemon", "the daemon, before it asks that server"),
    Point("asked", "daemon", "the daemon, as its server is asked"),
    Point("asked", "itself", "the code server alone, as it is asked"),
    Point("forking", "itself", "the process that forks, before it forks"),
    Point("forking", "hang", "the process that forks hangs"),
    Point("forked", "itself", "a fork, before it shows that it is alive"),
    Point("forked", "hang", "a fork hangs"),
    Point("alive", "daemon", "the daemon, when the fork has shown that it is alive"),
    Point("told", "itself", "a fork, before Dagster knows that the run started"),
    Point("told", "daemon", "the daemon, at that moment"),
    Point("started", "itself", "a fork, before it asks for the home"),
    Point("started", "daemon", "the daemon, at that moment"),
    Point("written", "itself", "a fork that has written all, before it says so"),
    Point("written", "daemon", "the daemon, at that moment"),
)


@dataclass(frozen=True)
class Trial:
    """What came of a point."""

    point: Point
    next_s: float | None
    """Until another run began."""
    built_s: float | None
    left: tuple[str, ...]


class PointedHome(Home):
    """A home whose processes look whether they are to stop."""

    @property
    def points(self) -> Path:
        return self.root / "points"

    def environment(self) -> dict[str, str]:
        environment = super().environment()
        path = f"{self.points}{os.pathsep}{environment['PYTHONPATH']}"
        return {**environment, "KILL_POINTS": str(self.points), "PYTHONPATH": path}

    def processes(self) -> list[psutil.Process]:
        """All that runs for this home."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get("KILL_POINTS") == str(self.points):
                    found.append(process)
            except psutil.Error:
                continue
        return found


def try_point(home: PointedHome, point: Point, number: int, longest: float) -> Trial:
    """Make an edit whose run comes to a point, and wait until it is built after all."""
    before = {run.run_id for run in home.runs()}
    armed, reached = home.points / point.name, home.points / "reached"
    reached.unlink(missing_ok=True)
    armed.write_text(point.kind)
    name = f"potoroo{number}"
    append_row(home.courses, COURSES[0], name)
    home.until(reached.exists, longest=longest)
    if not reached.exists():
        armed.unlink(missing_ok=True)
        raise RuntimeError(f"Nothing came to the point {point.name}; see {home.root}/daemon.log.")
    stopped = time.time()
    if point.kind == "daemon":
        home.stop_daemon()
        home.start_daemon()
    held_up = {run.run_id for run in home.runs()} - before

    def is_built() -> bool:
        return home.indexed(f"It is {name} of {COURSES[0]}.", COURSES[0]) is not None

    def is_over() -> bool:
        return is_built() and not any(run.status in UNFINISHED for run in home.runs())

    home.until(is_over, longest=longest)
    return _trial(home, point, held_up | before, stopped, is_built=is_built())


def _trial(home: PointedHome, point: Point, known: set[str], stopped: float, *, is_built: bool) -> Trial:
    left = tuple(run.run_id[:8] for run in home.runs() if run.status in UNFINISHED)
    with home.instance() as instance:
        records = [each for each in instance.get_run_records() if each.dagster_run.job_name in WATCHED]
    later = [each.create_timestamp.timestamp() for each in records if each.dagster_run.run_id not in known]
    ended = max((each.end_time for each in records if each.end_time), default=stopped)
    next_s = min(later) - stopped if later else None
    return Trial(point, next_s, ended - stopped if is_built else None, left)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", nargs="*", default=[], metavar="NAME", help="a point, or point:kind; all if none")
    parser.add_argument("--bound", type=float, default=BOUND_S)
    return parser.parse_args()


def chosen(names: Sequence[str]) -> list[Point]:
    return [point for point in POINTS if not names or {point.name, f"{point.name}:{point.kind}"} & set(names)]


def main() -> int:
    asked, console = arguments(), Console(width=150)
    table = Table("killed or hung", "how", "next run after", "built after", "left")
    trials = list[Trial]()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = PointedHome(Path(folder))
        home.points.mkdir()
        (home.points / "sitecustomize.py").write_text(IN_THE_WAY)
        for course in COURSES[:2]:
            write_course(home.courses, course)
        home.report_intent_model()
        if home.build().wait():
            console.print((home.root / "build.log").read_text()[-3000:], markup=False)
            return 1

        @stack.callback
        def end_processes() -> None:
            for process in home.processes():
                process.kill()

        home.start_daemon()
        stack.callback(home.stop_daemon)
        home.rest(at_least_until=time.time() + QUIET_S)
        for number, point in enumerate(chosen(asked.points)):
            trial = try_point(home, point, number, longest=3 * asked.bound)
            trials.append(trial)
            told = ["-" if seconds is None else f"{seconds:.0f} s" for seconds in (trial.next_s, trial.built_s)]
            table.add_row(point.meaning, point.kind, *told, " ".join(trial.left))
            console.print(f"  {point.name} {point.kind}: {', '.join(told)}, load {os.getloadavg()[0]:.1f}")
    console.print(table)
    held = all(one.built_s is not None and one.built_s < asked.bound and not one.left for one in trials)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
