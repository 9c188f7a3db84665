"""Builds on several machines, one after the other, of a home that is kept in an object store: moto's S3 server, a real
process, and homes that share nothing else."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import object_store
import pytest
from built_homes import copied
from small_courses import Place, write_two_courses
from typer.testing import CliRunner

from knowledge_graph.lake.kept_home import TOPS, read_kept_version
from knowledge_graph.lake.publication import current_version, read_publication
from knowledge_graph.lake.remote_folder import PlaceUnreachable, RemoteFolder
from knowledge_graph.lake.writer_lease import HomeBusy, lease
from orchestration.building.home_exchange import SETTING, is_newest
from orchestration.building.home_lock import writing
from orchestration.cli.main import app
from orchestration.resources import HomeUnusable, PipelineSettings, check_home, writing_as_run

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
def kept(store: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch) -> RemoteFolder:
    monkeypatch.setenv(SETTING, f"s3://{object_store.BUCKET}/home")
    return RemoteFolder(f"s3://{object_store.BUCKET}/home")


def tables_of(place: Place) -> dict[str, str]:
    """The digest of every table; what dbt writes before it is published is made where it is wanted."""
    return {name: one for name, one in place.tables().items() if not name.startswith("dbt/")}


def edit(place: Place) -> None:
    (faq,) = (place.courses / "structures").glob("faq*.csv")
    faq.write_text(faq.read_text() + EDIT)


@pytest.mark.slow
def test_what_one_machine_built_another_goes_on_with_and_both_end_where_a_build_without_ends(
    first: Place, second: Place, kept: RemoteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, printed = first.build()
    assert (code, "Kept " in printed) == (0, True), printed
    code, printed = second.build()
    assert (code, "Took " in printed, "Everything is up to date" in printed) == (0, True, True), printed
    assert tables_of(second) == tables_of(first)
    edit(second)
    code, printed = second.build()
    assert (code, "Took " in printed, "Kept " in printed) == (0, False, True), printed
    edit(first)
    code, printed = first.build()
    assert (code, "Took " in printed, "Everything is up to date" in printed) == (0, True, True), printed
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
    first: Place, second: Place, kept: RemoteFolder, store: subprocess.Popen[bytes]
) -> None:
    assert first.build()[0] == 0
    before = current_version(kept)
    there = len(list(kept.list_files("objects")))
    edit(first)
    environment = {"COTEACH_HOME": str(first.data_dir.root), "COTEACH_COURSES": str(first.courses)}
    limits = {"COTEACH_EMBED_LIMIT": "0", "COTEACH_INTENT_TRAINING": "false"}
    command = [sys.executable, "-P", "-m", "coteach", "build"]
    building = subprocess.Popen(
        command, env={**os.environ, **environment, **limits}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while len(list(kept.list_files("objects"))) == there:
        assert building.poll() is None, "it ended before it could be killed"
        time.sleep(0.01)
    store.send_signal(signal.SIGSTOP)
    building.kill()
    building.wait()
    store.send_signal(signal.SIGCONT)
    assert current_version(kept) == before
    for each in kept.list_files("writers"):
        kept.remove(each.name)  # two minutes later
    edit(second)
    code, printed = second.build()
    assert (code, "Took " in printed, "Kept " in printed) == (0, True, True), printed
    code, printed = first.build()
    assert (code, "Everything is up to date" in printed) == (0, True), printed
    assert tables_of(first) == tables_of(second)


def test_while_another_machine_builds_one_waits_or_is_told(
    first: Place, kept: RemoteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_COURSES", str(first.courses))
    with lease(kept, "`coteach build`"):
        result = CliRunner().invoke(app, ["build", "--no-wait", "--home", str(first.data_dir.root)])
    assert isinstance(result.exception, HomeBusy)


def test_while_the_store_is_away_nothing_is_built(
    first: Place, kept: RemoteFolder, store: subprocess.Popen[bytes]
) -> None:
    edit(first)
    before = tables_of(first)
    store.kill()
    store.wait()
    with pytest.raises(PlaceUnreachable):
        first.build()
    assert tables_of(first) == before


def test_what_raises_while_the_home_is_written_gives_nothing_back(first: Place, kept: RemoteFolder) -> None:
    def fail() -> None:
        with writing(first.data_dir, "a test"):
            raise ValueError("found nothing")

    with pytest.raises(ValueError, match="found nothing"):
        fail()
    assert current_version(kept) is None
    with writing(first.data_dir, "a test"), writing(first.data_dir, "inside"):
        assert current_version(kept) is None, "who writes for the writer gives nothing back"
    assert current_version(kept) is not None
    assert not list(kept.list_files("writers"))


def test_runs_of_the_daemon_exchange_the_home_where_the_record_is_a_database_of_its_own(
    first: Place, kept: RemoteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = dg.DagsterRun(job_name="fan_in_build")

    def exchange() -> None:
        with writing_as_run(run, first.data_dir, lambda _: None):
            pass

    with pytest.raises(HomeUnusable, match="COTEACH_DAGSTER_URL"):
        exchange()
    monkeypatch.setenv("COTEACH_DAGSTER_URL", "postgresql+psycopg2://coteach@postgres/dagster")
    exchange()
    version = current_version(kept)
    assert version is not None
    names = read_publication(kept, version, tops=TOPS).files
    assert "lake/qa_pairs.parquet" in names
    assert not [name for name in names if name.startswith("dagster/")], "the database is not in the home"


def test_without_the_setting_nobody_asks_anywhere(first: Place) -> None:
    with writing(first.data_dir, "a test"):
        pass
    assert read_kept_version(first.data_dir) is None


def test_the_quick_answer_is_given_where_nobody_gave_back_since(
    first: Place, second: Place, kept: RemoteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = first.data_dir.root
    assert not is_newest(home), "nothing is kept yet"
    assert first.build()[0] == 0
    assert is_newest(home)
    with pytest.raises(KeyboardInterrupt), writing(first.data_dir, "a test"):
        raise KeyboardInterrupt
    assert not is_newest(home), "something may have been made that is not given back"
    with writing(first.data_dir, "a test"):
        assert not is_newest(home)
    assert is_newest(home)
    with writing(second.data_dir, "another machine"):
        (second.data_dir.root / "gone_courses.json").write_text("[]")
    assert not is_newest(home)
    told = list[Path]()
    monkeypatch.setattr("orchestration.cli.main.known_up_to_date", lambda path: told.append(path) or ["all is built"])
    monkeypatch.setattr("orchestration.cli.build_command.build_home", lambda *_, **__: 7)
    monkeypatch.setenv("COTEACH_COURSES", str(first.courses))
    assert CliRunner().invoke(app, ["build", "--home", str(home)]).exit_code == 7
    with writing(first.data_dir, "a test"):
        pass
    assert CliRunner().invoke(app, ["build", "--home", str(home)]).exit_code == 0


def test_one_place_for_both_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HomeUnusable, match="the same place"):
        check_home(PipelineSettings(home=tmp_path, home_url="s3://a/b", publish_url="s3://a/b"))
