"""What the sensors of the daemon would start, asked of the real definitions with a real event log."""

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import dagster as dg
import pytest
from small_courses import FAQ, STACKS, srt, write_course

from knowledge_graph.lake.home import DataDir
from knowledge_graph.sources.web.settings import WebSettings
from orchestration import sensors
from orchestration.alerts import Alert, alert_of_run, alerts_of_checks, tell
from orchestration.automation import (
    ATTEMPTS,
    FIRST_PAUSE_S,
    WAVE,
    Attempt,
    Wave,
    next_wave,
    pause_before,
    request,
)
from orchestration.building.build import REASON, Builder
from orchestration.building.courses import describe_gone, gone_courses, is_the_same
from orchestration.building.home_lock import writing
from orchestration.building.kept_results import STALE
from orchestration.building.staleness import Target, targets_of
from orchestration.definitions import defs
from orchestration.jobs import COURSE_ASSETS, INTENT_ASSETS, is_fetched, nightly_look, web_update
from orchestration.resources import Inputs
from orchestration.sensors import automation
from serving.store.database import sqlite_url

FAILED, SUCCEEDED, CANCELED = dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.CANCELED


@pytest.fixture(scope="module")
def loaded() -> dg.Definitions:
    return defs()


@pytest.fixture(scope="module")
def targets(loaded: dg.Definitions) -> dict[dg.AssetKey, Target]:
    return targets_of(loaded)


class Home:
    """A home whose assets are reported as built: nothing is computed."""

    def __init__(self, loaded: dg.Definitions, targets: dict[dg.AssetKey, Target], folder: Path) -> None:
        self.instance = dg.DagsterInstance.ephemeral()
        self.inputs = Inputs(
            courses=folder / "courses",
            labels=folder / "labels",
            albert=None,
            mlflow_url="http://mlflow",
            gateway_url="http://gateway",
            web=WebSettings(),
            store_url=sqlite_url(folder / "store.db"),
        )
        self.data_dir = DataDir(folder / "home")
        self._loaded, self._targets = loaded, targets

    def wave(self) -> Wave:
        """What is to start after a look at the folders."""
        builder = Builder(self._loaded, self.instance, self.inputs, self.data_dir)
        builder.prepare()
        return next_wave(builder, self.instance, builder.find_registered())

    def build(self, *, version: str = "1") -> None:
        """Report everything as built, of every course."""
        builder = Builder(self._loaded, self.instance, self.inputs, self.data_dir)
        for course in builder.prepare():
            self.report(COURSE_ASSETS, course, version)
        alone = [key for key, one in self._targets.items() if one.code_version and not one.partitioned]
        self.report([key.to_user_string() for key in alone], None, version)

    def report(self, names: object, course: str | None, version: str) -> None:
        for key, target in self._targets.items():
            if isinstance(names, list | tuple) and key.to_user_string() in names:
                tags = {"dagster/data_version": version, "dagster/code_version": target.code_version or ""}
                self.instance.report_runless_asset_event(dg.AssetMaterialization(key, partition=course, tags=tags))

    def write(self, course: str, name: str, content: str) -> None:
        write_course(self.inputs.courses / course, {name: content})


@pytest.fixture
def home(loaded: dg.Definitions, targets: dict[dg.AssetKey, Target], tmp_path: Path) -> Iterator[Home]:
    """Two courses that are built."""
    found = Home(loaded, targets, tmp_path)
    for course in ("sorting", "trees"):
        found.write(course, "course.yaml", "lang: en\n")
        found.write(course, "01.srt", srt(STACKS))
        found.write(course, "faq.csv", FAQ + f"x,What is {course}?,A course.\n")
    found.build()
    yield found
    found.instance.dispose()


def planned(wave: Wave) -> list[tuple[str, str | None]]:
    return [(plan.job, plan.partition) for plan, _ in wave.plans]


def assets(wave: Wave) -> set[str]:
    return {key.to_user_string() for plan, _ in wave.plans for key in plan.assets}


def test_nothing_starts_when_nothing_changed(home: Home) -> None:
    assert home.wave() == Wave()


def test_a_touched_file_with_the_same_bytes_starts_nothing(home: Home) -> None:
    home.write("trees", "faq.csv", FAQ + "x,What is trees?,A course.\n")
    assert home.wave() == Wave()


def test_assets_made_again_that_came_out_the_same_start_nothing(home: Home) -> None:
    home.report(["faq", "concepts"], "trees", "1")
    assert home.wave() == Wave()


def test_a_row_of_a_faq_is_one_run_from_its_file_to_the_index(home: Home) -> None:
    home.write("trees", "faq.csv", FAQ + "new,Is this new?,Yes.\n")
    wave = home.wave()
    assert planned(wave) == [("course_update", "trees")]
    assert {"faq", "stg_faq", "qa_pairs", "search_index"} <= assets(wave)
    assert not {"subtitles", "documents", "catalog_pages", "course_card"} & assets(wave)


