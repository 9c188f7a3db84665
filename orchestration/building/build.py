"""`coteach build`: register the courses, find what is stale, run that, and tell how it went.

The same assets, jobs and event log as Dagster's pages show; no daemon is needed. One course that fails never stops
another, and whatever was built before stays.
"""

import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import dagster as dg

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import EXPLANATIONS
from knowledge_graph.lake.tables import read_rows, write_table
from knowledge_graph.sources.folders import input_bytes
from orchestration.building.courses import DATA_VERSION, gone_courses, look_outside, register
from orchestration.building.dagster_record import name_code_location
from orchestration.building.home_lock import show_alive, writer_of
from orchestration.building.kept_results import stale_tag
from orchestration.building.ray_runs import TaskResources, run_plans
from orchestration.building.staleness import (
    NEVER_BUILT,
    InstanceHistory,
    Target,
    closure,
    describe_flaws,
    flaws_of,
    stale_reason,
    targets_of,
)
from orchestration.jobs import (
    COURSE_ASSETS,
    EVALUATION_ASSETS,
    EXPLANATION_ASSETS,
    INTENT_ASSETS,
    MART_ASSETS,
    RELEASE_ASSETS,
    REPORT_ASSETS,
    SET_ASSETS,
    STORE_ASSETS,
    SYSTEM_ASSETS,
    TABLE_ASSETS,
    WEB_ASSETS,
)
from orchestration.partitions import courses
from orchestration.resources import CourseUnknown, Inputs

REASON = "coteach/reason"
"""Tag of planned runs: why, for people."""
_REASON_CHARACTERS = 200
_APART = frozenset((*COURSE_ASSETS, *INTENT_ASSETS, *EXPLANATION_ASSETS, *EVALUATION_ASSETS))
"""What is not made of all courses whenever one changes."""


CAN_TRAIN = find_spec("torch") is not None and find_spec("transformers") is not None
"""Whether `coteach[training]` is installed. Without it there is no intent model, and rules tell chat from questions."""


