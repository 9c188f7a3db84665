"""Builds on several machines, one after the other, of a home that they share in an object store: moto's S3 server, a
real process, and homes that have nothing else in common."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import dagster as dg
import object_store
import pytest
from built_homes import copied
from small_courses import Place, write_two_courses
from typer.testing import CliRunner

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.publication import current_version
from knowledge_graph.lake.remote_folder import PlaceUnreachable, PlaceUnusable, RemoteFolder
from knowledge_graph.lake.writer_lease import HomeBusy, lease
from orchestration.building.home_lock import writing
from orchestration.building.home_sharing import is_up_to_date, open_shared, share_home
from orchestration.cli.main import app
from orchestration.publication import publish_home
from orchestration.resources import HomeUnusable, writing_as_run
from orchestration.sensors import busy

SETTING = "COTEACH_HOME_URL"
EDIT = "zebra,What is a zebra?,An animal with stripes.\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return copied(tmp_path_factory, write_two_courses, "exchanged")


@pytest.fixture
def first(built: Place, tmp_path: Path) -> Place:
    """A machine on which everything was built."""
    shutil.copytree(built.root, tmp_path / "first", symlinks=True)
    return Place(tmp_path / "first")


@pytest.fixture
def second(built: Place, tmp_path: Path) -> Place:
    """A machine with the same courses and an empty disk."""
    shutil.copytree(built.courses, tmp_path / "second" / "courses")
    return Place(tmp_path / "second")


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[bytes]]:
    port = object_store.free_port()
    process = object_store.start(port)
    try:
        for name, value in object_store.environment(f"http://127.0.0.1:{port}").items():
            monkeypatch.setenv(name, value)
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def shared(store: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch) -> RemoteFolder:
    monkeypatch.setenv(SETTING, f"s3://{object_store.BUCKET}/home")
    return RemoteFolder(f"s3://{object_store.BUCKET}/home/shared-home")


def tables_of(place: Place) -> dict[str, str]:
    """The digest of every table; what dbt writes before it is published is made where it is wanted."""
    return {name: one for name, one in place.tables().items() if not name.startswith("dbt/")}


def edit(place: Place) -> None:
    (faq,) = (place.courses / "structures").glob("faq*.csv")
    faq.write_text(faq.read_text() + EDIT)


@pytest.mark.slow
def test_what_one_machine_built_another_goes_on_with_and_both_end_where_a_build_without_ends(
    first: Place, second: Place, shared: RemoteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, printed = first.build()
    assert (code, "Pushed " in printed) == (0, True), printed
    code, printed = second.build()
    assert (code, "Pulled " in printed, "Everything is up to date" in printed) == (0, True, True), printed
    assert tables_of(second) == tables_of(first)
    edit(second)
    code, printed = second.build()
    assert (code, "Pulled " in printed, "Pushed " in printed) == (0, False, True), printed
    edit(first)
    code, printed = first.build()
    assert (code, "Pulled " in printed, "Everything is up to date" in printed) == (0, True, True), printed
    assert ("faq", "zebra") in first.pairs("structures")
    apart = Place(second.root.with_name("apart"))
    shutil.copytree(second.courses, apart.courses)
    monkeypatch.delenv(SETTING)
    assert apart.build()[0] == 0
    assert tables_of(first) == tables_of(second)
    lakes = [{name: one for name, one in each.tables().items() if name.startswith("lake/")} for each in (first, apart)]
    assert lakes[0] == lakes[1]
    assert (first.data_dir.index / "CURRENT").read_text() == (apart.data_dir.index / "CURRENT").read_text()


@pytest.mark.slow
def test_a_machine_that_is_killed_while_it_gives_back_leaves_what_was_kept_before(
    first: Place, second: Place, shared: RemoteFolder, store: subprocess.Popen[bytes]
) -> None:
    assert first.build()[0] == 0
    before = current_version(shared)
    there = len(list(shared.list_files("objects")))
    edit(first)
    environment = {"COTEACH_HOME": str(first.data_dir.root), "COTEACH_COURSES": str(first.courses)}
    limits = {"COTEACH_EMBED_LIMIT": "0", "COTEACH_INTENT_TRAINING": "false"}
    command = [sys.executable, "-P", "-m", "coteach", "build"]
    building = subprocess.Popen(
        command, env={**os.environ, **environment, **limits}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while len(list(shared.list_files("objects"))) == there:
        assert building.poll() is None, "it ended before it could be killed"
        time.sleep(0.01)
    store.send_signal(signal.SIGSTOP)
    building.kill()
    building.wait()
    store.send_signal(signal.SIGCONT)
    assert current_version(shared) == before
    for each in shared.list_files("writers"):
        shared.remove(each.name)  # two minutes later
    edit(second)
    code, printed = second.build()
    assert (code, "Pulled " in printed, "Pushed " in printed) == (0, True, True), printed
    code, printed = first.build()
    assert (code, "Everything is up to date" in printed) == (0, True), printed
    assert tables_of(first) == tables_of(second)


def test_while_another_machine_builds_one_waits_or_is_told(
    first: Place, shared: RemoteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_COURSES", str(first.courses))
    with lease(shared, "`coteach build`"):
        result = CliRunner().invoke(app, ["build", "--no-wait", "--home", str(first.data_dir.root)])
    assert isinstance(result.exception, HomeBusy)


def test_while_the_store_is_away_nothing_is_built(
    first: Place, shared: RemoteFolder, store: subprocess.Popen[bytes]
) -> None:
    edit(first)
    before = tables_of(first)
    store.kill()
    store.wait()
    with pytest.raises(PlaceUnreachable):
        first.build()
    assert tables_of(first) == before


def sharing(place: Place, *, pushes: bool = True) -> AbstractContextManager[None]:
    return share_home(place.data_dir, os.environ.get(SETTING), "a test", wait=True, tell=lambda _: None, pushes=pushes)


def test_what_raises_while_the_home_is_written_pushes_nothing(first: Place, shared: RemoteFolder) -> None:
    with pytest.raises(ValueError, match="found nothing"), sharing(first):
        raise ValueError("found nothing")
    assert current_version(shared) is None
    assert not list(shared.list_files("writers"))
    with sharing(first):
        pass
    assert current_version(shared) is not None


@pytest.mark.slow
def test_a_dry_run_pulls_and_pushes_nothing(first: Place, second: Place, shared: RemoteFolder) -> None:
    assert first.build(dry_run=True)[0] == 0
    assert current_version(shared) is None
    with sharing(first):
        pass
    version = current_version(shared)
    code, printed = second.build(dry_run=True)
    assert (code, "Pulled " in printed, "up to date" in printed) == (0, True, True), printed
    assert current_version(shared) == version


def test_dagsters_daemon_and_pages_build_no_shared_home(
    first: Place, shared: RemoteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        pytest.raises(HomeUnusable, match="daemon"),
        writing_as_run(dg.DagsterRun(job_name="fan_in_build"), first.data_dir, lambda _: None),
    ):
        pytest.fail("a run of the daemon")
    with (
        writing(first.data_dir, "a command"),
        writing_as_run(dg.DagsterRun(job_name="fan_in_build"), first.data_dir, lambda _: None),
    ):
        pass
    with first.instance() as instance:
        assert "coteach build" in str(busy(instance, first.data_dir))
    monkeypatch.setenv("COTEACH_COURSES", str(first.courses))
    assert isinstance(CliRunner().invoke(app, ["up", "--home", str(first.data_dir.root)]).exception, HomeUnusable)
    monkeypatch.setenv("COTEACH_DAGSTER_URL", "postgresql+psycopg2://coteach@postgres/dagster")
    refused = CliRunner().invoke(app, ["build", "--home", str(first.data_dir.root)]).exception
    assert "unset one of them" in str(refused)


def test_a_publication_at_the_same_address_is_no_home(first: Place, second: Place, shared: RemoteFolder) -> None:
    publish_home(first.data_dir, os.environ[SETTING])
    assert current_version(shared) is None
    with sharing(second):
        pass
    assert "lake/qa_pairs.parquet" not in second.tables()


@pytest.mark.parametrize("url", ["s3://a/b", "s3://a/b/", "s3://a/b?region=eu-west-1"])
def test_the_home_lies_in_a_folder_of_its_own_at_an_address(tmp_path: Path, url: str) -> None:
    assert open_shared(DataDir(tmp_path), url).url == "s3://a/b/shared-home"


def test_a_folder_inside_the_home_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlaceUnusable, match="inside the home"):
        open_shared(DataDir(tmp_path), str(tmp_path / "cache" / "x"))


def test_without_the_setting_a_home_that_was_shared_is_marked_as_changed(
    first: Place, shared: RemoteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sharing(first):
        pass
    url = os.environ[SETTING]
    assert is_up_to_date(first.data_dir.root, url)
    monkeypatch.delenv(SETTING)
    with sharing(first):
        pass
    assert not is_up_to_date(first.data_dir.root, url)


def test_the_quick_answer_is_given_where_nobody_gave_back_since(
    first: Place, second: Place, shared: RemoteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, url = first.data_dir.root, os.environ[SETTING]
    assert not is_up_to_date(home, url), "nothing is pushed yet"
    assert first.build()[0] == 0
    assert is_up_to_date(home, url)
    with pytest.raises(KeyboardInterrupt), sharing(first):
        raise KeyboardInterrupt
    assert not is_up_to_date(home, url), "something may have been made that is not pushed"
    with sharing(first):
        assert not is_up_to_date(home, url)
    assert is_up_to_date(home, url)
    with sharing(second):
        (second.data_dir.root / "gone_courses.json").write_text("[]")
    assert not is_up_to_date(home, url)
    told = list[Path]()
    monkeypatch.setattr("orchestration.cli.main.known_up_to_date", lambda path: told.append(path) or ["all is built"])
    monkeypatch.setattr("orchestration.cli.build_command.build_home", lambda *_, **__: 7)
    monkeypatch.setenv("COTEACH_COURSES", str(first.courses))
    assert CliRunner().invoke(app, ["build", "--home", str(home)]).exit_code == 7
    with sharing(first):
        pass
    assert CliRunner().invoke(app, ["build", "--home", str(home)]).exit_code == 0