def test_a_cue_leaves_the_card_and_what_else_does_not_read_it(home: Home) -> None:
    home.write("trees", "01.srt", srt((*STACKS, "One more sentence is said at the end.")))
    wave = home.wave()
    assert {"subtitles", "concepts", "passages"} <= assets(wave)
    assert not {"course_card", "faq", "documents", "catalog_pages", "search_snippets", "ta_answers"} & assets(wave)


def test_two_courses_that_changed_are_one_wave_and_what_is_made_of_all_waits_for_it(home: Home) -> None:
    for course in ("sorting", "trees"):
        home.write(course, "faq.csv", FAQ + "new,Is this new?,Yes.\n")
    assert planned(home.wave()) == [("course_build", "sorting"), ("course_build", "trees")]
    for course in ("sorting", "trees"):
        home.report(COURSE_ASSETS, course, "1")
        home.report(["faq"], course, "2")
        home.report([name for name in COURSE_ASSETS if name != "faq"], course, "1")
    assert planned(home.wave()) == [("fan_in_build", None)]


def test_a_course_that_comes_out_the_same_ends_the_wave(home: Home) -> None:
    home.write("trees", "faq.csv", FAQ + "new,Is this new?,Yes.\n")
    assert home.wave().plans
    home.report(COURSE_ASSETS, "trees", "1")
    assert home.wave() == Wave()


def test_models_of_dbt_are_one_step_with_what_they_feed(home: Home) -> None:
    home.report(["faq"], "trees", "2")
    home.report([name for name in COURSE_ASSETS if name != "faq"], "trees", "1")
    wave = home.wave()
    assert planned(wave) == [("fan_in_build", None)]
    assert {"stg_faq", "qa_pairs", "search_index"} <= assets(wave)


def test_a_new_course_does_not_train_the_intent_model_again(home: Home) -> None:
    home.write("heaps", "01.srt", srt(STACKS))
    wave = home.wave()
    assert planned(wave) == [("course_update", "heaps")]
    assert not assets(wave) & set(INTENT_ASSETS)
    home.report(COURSE_ASSETS, "heaps", "1")
    wave = home.wave()
    assert planned(wave) == [("fan_in_build", None)]
    assert not assets(wave) & set(INTENT_ASSETS)


def test_a_run_is_for_exactly_what_was_planned_and_says_why(home: Home) -> None:
    home.write("trees", "faq.csv", FAQ + "new,Is this new?,Yes.\n")
    plan, key = home.wave().plans[0]
    asked = request(plan, key)
    assert (asked.job_name, asked.partition_key) == ("course_update", "trees")
    assert asked.asset_selection == list(plan.assets)
    assert asked.tags[STALE] == "faq", "what else is in the run is made when what it reads came out otherwise"
    assert asked.tags[WAVE] == key
    assert asked.tags[REASON].startswith("faq: course_files/faq changed")


def test_what_failed_again_and_again_waits_and_holds_up_nobody_else(home: Home, loaded: dg.Definitions) -> None:
    for course in ("sorting", "trees"):
        home.write(course, "faq.csv", FAQ + "new,Is this new?,Yes.\n")
    (_, key), _ = home.wave().plans
    job = loaded.resolve_job_def("course_build")
    for _ in range(ATTEMPTS):
        home.instance.create_run_for_job(job, status=FAILED, tags={WAVE: key})
    wave = home.wave()
    assert planned(wave) == [("course_build", "trees")]
    assert wave.given_up == ("course_build of sorting",)
    home.write("sorting", "faq.csv", FAQ)
    assert len(home.wave().plans) == 2, "what changed is tried again"


