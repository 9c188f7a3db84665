"""Builds that are published: by `coteach build`, by `coteach publish`, by the daemon."""

import io
import signal
import threading
import time
from pathlib import Path

import dagster as dg
import object_store
import pytest
from built_homes import copied
from rich.console import Console
from small_courses import Place, write_two_courses
from typer.testing import CliRunner

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.local_copy import HomeBuiltHere, LocalCopy
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.publication import current_version
from knowledge_graph.lake.remote_folder import RemoteFolder
from orchestration.cli import publish_command
from orchestration.cli.main import app
from orchestration.definitions import defs
from orchestration.publication import publication, publish_home, publishing
from orchestration.resources import HomeUnusable, PipelineSettings, check_home
from serving.gateway.knowledge import load_knowledge
from serving.index.search import SearchIndex
from serving.settings import Settings

AWAY_S = 15
"""Longer than the two times five seconds that a store may be silent."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return copied(tmp_path_factory, write_two_courses, "published")


@pytest.fixture
def place(built: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("COTEACH_HOME", str(built.data_dir.root))
    return built


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COTEACH_PUBLISH_URL", str(tmp_path / "there"))
    return str(tmp_path / "there")


def test_what_a_build_made_answers_in_a_home_that_nobody_built_in(place: Place, tmp_path: Path) -> None:
    publish_home(place.data_dir, str(tmp_path / "there"))
    copy = DataDir(tmp_path / "gateway")
    LocalCopy(copy).follow(RemoteFolder(str(tmp_path / "there")))
    here, there = (load_knowledge(Settings(home=one.root), None) for one in (place.data_dir, copy))
    assert there.course_ids == here.course_ids == ["sorting", "structures"]
    assert there.index.version == here.index.version
    assert (there.dense is None) == (here.dense is None)
    found = [one.index.search("When is the homework due?", course_id="structures") for one in (here, there)]
    assert found[0] == found[1] != []


def test_a_build_publishes_and_one_that_cannot_is_tried_again_by_the_next(
    place: Place, url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code, printed = place.build()
    assert code == 0, printed
    assert "Published" in printed
    first = current_version(RemoteFolder(url))
    assert first is not None
    again, printed = place.build()
    assert (again, "Published" in printed) == (0, False)
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("COTEACH_PUBLISH_URL", str(tmp_path / "file" / "below"))
    for _ in range(2):
        code, printed = place.build()
        assert code == 1
        assert "Not published:" in printed
        assert "What was published before is served on." in printed


def test_a_person_publishes_by_hand_and_is_told_what_travelled(place: Place, tmp_path: Path) -> None:
    printed = io.StringIO()
    console = Console(file=printed, width=200)
    for _ in range(2):
        assert publish_command.publish(console, url=str(tmp_path / "by hand"), verify=False, wait=False) == 0
    first, second = printed.getvalue().splitlines()
    assert first.startswith("Published ")
    assert "travelled" in first
    assert second.startswith("Published already: ")
    with pytest.raises(CoteachError, match="COTEACH_PUBLISH_URL, or give --to"):
        publish_command.publish(console, url=None, verify=False, wait=False)


def test_the_verb_publishes_where_it_is_told(place: Place, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["publish", "--to", str(tmp_path / "verb"), "--home", str(place.data_dir.root)])
    assert result.exit_code == 0, result.output
    assert current_version(RemoteFolder(str(tmp_path / "verb"))) is not None


def test_the_daemon_publishes_what_was_built_since_and_nothing_twice(place: Place, url: str) -> None:
    def tick(instance: dg.DagsterInstance) -> dg.SensorResult | dg.SkipReason:
        with dg.build_sensor_context(instance=instance) as context:
            found = publishing(context)
        assert isinstance(found, dg.SensorResult | dg.SkipReason)
        return found

    with place.instance() as instance:
        requested = tick(instance)
        assert isinstance(requested, dg.SensorResult)
        assert len(requested.run_requests or []) == 1
        job = defs().resolve_job_def(publication.name)
        assert job.execute_in_process(instance=instance).success
        assert tick(instance).skip_message == "What was built is published."  # type: ignore[union-attr]
        under_way = instance.create_run_for_job(
            defs().resolve_job_def("fan_in_build"), status=dg.DagsterRunStatus.STARTED
        )
        assert "is under way" in str(tick(instance).skip_message)  # type: ignore[union-attr]
        instance.report_run_canceled(under_way)
        assert isinstance(tick(instance), dg.SensorResult), "another run has ended since"
    assert current_version(RemoteFolder(url)) is not None


@pytest.mark.slow
def test_a_store_that_is_away_midway_leaves_nothing_half_published_and_the_run_ends_where_another_does(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Stopped, it takes connections and never answers, for longer than it is waited for at once."""
    publish_home(place.data_dir, str(tmp_path / "undisturbed"))
    port = object_store.free_port()
    store = object_store.start(port)
    try:
        for name, value in object_store.environment(f"http://127.0.0.1:{port}").items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("COTEACH_PUBLISH_URL", f"s3://{object_store.BUCKET}/home")
        there, halfway = RemoteFolder(f"s3://{object_store.BUCKET}/home"), list[str | None]()

        def pause() -> None:
            while not any(there.list_files("")):
                time.sleep(0.01)
            halfway.append(current_version(there))
            store.send_signal(signal.SIGSTOP)
            time.sleep(AWAY_S)
            store.send_signal(signal.SIGCONT)

        away = threading.Thread(target=pause)
        away.start()
        with place.instance() as instance:
            run = defs().resolve_job_def(publication.name).execute_in_process(instance=instance)
        away.join()
        assert run.success
        assert any(one.event_type_value == "STEP_RESTARTED" for one in run.all_events), "it was tried again"
        assert halfway == [None]
        assert current_version(there) == current_version(RemoteFolder(str(tmp_path / "undisturbed"))) is not None
    finally:
        store.kill()
        store.wait()


def test_a_publication_that_failed_waits_a_minute_and_is_tried_again(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COTEACH_PUBLISH_URL", str(tmp_path / "there"))
    with place.instance() as instance:
        job = defs().resolve_job_def(publication.name)
        instance.report_run_failed(instance.create_run_for_job(job, status=dg.DagsterRunStatus.STARTED))
        with dg.build_sensor_context(instance=instance) as context:
            waiting = publishing(context)
            monkeypatch.setattr("orchestration.publication._AGAIN_S", 0.0)
            again = publishing(context)
    assert isinstance(waiting, dg.SkipReason)
    assert waiting.skip_message == "It could not be published; tried again soon."
    assert isinstance(again, dg.SensorResult)


def test_without_the_setting_there_is_no_job_and_no_sensor_of_it(place: Place) -> None:
    assert not [one.name for one in defs().sensors or () if one.name == "publishing"]
    assert not [one.name for one in defs().jobs or () if one.name == "publication"]


def test_serve_refuses_to_follow_into_a_home_that_was_built(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_FOLLOW_URL", str(tmp_path / "there"))
    result = CliRunner().invoke(app, ["serve", "--home", str(place.data_dir.root)])
    assert isinstance(result.exception, HomeBuiltHere)


def test_nothing_is_built_in_the_copy_of_a_published_home(place: Place, tmp_path: Path) -> None:
    publish_home(place.data_dir, str(tmp_path / "there"))
    LocalCopy(DataDir(tmp_path / "gateway")).follow(RemoteFolder(str(tmp_path / "there")))
    with pytest.raises(HomeUnusable, match="nothing is built in it"):
        check_home(PipelineSettings(home=tmp_path / "gateway"))
    assert SearchIndex.open(DataDir(tmp_path / "gateway").index).version
