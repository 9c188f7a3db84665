"""`Home`: a temporary home of small courses with what runs on it: commands, the daemon, a gateway, busy loops.

Belongs here: starting these, and asking what they did. What is done to them is each benchmark's.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import dagster as dg
import httpx
import psutil

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, read_rows
from orchestration.building.build import Builder
from orchestration.cli.build_command import open_instance
from orchestration.cli.services import dagster_spec, gateway_spec, start_service
from orchestration.definitions import defs
from orchestration.jobs import INTENT_ASSETS
from orchestration.project import PROJECT
from orchestration.resources import PipelineSettings, inputs_of
from orchestration.sensors import UNFINISHED
from serving.llm.processes import free_port
from serving.settings import Settings
from serving.store.database import Store, sqlite_url
from serving.store.keys import make_key

BUSY_LOOP = "while True: pass"
PATIENCE_S = 1200.0
"""Longest wait for anything."""
QUIET_S = 35.0
"""Without a run for so long, nothing more will come: three looks of a sensor."""
COURSES = ("trees", "sorting", "graphs", "hashing")
WATCHED = frozenset({"course_build", "course_update", "fan_in_build", "intent_build"})
SENTENCES = (
    "Today we talk about the stack.",
    "A stack is a list where items are pushed and popped at one end only.",
    "A linked list is a chain of nodes where each node points to the next node.",
    "You can build a stack on top of a linked list.",
    "To understand the call stack you first need to understand the stack.",
    "The call stack is a stack that holds one frame for every running function.",
)


def srt(sentences: Sequence[str]) -> str:
    blocks = []
    for number, sentence in enumerate([*sentences] * 3):
        start, end = (f"00:{second // 60:02d}:{second % 60:02d},000" for second in (2 * number, 2 * number + 2))
        blocks.append(f"{number + 1}\n{start} --> {end}\n{sentence}\n")
    return "\n".join(blocks)


def write_course(folder: Path, course: str) -> None:
    (folder / course).mkdir(parents=True)
    (folder / course / "course.yaml").write_text(f"title: All about {course}\nlang: en\n")
    (folder / course / "01.srt").write_text(srt(SENTENCES))
    (folder / course / "faq.csv").write_text(
        f"id,question,answer\ndue,When is the homework of {course} due?,On Sunday at noon.\n"
    )


def append_row(courses: Path, course: str, name: str) -> None:
    with (courses / course / "faq.csv").open("a") as file:
        file.write(f"{name},What is {name}?,It is {name} of {course}.\n")


class Home:
    """A home in a folder, with what runs on it."""

    def __init__(self, root: Path) -> None:
        self.root, self.courses, self.data_dir = root, root / "courses", DataDir(root / "home")
        self.daemon: subprocess.Popen[bytes] | None = None
        self.gone_s = 0.0
        """Processor time of daemons that were stopped."""

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "COTEACH_HOME": str(self.data_dir.root),
            "COTEACH_COURSES": str(self.courses),
            "COTEACH_EMBED_LIMIT": "0",
            "COTEACH_INTENT_TRAINING": "false",
            "DAGSTER_HOME": str(self.data_dir.dagster),
            "PYTHONPATH": str(PROJECT),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        }

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "orchestration.cli.main", *arguments]

    def build(self) -> subprocess.Popen[bytes]:
        """`coteach build`, begun."""
        log = (self.root / "build.log").open("ab")
        return subprocess.Popen(self.command("build"), env=self.environment(), stdout=log, stderr=log)

    def report_intent_model(self) -> None:
        """Report the intent model as built."""
        settings = PipelineSettings(home=self.data_dir.root, courses=self.courses)
        with open_instance(settings) as instance:
            Builder(defs(), instance, inputs_of(settings), self.data_dir).prepare()
            code = {spec.key.to_user_string(): spec.code_version or "" for spec in defs().resolve_all_asset_specs()}
            for name in INTENT_ASSETS:
                tags = {"dagster/code_version": code[name], "dagster/data_version": "earlier"}
                instance.report_runless_asset_event(dg.AssetMaterialization(name, tags=tags))

    def start_daemon(self) -> None:
        log = (self.root / "daemon.log").open("ab")
        spec = dagster_spec(self.data_dir, free_port(0))
        environment = {**spec.environment, **self.environment()}
        self.daemon = subprocess.Popen(
            spec.command, env=environment, cwd=PROJECT, stdout=log, stderr=log, start_new_session=True
        )

    def stop_daemon(self) -> None:
        """The daemon with all that it started."""
        if self.daemon is not None:
            self.gone_s = self.processor_s()
            with suppress(ProcessLookupError):
                os.killpg(self.daemon.pid, signal.SIGKILL)
            self.daemon.wait()
            self.daemon = None

    def processor_s(self) -> float:
        """Processor time of the daemon and of all that it started, those that ended too."""
        if self.daemon is None:
            return self.gone_s
        used = 0.0
        with suppress(psutil.NoSuchProcess):
            daemon = psutil.Process(self.daemon.pid)
            for process in [daemon, *daemon.children(recursive=True)]:
                with suppress(psutil.NoSuchProcess):
                    used += sum(process.cpu_times()[:4])
        return self.gone_s + used

    @contextmanager
    def instance(self) -> Iterator[dg.DagsterInstance]:
        with dg.DagsterInstance.from_config(str(self.data_dir.dagster)) as instance:
            yield instance

    def runs(self) -> list[dg.DagsterRun]:
        with self.instance() as instance:
            return [run for run in instance.get_runs() if run.job_name in WATCHED]

    def tables(self) -> dict[str, str]:
        """The digest of everything in the lake that is published."""
        lake = self.data_dir.root / "lake"
        return {
            path.relative_to(lake).as_posix(): digest(path)
            for path in sorted(lake.rglob("*.parquet"))
            if ".staged" not in path.parts
        }

    def serves(self, answer: str, course: str, since: float) -> bool:
        current = self.data_dir.index / "CURRENT"
        if not current.exists() or current.stat().st_mtime < since:
            return False
        rows = read_rows(self.data_dir.qa_pairs)
        return any(row["answer"] == answer and row["course_id"] == course for row in rows)

    def indexed(self, answer: str, course: str) -> float | None:
        """When the pairs with an answer were written, if the index was made after them; `None` if it was not."""
        current, pairs = self.data_dir.index / "CURRENT", self.data_dir.qa_pairs
        if not current.exists() or current.stat().st_mtime < pairs.stat().st_mtime:
            return None
        rows = read_rows(pairs)
        found = any(row["answer"] == answer and row["course_id"] == course for row in rows)
        return current.stat().st_mtime if found else None

    def there(self) -> list[str]:
        """The courses that have a folder, sorted."""
        return sorted(path.name for path in self.courses.iterdir())

    def until(self, told: Callable[[], bool], *, longest: float = 60.0) -> None:
        """Wait until `told` holds, though not for ever."""
        deadline = time.monotonic() + longest
        while not told() and time.monotonic() < deadline:
            time.sleep(0.2)

    def rest(self, *, at_least_until: float = 0.0, told: Callable[[], bool] = lambda: True) -> None:
        """Wait until nothing ran for a while, and `told` holds."""
        deadline, quiet_since = time.monotonic() + PATIENCE_S, time.monotonic()
        while time.monotonic() < deadline:
            if any(run.status in UNFINISHED for run in self.runs()) or not told():
                quiet_since = time.monotonic()
            elif time.monotonic() - quiet_since > QUIET_S and time.time() > at_least_until:
                return
            else:
                time.sleep(1)
            time.sleep(0.5)


@contextmanager
def serving(home: Home) -> Iterator[httpx.Client]:
    """A client of a gateway over the home, which is up."""
    spec = gateway_spec(Settings(home=home.data_dir.root), None, free_port(0))
    with start_service(replace(spec, environment={**spec.environment, **home.environment()})) as process:
        process.wait_ready()
        with httpx.Client(base_url=spec.ready_url.removesuffix("/healthz"), timeout=60) as client:
            yield client


def make_teacher(home: Home) -> dict[str, str]:
    """The header of a new teacher's key."""
    store = Store.open(sqlite_url(home.data_dir.store))
    try:
        key = store.write(lambda db: make_key(db, role="teacher", name="Ines"))
    finally:
        store.close()
    return {"Authorization": f"Bearer {key}"}


def ask(gateway: httpx.Client, course: str, question: str) -> str:
    """What a student is told; nothing while the gateway is busy."""
    asked = {"model": f"coteach:{course}", "messages": [{"role": "user", "content": question}]}
    reply = gateway.post("/v1/chat/completions", json=asked)
    return str(reply.json()["choices"][0]["message"]["content"]) if reply.is_success else ""


@contextmanager
def busy(loops: int) -> Iterator[None]:
    running = [subprocess.Popen([sys.executable, "-c", BUSY_LOOP]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()
