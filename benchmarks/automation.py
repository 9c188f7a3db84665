"""What the daemon starts after an edit: how many runs, whether one failed, what was made again, and when it is served.

    .venv/bin/python benchmarks/automation.py [--edits [NAME…]] [--busy] [--overlap] [--backfill]
                                              [--upload] [--together N] [--kills N] [--courses N]

Four small courses in a temporary home, built once by the command line (the intent model is reported as built: training
it would take all of the time), then the real daemon, as `make up` starts it. An edit holds when no run failed, at most
two were started, and whatever was made again has something to do with it. `--upload` sends a file to a gateway beside
the daemon and asks that gateway until it answers from it. `--busy` runs two loops beside it and
`--overlap` makes each edit while the wave of the one before is being built. `--together` edits N times with two
`coteach build` and the daemon at once, `--kills` kills a worker, the daemon or a command N times while it writes; after
these three the tables have the bytes of one build from scratch. Exit code 0 when all held; seconds and processor time
are told, and a bound on them is not part of it.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import dagster as dg
from rich.console import Console
from rich.table import Table
from running_home import (
    COURSES,
    PATIENCE_S,
    QUIET_S,
    SENTENCES,
    Home,
    append_row,
    ask,
    busy,
    make_teacher,
    serving,
    srt,
    write_course,
)

from orchestration.building.home_lock import writer_of
from orchestration.building.kept_results import KEPT
from orchestration.definitions import defs
from orchestration.jobs import COURSE_ASSETS
from orchestration.sensors import UNFINISHED

MOST_RUNS = 2


@dataclass(frozen=True)
class Edit:
    """A change of the courses, what is to be served after it, and what may be made again of its course."""

    name: str
    make: Callable[[Path], None]
    serves: str | None = None
    course: str = "trees"
    """Or several, between commas."""
    remade: frozenset[str] = frozenset(COURSE_ASSETS)
    most_runs: int = MOST_RUNS
    undoes: bool = False
    """Takes away what the edit before it made."""


@dataclass(frozen=True)
class Seen:
    """What came of an edit."""

    name: str
    runs: int
    failed: int
    made: int
    foreign: tuple[str, ...]
    """Made again, though it had nothing to do with the edit."""
    served_s: float | None
    done_s: float | None
    """Until the last run was over."""
    processor_s: float
    """Of the daemon and all that it started, looks at nothing among them."""
    most_runs: int

    @property
    def held(self) -> bool:
        return not self.failed and not self.foreign and self.runs <= self.most_runs


def write(course: str, name: str, content: str) -> Callable[[Path], None]:
    """An edit that writes one file anew."""

    def make(courses: Path) -> None:
        (courses / course / name).write_text(content)

    return make


def touch(courses: Path) -> None:
    faq = courses / "trees" / "faq.csv"
    faq.write_bytes(faq.read_bytes())


def edits(number: int) -> tuple[Edit, ...]:
    """One of each kind, another for each number: what was made before would change nothing."""
    new, renamed = f"heaps{number}", f"queues{number}"

    def rename(courses: Path) -> None:
        (courses / new).rename(courses / renamed)

    return (
        Edit("a touched, equal file", touch, remade=frozenset(), most_runs=0),
        Edit(
            "a FAQ row",
            lambda courses: append_row(courses, "trees", f"quokka{number}"),
            serves=f"It is quokka{number} of trees.",
            remade=frozenset(COURSE_ASSETS) - {"course_card", "subtitles", "lecture_sentences", "documents"},
        ),
        Edit(
            "a cue",
            write("trees", "01.srt", srt((*SENTENCES, f"Heap number {number} is a tree."))),
            remade=frozenset(COURSE_ASSETS) - {"course_card", "faq", "documents", "catalog_pages", "search_snippets"},
        ),
        Edit("course.yaml", write("trees", "course.yaml", f"title: Trees {number}\nlang: en\n")),
        Edit("a new course", lambda courses: write_course(courses, new), serves="On Sunday at noon.", course=new),
        Edit("a renamed course", rename, serves="On Sunday at noon.", course=renamed, undoes=True),
        Edit(
            "a removed course",
            lambda courses: shutil.rmtree(courses / renamed),
            remade=frozenset(),
            most_runs=0,
            undoes=True,
        ),
    )


EDITS = edits(1)


@dataclass(frozen=True)
class Before:
    """What there was before an edit."""

    runs: frozenset[str]
    since: float
    processor_s: float

    @classmethod
    def of(cls, home: Home) -> "Before":
        return cls(frozenset(run.run_id for run in home.runs()), time.time(), home.processor_s())


def look_at(home: Home, edit: Edit, before: Before, served: float | None) -> Seen:
    """What the runs that are new did."""
    new = [run for run in home.runs() if run.run_id not in before.runs]
    made, foreign, ended = 0, [], list[float]()
    with home.instance() as instance:
        for run in new:
            record = instance.get_run_record_by_id(run.run_id)
            ended += [record.end_time] if record and record.end_time else []
            events = instance.get_records_for_run(run.run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION)
            for event in events.records:
                key, partition, told = event.asset_key, event.partition_key, event.asset_materialization
                if told is None or KEPT in told.metadata:
                    continue
                made += 1
                if partition and key and (partition not in edit.course.split(",") or key.path[-1] not in edit.remade):
                    foreign.append(f"{partition}/{key.to_user_string()}")
    failed = sum(run.status == dg.DagsterRunStatus.FAILURE for run in new)
    took = None if served is None else served - before.since
    done = max(ended) - before.since if ended else None
    used = home.processor_s() - before.processor_s
    return Seen(edit.name, len(new), failed, made, tuple(sorted(set(foreign))), took, done, used, edit.most_runs)


def try_edit(home: Home, edit: Edit) -> Seen:
    """Make an edit, and wait until all is done."""
    before = Before.of(home)
    edit.make(home.courses)
    served: list[float] = []

    def told() -> bool:
        if edit.serves is None or served:
            return True
        if home.serves(edit.serves, edit.course, before.since):
            served.append(time.time())
        return bool(served)

    home.rest(at_least_until=before.since + QUIET_S, told=told)
    return look_at(home, edit, before, served[0] if served else None)


UPLOADED, ANSWERED = "May I bring a wombat to the lecture?", "Wombats are welcome in week seven."
"""A question of the file that is uploaded, and its answer."""


def try_upload(home: Home) -> Seen:
    """A teacher sends a file to a gateway, nobody starts a build, and a student asks until the answer is in it."""
    before, course = Before.of(home), "trees"
    with serving(home) as gateway:
        key = make_teacher(home)
        files = f"/v1/courses/{course}/files"
        listed = gateway.get(files, headers=key).raise_for_status().json()["files"]
        version = next(one["version"] for one in listed if one["name"] == "faq.csv")
        content = f"{(home.courses / course / 'faq.csv').read_text()}wombat,{UPLOADED},{ANSWERED}\n"
        sent = gateway.put(f"{files}/faq.csv", content=content, params={"replaces": version}, headers=key)
        sent.raise_for_status()
        served: list[float] = []

        def told() -> bool:
            if not served and ANSWERED in ask(gateway, course, UPLOADED):
                served.append(time.time())
            return bool(served)

        home.rest(at_least_until=before.since + QUIET_S, told=told)
    remade = frozenset(COURSE_ASSETS) - {"course_card", "subtitles", "lecture_sentences", "documents"}
    edit = Edit("an uploaded file", lambda _: None, course=course, remade=remade)
    return look_at(home, edit, before, served[0] if served else None)


def try_overlapping(home: Home, console: Console, edits: Sequence[Edit]) -> Seen:
    """One edit after the other, each while the wave of the one before is being built; served is the slowest of them.

    What another edit takes away is served first; a row elsewhere then makes the wave that is being built meanwhile.
    """
    before, made, served = Before.of(home), dict[str, float](), dict[str, float]()
    asked = {edit.name: (edit.serves, edit.course) for edit in edits if edit.serves}
    elsewhere = COURSES[1]

    def look() -> bool:
        for name in made.keys() & asked.keys() - served.keys():
            answer, course = asked[name]
            if (when := home.indexed(answer or "", course)) is not None:
                served[name] = when - made[name]
        return made.keys() & asked.keys() <= served.keys()

    def make(change: Callable[[Path], None], most_runs: int) -> None:
        known = len(home.runs())
        change(home.courses)
        home.until(lambda: (look() and not most_runs) or len(home.runs()) > known, longest=PATIENCE_S / 4)

    for number, edit in enumerate(edits):
        if edit.undoes:
            home.until(look, longest=PATIENCE_S / 4)
            make(partial(append_row, course=elsewhere, name=f"echidna{number}"), 1)
        made[edit.name] = time.time()
        make(edit.make, edit.most_runs)
    home.rest(at_least_until=time.time() + QUIET_S, told=look)
    for name, took in served.items():
        console.print(f"  while the one before is built, {name}: served after {took:.0f} s")
    remade = frozenset(COURSE_ASSETS)
    most = sum(edit.most_runs + MOST_RUNS * edit.undoes for edit in edits)
    merged = Edit("all of these, each while the one before is built", edits[0].make, remade=remade, most_runs=most)
    last = before.since + max(served.values(), default=0.0)
    return look_at(home, replace(merged, course=",".join([elsewhere, *(edit.course for edit in edits)])), before, last)


def try_backfill(home: Home) -> Seen:
    """Two assets over all courses, though nothing changed."""
    before = Before.of(home)
    backfilled = set[str]()
    os.environ.update(home.environment())
    with home.instance() as instance:
        for course in instance.get_dynamic_partitions("courses"):
            job = defs().resolve_job_def("course_build")
            keys = [dg.AssetKey("faq"), dg.AssetKey("subtitles")]
            if (home.courses / course).is_dir():
                done = job.execute_in_process(instance=instance, partition_key=course, asset_selection=keys)
                backfilled.add(done.run_id)
    home.rest(at_least_until=time.time() + 2 * QUIET_S)
    edit = Edit("a backfill of what did not change", lambda _: None, remade=frozenset(), most_runs=0)
    return look_at(home, edit, replace(before, runs=before.runs | backfilled), None)


def try_together(home: Home, console: Console, rounds: int) -> list[str]:
    """Edits with two commands and the daemon at once; what went wrong."""
    wrong, known, started = list[str](), {run.run_id for run in home.runs()}, time.monotonic()
    for number in range(rounds):
        append_row(home.courses, random.choice(home.there()), f"numbat{number}")
        builds = [home.build()]
        time.sleep(random.uniform(0, 6))
        append_row(home.courses, random.choice(home.there()), f"dunnart{number}")
        builds.append(home.build())
        codes = [process.wait() for process in builds]
        wrong += [f"round {number}: a build ended with {code}" for code in codes if code]
        console.print(f"  round {number + 1}: exit codes {codes}, {time.monotonic() - started:.0f} s")
    home.rest()
    new = [run for run in home.runs() if run.run_id not in known]
    wrong += [f"run {run.run_id[:8]} failed" for run in new if run.status == dg.DagsterRunStatus.FAILURE]
    console.print(
        f"{rounds} times two builds and the daemon at once: {2 * rounds} edits, {len(new)} runs in "
        f"{time.monotonic() - started:.0f} s, {len(wrong)} failures"
    )
    return wrong


def try_kills(home: Home, console: Console, count: int) -> list[str]:
    """Edits, each with something killed at a random moment; the daemon alone mends it."""
    hit, started = {"worker": 0, "daemon": 0, "command": 0}, time.monotonic()
    for number in range(count):
        append_row(home.courses, random.choice(home.there()), f"bilby{number}")
        victim = list(hit)[number % 3]
        command = home.build() if victim == "command" else None
        home.until(lambda: writer_of(home.data_dir) is not None, longest=PATIENCE_S / 4)
        time.sleep(random.uniform(0, 12))
        hit[victim] += writer_of(home.data_dir) is not None
        if command is not None:
            command.kill()
            command.wait()
        elif victim == "daemon":
            home.stop_daemon()
            home.start_daemon()
        else:
            kill_worker(home)
        console.print(f"  kill {number + 1}, of a {victim}: {time.monotonic() - started:.0f} s")
    home.rest(at_least_until=time.time() + 2 * QUIET_S)
    left = [f"run {run.run_id[:8]} is still {run.status.value}" for run in home.runs() if run.status in UNFINISHED]
    told = ", ".join(f"{number} of {victim}s" for victim, number in hit.items())
    console.print(
        f"{count} kills ({told} while somebody wrote) in {time.monotonic() - started:.0f} s: {len(left)} runs left"
    )
    return left


def kill_worker(home: Home) -> None:
    """Kill -9 what writes in the home, if anything does."""
    writer = writer_of(home.data_dir)
    if writer is not None and writer.pid not in (0, os.getpid()):
        with suppress(ProcessLookupError):
            os.kill(writer.pid, signal.SIGKILL)


def compare(home: Home) -> list[str]:
    """Tables that one build from scratch makes otherwise, once courses that are gone are forgotten."""
    with home.instance() as instance:
        gone = [course for course in instance.get_dynamic_partitions("courses") if not (home.courses / course).exists()]
    for course in gone:
        subprocess.run(home.command("forget", course), env=home.environment(), check=True, capture_output=True)
    if gone:
        home.rest(at_least_until=time.time() + QUIET_S)
    with tempfile.TemporaryDirectory() as folder:
        fresh = Home(Path(folder))
        shutil.copytree(home.courses, fresh.courses)
        fresh.report_intent_model()
        fresh.build().wait()
        expected, found = fresh.tables(), home.tables()
    names = sorted(expected.keys() | found.keys())
    return [f"{name} differs from one build" for name in names if expected.get(name) != found.get(name)]


def show(console: Console, results: Sequence[Seen]) -> None:
    table = Table("edit", "runs", "failed", "made again", "served after", "all done after", "processor", "held")
    for one in results:
        after, done = ("" if took is None else f"{took:.0f} s" for took in (one.served_s, one.done_s))
        held = "yes" if one.held else "NO " + ", ".join(one.foreign[:6])
        row = (one.name, str(one.runs), str(one.failed), str(one.made), after, done, f"{one.processor_s:.0f} s", held)
        table.add_row(*row)
    console.print(table)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", nargs="*", default=[edit.name for edit in EDITS])
    for name in ("--busy", "--overlap", "--backfill", "--upload"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--together", type=int, default=0)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--courses", type=int, default=len(COURSES))
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def one_by_one(home: Home, asked: argparse.Namespace) -> Iterator[Seen]:
    """Each edit that is asked for, and the upload, by itself."""
    yield from (try_edit(home, edit) for edit in EDITS if edit.name in asked.edits)
    if asked.upload:
        yield try_upload(home)


def main() -> int:
    asked, console = arguments(), Console(width=140)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # with the daemon
    random.seed(asked.seed)
    results, wrong = list[Seen](), list[str]()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Home(Path(folder))
        for course in COURSES[: asked.courses]:
            write_course(home.courses, course)
        home.report_intent_model()
        if home.build().wait():
            console.print((home.root / "build.log").read_text()[-3000:], markup=False)
            return 1
        home.start_daemon()
        stack.callback(home.stop_daemon)
        if asked.busy:
            stack.enter_context(busy(2))
        home.rest(at_least_until=time.time() + QUIET_S)
        console.print(f"at rest after the first build: {len(home.runs())} runs in all, load {os.getloadavg()[0]:.1f}")
        for seen in one_by_one(home, asked):
            results.append(seen)
            console.print(f"  {seen}", markup=False, soft_wrap=True)
        if asked.overlap:
            results.append(try_overlapping(home, console, edits(2)[1:]))
        if asked.backfill:
            results.append(try_backfill(home))
        wrong += try_together(home, console, asked.together) if asked.together else []
        wrong += try_kills(home, console, asked.kills) if asked.kills else []
        if asked.overlap or asked.together or asked.kills:
            differ = compare(home)
            console.print(f"{len(differ)} tables differ from one build" if differ else "the same bytes as one build")
            wrong += differ
        if not all(one.held for one in results) or wrong:
            console.print((home.root / "daemon.log").read_text()[-4000:], markup=False)
    show(console, results)
    console.print("\n".join(wrong), markup=False)
    return 0 if all(one.held for one in results) and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