@dataclass(frozen=True)
class RunPlan:
    """One run: a job, the course it is for, what it makes and why."""

    job: str
    partition: str | None
    assets: tuple[dg.AssetKey, ...]
    reasons: dict[str, str]
    config: Mapping[str, object] = field(default_factory=dict)
    """Configuration of its assets by name, as Dagster's launchpad takes it."""
    damaged: tuple[Path, ...] = ()
    """Files and folders that are not as they were written: they make way for what this run writes."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """More tags of the run."""

    @property
    def summary(self) -> str:
        """Why, for people: the first reason, and how many more there are."""
        asset, reason = next(iter(self.reasons.items()))
        return f"{asset}: {reason}" + (f" (+{len(self.reasons) - 1} more)" if len(self.reasons) > 1 else "")

    @property
    def tags(self) -> dict[str, str]:
        """What makes this a planned run, and why it is one; what was never built is made anyway."""
        if not self.reasons:
            return {**self.labels}
        stale = [name for name, why in self.reasons.items() if why != NEVER_BUILT]
        return stale_tag(stale) | {REASON: self.summary[:_REASON_CHARACTERS], **self.labels}


@dataclass(frozen=True)
class RunOutcome:
    """How one run went."""

    plan: RunPlan
    succeeded: bool
    seconds: float
    run_id: str
    trouble: str | None = None
    """Why there is no run to look at, where none came to its end."""


class Builder:
    """A build of one home. `definitions` and `instance` are given, so that tests bring their own."""

    def __init__(
        self,
        definitions: dg.Definitions,
        instance: dg.DagsterInstance,
        inputs: Inputs,
        data_dir: DataDir,
        *,
        log: str = "build.log",
        verify: bool = False,
        on_line: Callable[[str], None] = lambda line: None,
    ) -> None:
        """`log` is a file in the home's folder of logs; `verify` reads everything whole, inputs and what was built, to
        find what is damaged. `on_line` takes lines of progress."""
        self._definitions, self._instance, self._inputs = definitions, instance, inputs
        self._data_dir, self._log, self._verify = data_dir, data_dir.logs / log, verify
        self._on_line = on_line
        self._targets = targets_of(definitions)
        self._history = InstanceHistory(instance, data_dir)
        self._found: list[str] = []
        self.trouble: str | None = None
        """What could not be looked at, when it should have been; it stays as it was."""

    def prepare(self) -> list[str]:
        """Register new courses and what changed in any. Returns the ids of every course found, sorted."""
        outside = look_outside(self._inputs, verify=self._verify, on_line=self._on_line)
        register(self._instance, outside.versions, outside.tallies)
        self.trouble = outside.trouble
        self._found = sorted({partition for _, partition in outside.versions if partition})
        self._history.load(self._targets.values(), self._found)
        return self._found

    def find_registered(self) -> list[str]:
        """Courses that have a folder and were registered, sorted, without a look at any file of theirs."""
        known = set(self._instance.get_dynamic_partitions(courses.name or "courses"))
        self._found = sorted(known.intersection(folder.course_id for folder in self._inputs.find_folders()))
        self._history.load(self._targets.values(), self._found)
        return self._found

    def absent(self) -> list[str]:
        """Courses of earlier builds that the folder does not hold; they stay in the graph and the index."""
        registered = self._instance.get_dynamic_partitions(courses.name or "courses")
        return sorted(set(registered) - set(self._found))

    def gone(self) -> dict[str, str | None]:
        """The same, each with the course that has the same files now, if one has: it was renamed."""
        return gone_courses(self._instance, self._found)

    def plans(self, course_ids: Sequence[str], *, refresh: bool = False, retrain: bool = False) -> Iterator[RunPlan]:
        """What to run, one run after the other; each is planned when the one before it has ended.

        `refresh` asks the web again, whether or not anything here changed; `retrain` trains again.
        """
        for stage in self.stages(course_ids, refresh=refresh, retrain=retrain):
            yield from stage

    def stages(
        self, course_ids: Sequence[str], *, refresh: bool = False, retrain: bool = False
    ) -> Iterator[Iterator[RunPlan]]:
        """The same as stages, each of which reads what the one before it made: the courses, what is made of all of
        them, the intent model."""
        learnt = {dg.AssetKey(name): "it is to be trained again" for name in INTENT_ASSETS} if retrain else {}
        asked = {dg.AssetKey(name): "the web is to be asked again" for name in WEB_ASSETS} if refresh else {}
        yield self._course_plans(course_ids, asked)
        yield self._plan("fan_in_build", self._fan_in(), None, course_ids, {})
        if CAN_TRAIN and self._inputs.trains_intent:
            yield self._plan("intent_build", self._members(INTENT_ASSETS), None, course_ids, learnt)

    def _course_plans(self, course_ids: Sequence[str], asked: Mapping[dg.AssetKey, str]) -> Iterator[RunPlan]:
        members = self._members(COURSE_ASSETS)
        for course_id in self._found:
            if course_id in course_ids:
                yield from self._plan("course_build", members, course_id, course_ids, asked)
            else:  # what is made of all courses reads its tables, too
                yield from self._repair("course_build", members, course_id)

    def with_all_courses(self, plan: RunPlan, course_ids: Sequence[str]) -> RunPlan:
        """The plan of one course with what is made of all courses after it, as one run: it starts half as many
        processes, and what comes out the same ends it as it would end the wave."""
        then = next(self._plan("fan_in_build", self._fan_in(), None, course_ids, {}), None)
        reasons = {**plan.reasons, **(then.reasons if then else {})}
        members = [*self._members(COURSE_ASSETS), *self._fan_in()]
        assets = closure({*plan.assets, *(then.assets if then else ())}, members)
        damaged = (*plan.damaged, *(then.damaged if then else ()))
        return RunPlan("course_update", plan.partition, tuple(assets), reasons, damaged=damaged)

    def outside_of(self, plan: RunPlan) -> dict[str, str | None]:
        """The version of whatever a plan is made from that no run makes: what came from outside, and the code."""
        found: dict[str, str | None] = {}
        partitions: list[str | None] = [plan.partition] if plan.partition else [*self._found]
        for key, target in self._targets.items():
            if target.code_version is not None:
                found[key.to_user_string()] = target.code_version
                continue
            for partition in partitions if target.partitioned else [None]:
                event = self._history.newest(key, partition)
                found[f"{key.to_user_string()} {partition or ''}"] = event.data_version if event else None
        return found

    def report_plans(self, systems: Sequence[str]) -> Iterator[RunPlan]:
        """The same for the evaluation: sets, each of the `systems`, logs, tables, the release, the report.

        A run each, so that one that fails, as a release that is worse must, leaves the others built. The store is read
        every time: nothing outside tells that somebody asked. Nothing follows sets that a blocking check refused.
        """
        asked = {dg.AssetKey(name): "what was asked since is read" for name in STORE_ASSETS}
        sets = self._members(SET_ASSETS)
        yield from self._plan("report_build", sets, None, self._found, {})
        if self._has_failed(sets):
            return  # a question that leaked measures memory, in every table
        for system in systems:
            yield from self._plan("system_build", self._members(SYSTEM_ASSETS), system, self._found, {})
        yield from self._plan("report_build", self._members(STORE_ASSETS), None, self._found, asked)
        told: dict[dg.AssetKey, str] = {}
        for assets in (MART_ASSETS, TABLE_ASSETS, RELEASE_ASSETS):
            for plan in self._plan("report_build", self._members(assets), None, self._found, {}):
                # A table with the same figures has another run, which the report names.
                told = {dg.AssetKey(name): "a table was made again" for name in REPORT_ASSETS}
                yield plan
        yield from self._plan("report_build", self._members(REPORT_ASSETS), None, self._found, told)

    def beyond_repair(self) -> dict[str, tuple[Path, str]]:
        """What is damaged of courses without a folder, which no build makes again: the first of each, by its remedy."""
        found: dict[str, tuple[Path, str]] = {}
        for course_id in self.absent():
            remedy = f"Bring the folder of {course_id} back, or take it out with `coteach forget {course_id}`."
            for flaw in self._flaws(self._members(COURSE_ASSETS), course_id):
                found.setdefault(remedy, flaw)
        return found

    def set_aside(self) -> list[str]:
        """Move away what is damaged, is read by a build, and is made again by a person alone; a sentence for each."""
        told = []
        for path, what in self._flaws(self._members(EXPLANATION_ASSETS), None):
            if path.exists():
                path.replace(path.with_name(f"{path.name}.damaged"))
                told.append(f"{path} {what}. It is set aside; `coteach explain` writes explanations again.")
        return told

    def forget(self, data_dir: DataDir, course_id: str) -> RunOutcome:
        """Remove a course: its tables first, then whatever is made from all courses, its name last.

        Stopped in between, it can be done again. Raises `CourseUnknown` for a course that is not built, that still has
        a folder, or that is the only one.
        """
        self._require_forgettable(course_id)
        for path in data_dir.of_course(course_id):
            path.unlink(missing_ok=True)
        drop_explanations(data_dir, course_id)
        self._report_forgotten(course_id)
        keys = tuple(target.key for target in self._fan_in())
        reasons = {key.to_user_string(): f"{course_id} is to be forgotten" for key in keys}
        outcome = self.run(RunPlan("fan_in_build", None, keys, reasons))
        if outcome.succeeded:
            self._instance.delete_dynamic_partition(courses.name or "courses", course_id)
        return outcome

    def _has_failed(self, members: Sequence[Target]) -> bool:
        """Whether the newest run of any did not succeed."""
        events = [self._history.newest(target.key, None) for target in members]
        return any(event is not None and not event.run_succeeded for event in events)

    def _report_forgotten(self, course_id: str) -> None:
        """Its last versions count no more: a course that comes back unchanged is new to everything that reads it."""
        for target in self._members(COURSE_ASSETS):
            event = dg.AssetMaterialization(target.key, partition=course_id, tags={DATA_VERSION: "forgotten"})
            self._instance.report_runless_asset_event(event)
        self._history.forget(self._targets, course_id)

    def _require_forgettable(self, course_id: str) -> None:
        built = sorted(self._instance.get_dynamic_partitions(courses.name or "courses"))
        if course_id not in built:
            raise CourseUnknown(f"No course {course_id!r} is built; there are: {', '.join(built) or 'none'}.")
        if course_id in self._found:
            raise CourseUnknown(
                f"The course {course_id!r} still has its folder in {self._inputs.courses}: the next build would bring "
                "it back. Move the folder away first."
            )
        if built == [course_id]:
            raise CourseUnknown(f"{course_id!r} is the only course: there would be nothing left. Remove the home.")

    def _fan_in(self) -> list[Target]:
        return [
            target for target in self._targets.values() if target.code_version and target.key.path[-1] not in _APART
        ]

    def _members(self, names: Sequence[str]) -> list[Target]:
        return [target for key, target in self._targets.items() if key.path[-1] in names and len(key.path) == 1]

    def _flaws(self, members: Sequence[Target], partition: str | None) -> Iterator[tuple[Path, str]]:
        for target in members:
            event = self._history.newest(target.key, partition)
            if event is not None:
                yield from flaws_of(event, verify=self._verify)

    def _repair(self, job: str, members: Sequence[Target], partition: str | None) -> Iterator[RunPlan]:
        """Make again what is damaged, and what reads it; a course that was never built has nothing to repair."""
        flaws = {target.key: describe_flaws(self._flaws([target], partition)) for target in members}
        yield from self._plan_runs(job, members, partition, {key: told for key, told in flaws.items() if told})

    def _plan(
        self,
        job: str,
        members: Sequence[Target],
        partition: str | None,
        course_ids: Sequence[str],
        asked: Mapping[dg.AssetKey, str],
    ) -> Iterator[RunPlan]:
        found = {
            target.key: stale_reason(target, partition, self._history, self._targets, course_ids, verify=self._verify)
            or asked.get(target.key)
            for target in members
        }
        yield from self._plan_runs(job, members, partition, {key: reason for key, reason in found.items() if reason})

    def _plan_runs(
        self, job: str, members: Sequence[Target], partition: str | None, stale: Mapping[dg.AssetKey, str]
    ) -> Iterator[RunPlan]:
        if stale:
            reasons = {key.to_user_string(): reason for key, reason in stale.items()}
            assets = tuple(closure(set(stale), members))
            flawed = self._flaws([target for target in members if target.key in assets], partition)
            yield RunPlan(job, partition, assets, reasons, damaged=tuple(path for path, _ in flawed if path.exists()))

    def run_apart(self, plans: Sequence[RunPlan], each: TaskResources) -> Iterator[RunOutcome]:
        """Run plans of different courses on Ray, as they end; within `ray_runs.cluster()`, as the home's writer.

        The smallest course is begun first: whoever has a small one does not wait for large ones.
        """
        sizes = {folder.course_id: input_bytes(folder) for folder in self._inputs.find_folders()}
        plans = sorted(plans, key=lambda plan: (sizes.get(plan.partition or "", 0), plan.partition))
        for plan in plans:
            for path in plan.damaged:
                remove(path)
        lender = writer_of(self._data_dir)
        assert lender is not None, "whoever builds is the home's writer"
        for outcome in run_plans(plans, each, lender):
            self._history.forget(self._targets, outcome.plan.partition)
            yield outcome
        shutil.rmtree(self._data_dir.staging, ignore_errors=True)  # of tasks that were lost

    def run(self, plan: RunPlan) -> RunOutcome:
        """Run one plan in this process. What libraries print goes to `log`, not between the progress lines.

        Raises `KeyboardInterrupt` when a person stopped it: Dagster itself only calls the step failed.
        """
        started = time.monotonic()
        for path in plan.damaged:
            remove(path)
        self._log.parent.mkdir(parents=True, exist_ok=True)
        run_id = str(uuid4())
        show_alive(self._data_dir, run_id)
        with self._log.open("a", encoding="utf-8") as log, redirect_stdout(log), redirect_stderr(log):
            result = self._definitions.resolve_job_def(plan.job).execute_in_process(
                run_config={"loggers": {"progress": {}}, "ops": _op_configs(plan)},
                instance=self._instance,
                partition_key=plan.partition,
                asset_selection=list(plan.assets),
                run_id=run_id,
                tags=plan.tags,
                raise_on_error=False,
            )
        name_code_location(self._instance, run_id)
        self._history.forget(self._targets, plan.partition)
        if any(_is_interruption(event) for event in result.all_events):
            raise KeyboardInterrupt
        return RunOutcome(plan, result.success, time.monotonic() - started, result.run_id)


def remove(path: Path) -> None:
    """A file, or a folder with all that is in it. An asset is made as if it had never been there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def drop_explanations(data_dir: DataDir, course_id: str) -> None:
    """Take what a model wrote about the answers of a course out of the table of all courses."""
    if data_dir.explanations.exists():
        rows = read_rows(data_dir.explanations)
        write_table(data_dir.explanations, [row for row in rows if row["course_id"] != course_id], EXPLANATIONS)


def _op_configs(plan: RunPlan) -> dict[str, object]:
    return {name: {"config": config} for name, config in plan.config.items()}


def _is_interruption(event: dg.DagsterEvent) -> bool:
    error = event.step_failure_data.error if event.is_step_failure else None
    return error is not None and error.cls_name == dg.DagsterExecutionInterruptedError.__name__