def test_after_a_failure_a_course_and_what_is_made_of_all_are_runs_of_their_own(
    home: Home, loaded: dg.Definitions, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write("trees", "faq.csv", FAQ + "new,Is this new?,Yes.\n")
    ((_, key),) = home.wave().plans
    home.instance.create_run_for_job(loaded.resolve_job_def("course_update"), status=FAILED, tags={WAVE: key})
    assert home.wave().waiting == ("course_build of trees",)
    monkeypatch.setattr("orchestration.automation.FIRST_PAUSE_S", 0.0)
    assert planned(home.wave()) == [("course_build", "trees")]


def test_a_pause_grows_with_each_failure_and_there_is_an_end() -> None:
    failed = [Attempt(FAILED, ended=100.0 - number) for number in range(ATTEMPTS)]
    assert pause_before([], now=100) == 0
    assert pause_before([Attempt(SUCCEEDED, 100)], now=100) == 0
    assert pause_before(failed[:1], now=100) == FIRST_PAUSE_S
    assert pause_before(failed[:2], now=100) == 2 * FIRST_PAUSE_S
    assert pause_before(failed[:1], now=100 + FIRST_PAUSE_S) == 0
    assert pause_before(failed, now=10_000) is None


def test_runs_that_succeed_in_circles_are_slowed_down() -> None:
    succeeded = [Attempt(SUCCEEDED, ended=100.0 - number) for number in range(ATTEMPTS)]
    assert pause_before(succeeded[:-1], now=100) == 0
    assert (pause_before(succeeded, now=100) or 0) > 500
    assert pause_before(succeeded, now=1000) == 0, "as each night"


def test_what_a_person_stopped_is_not_started_again() -> None:
    assert pause_before([Attempt(CANCELED, 0)], now=10_000) is None


def tick(home: Home, cursor: str = "") -> object:
    with dg.build_sensor_context(instance=home.instance, cursor=cursor) as context:
        return automation(context, inputs=home.inputs)


def test_nothing_starts_while_a_run_is_under_way(
    home: Home, loaded: dg.Definitions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(home.data_dir.root))
    home.write("trees", "faq.csv", FAQ)
    job = loaded.resolve_job_def("course_build")
    home.instance.create_run_for_job(job, status=dg.DagsterRunStatus.STARTING)
    result = tick(home)
    assert isinstance(result, dg.SkipReason)
    assert "of course_build is under way" in str(result.skip_message)


def test_nothing_starts_while_a_command_writes(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(home.data_dir.root))
    with writing(home.data_dir, "`coteach build`"):
        result = tick(home)
    assert isinstance(result, dg.SkipReason)
    assert "`coteach build`" in str(result.skip_message)


def test_a_sensor_plans_only_when_something_happened(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(home.data_dir.root))
    monkeypatch.setattr(sensors, "_LOOK_AGAIN_S", 1e12)  # or the ten minutes may end between two ticks
    first = tick(home)
    assert isinstance(first, dg.SensorResult)
    assert not first.run_requests
    again = tick(home, first.cursor or "")
    assert isinstance(again, dg.SkipReason)
    home.write("trees", "faq.csv", FAQ)
    then = tick(home, first.cursor or "")
    assert isinstance(then, dg.SensorResult)
    assert len(then.run_requests or []) == 1


def test_what_is_known_to_be_reported_is_not_asked_of_the_event_log_again(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(home.data_dir.root))
    tick(home)  # reports what was never reported
    tick(home)  # finds nothing left to report
    asked: list[object] = []
    monkeypatch.setattr(sensors, "register", lambda *told: asked.append(told))
    tick(home)
    assert not asked
    files = dg.AssetKey(["course_files", "faq"])
    home.instance.report_runless_asset_event(
        dg.AssetMaterialization(files, partition="trees", tags={"dagster/data_version": "of a command"})
    )
    tick(home)
    assert len(asked) == 1, "somebody else reported something"
    monkeypatch.undo()
    monkeypatch.setenv("COTEACH_HOME", str(home.data_dir.root))
    tick(home)
    home.write("trees", "faq.csv", FAQ)
    then = tick(home)
    assert isinstance(then, dg.SensorResult)
    assert len(then.run_requests or []) == 1


def test_a_course_whose_folder_has_another_name_is_recognised(home: Home) -> None:
    (home.inputs.courses / "trees").rename(home.inputs.courses / "all-trees")
    home.wave()
    gone = gone_courses(home.instance, ["all-trees", "sorting"])
    assert gone == {"trees": "all-trees"}
    assert describe_gone(gone) == (
        "Built earlier, without a folder now: trees is all-trees now, and served twice. "
        "To take them out: coteach forget trees"
    )


def test_a_removed_course_is_told_and_not_taken_for_another_one(home: Home) -> None:
    assert gone_courses(home.instance, ["sorting"]) == {"trees": None}
    assert gone_courses(home.instance, ["sorting", "trees"]) == {}
    assert describe_gone({}) is None


def test_two_courses_without_any_file_are_not_the_same() -> None:
    assert not is_the_same({"card": "1", "faq": None}, {"card": "1", "faq": None})
    assert is_the_same({"card": "1", "faq": "2"}, {"card": "3", "faq": "2"})


def test_only_courses_of_which_something_is_fetched_are_asked_for_each_night(home: Home) -> None:
    folder = home.inputs.course("trees")
    assert not is_fetched(folder, WebSettings())
    assert is_fetched(folder, WebSettings(search_url="http://search"))


def test_one_course_is_looked_at_where_nothing_is_fetched_of_any_or_its_assets_would_be_overdue(home: Home) -> None:
    home.write("trees", "catalog.yaml", "start: [https://x.example/classes]\n")
    assert [one.partition_key for one in scheduled(web_update, home)] == ["trees"]
    (home.inputs.courses / "trees" / "catalog.yaml").unlink()
    assert [one.partition_key for one in scheduled(web_update, home)] == ["sorting"]


def test_each_night_one_run_asks_all_that_is_made_of_all_courses(home: Home) -> None:
    (asked,) = scheduled(nightly_look, home)
    assert (nightly_look.job_name, asked.partition_key, asked.tags[STALE]) == ("fan_in_build", None, "")


def scheduled(schedule: dg.ScheduleDefinition, home: Home) -> list[dg.RunRequest]:
    """What a schedule asks for one morning."""
    morning = datetime(2026, 3, 2, 4, 30, tzinfo=UTC)
    with dg.DagsterInstance.local_temp() as instance:  # one in memory is none that a schedule may ask
        instance.add_dynamic_partitions("courses", ["trees", "sorting"])
        with dg.build_schedule_context(
            instance=instance,
            scheduled_execution_time=morning,
            resources={"inputs": home.inputs},
            repository_def=defs().get_repository_def(),
        ) as context:
            return list(schedule.evaluate_tick(context).run_requests or [])


def test_a_failed_run_and_a_failed_check_are_told_with_the_course(loaded: dg.Definitions) -> None:
    run = dg.DagsterRun(job_name="course_build", tags={"dagster/partition": "trees"})
    assert alert_of_run(run, "disk full").what == "course_build of trees failed"
    bad, warned = (
        dg.AssetCheckEvaluation(dg.AssetKey("graph"), name, passed=False, severity=severity, metadata={})
        for name, severity in (("sound", dg.AssetCheckSeverity.ERROR), ("odd", dg.AssetCheckSeverity.WARN))
    )
    assert [one.what for one in alerts_of_checks(run, [bad, warned])] == ["check sound of graph failed"]


def test_an_alert_is_one_line_and_reaches_the_webhook(tmp_path: Path) -> None:
    from http.server import BaseHTTPRequestHandler, HTTPServer

    received = list[bytes]()

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Hook) as server:
        thread = Thread(target=server.handle_request)
        thread.start()
        alert = Alert("2026-03-01", "course_build failed", "disk\nfull", "0123456789")
        url = f"http://127.0.0.1:{server.server_port}/hook"
        tell(alert, log=tmp_path / "alerts.log", url=url, logger=logging.getLogger("test"))
        thread.join()
    assert json.loads(received[0])["why"] == "disk\nfull"
    assert (tmp_path / "alerts.log").read_text().splitlines() == [
        "2026-03-01 course_build failed: disk\\nfull (run 01234567)"
    ]


def test_a_webhook_that_does_not_answer_is_a_line_more(tmp_path: Path) -> None:
    alert = Alert("2026-03-01", "course_build failed", "why", "0123456789")
    tell(alert, log=tmp_path / "log", url="http://127.0.0.1:1/", logger=logging.getLogger("test"))
    assert "did not reach the webhook" in (tmp_path / "log").read_text()


def test_courses_that_changed_together_are_one_run_where_they_are_built_on_ray(
    home: Home, loaded: dg.Definitions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(home.data_dir.root))
    for course in ("sorting", "trees"):
        home.write(course, "faq.csv", FAQ + "new,Is this new?,Yes.\n")
    assert [one.job_name for one in requested(home)] == ["course_build", "course_build"]
    monkeypatch.setenv("COTEACH_COMPUTE", "ray")
    (together,) = requested(home)
    assert (together.job_name, together.partition_key) == ("courses_on_ray", None)
    keys = dict((plan.partition, key) for plan, key in home.wave().plans)
    assert together.run_config["ops"] == {"courses_of_the_wave": {"config": {"waves": keys}}}
    job = loaded.resolve_job_def("courses_on_ray")
    for waits in ("tried again soon", "waits for a change"):
        for _ in range(1 if waits == "tried again soon" else ATTEMPTS - 1):
            run = home.instance.create_run_for_job(job, run_config=together.run_config, tags=dict(together.tags))
            home.instance.report_run_failed(run)
        result = tick(home)
        assert isinstance(result, dg.SkipReason)
        assert waits in str(result.skip_message)


def test_one_course_that_changed_is_built_here_though_others_go_to_ray(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(home.data_dir.root))
    monkeypatch.setenv("COTEACH_COMPUTE", "ray")
    home.write("trees", "faq.csv", FAQ + "new,Is this new?,Yes.\n")
    assert [(one.job_name, one.partition_key) for one in requested(home)] == [("course_update", "trees")]


def requested(home: Home) -> list[dg.RunRequest]:
    result = tick(home)
    assert isinstance(result, dg.SensorResult)
    return list(result.run_requests or ())
