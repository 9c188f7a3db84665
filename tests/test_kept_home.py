"""A home that is kept elsewhere: taken whole, given back whole, by one machine at a time; in a folder, and in moto's S3
server, a real process that is asked over HTTP."""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import object_store
import pytest

from knowledge_graph.lake import kept_home
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.kept_home import (
    HomeMovedOn,
    HomeUntaken,
    OtherHome,
    TakenHome,
    give,
    list_files,
    read_kept_version,
    take,
)
from knowledge_graph.lake.publication import Publication, PublicationUnreadable, PublishedFile, current_version
from knowledge_graph.lake.remote_folder import PlaceUnreachable, RemoteFolder
from knowledge_graph.lake.tables import digest
from knowledge_graph.lake.writer_lease import HomeBusy, LeaseTerms, lease

BUILT = {
    "lake/cues/trees.parquet": b"cues",
    "lake/faq/trees.parquet": b"same",
    "index/CURRENT": b"a",
    "index/a/x": b"same",
}
SOON = LeaseTerms(refresh_s=0.2, expired_s=1.5, look_s=0.05)
_STORE = "s3 store"


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, object_store.running_store() as address:
        for name, value in object_store.environment(address).items():
            patch.setenv(name, value)
        yield f"s3://{object_store.BUCKET}"


@pytest.fixture(params=["folder", _STORE])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> RemoteFolder:
    """Somewhere to keep a home, where nothing is yet."""
    if request.param == _STORE:
        return RemoteFolder(f"{request.getfixturevalue('s3')}/{tmp_path.name}")
    return RemoteFolder(str(tmp_path / "kept here"))


@pytest.fixture
def here(tmp_path: Path) -> DataDir:
    """A home that was built."""
    return write(DataDir(tmp_path / "here"), BUILT)


@pytest.fixture
def there(tmp_path: Path) -> DataDir:
    """Another machine's empty home."""
    return DataDir(tmp_path / "there")


def write(home: DataDir, contents: dict[str, bytes]) -> DataDir:
    for name, content in contents.items():
        (home.root / name).parent.mkdir(parents=True, exist_ok=True)
        (home.root / name).write_bytes(content)
    return home


def files_of(home: DataDir) -> dict[str, Path]:
    return list_files(home, home.root.with_name(f"scratch of {home.root.name} {time.monotonic_ns()}"), with_record=True)


def given(home: DataDir, place: RemoteFolder) -> str:
    return give(home, place, files_of(home), digest=lambda _, path: digest(path)).version


def taken(home: DataDir, place: RemoteFolder) -> TakenHome | None:
    return take(home, place, files_of(home), digest=lambda _, path: digest(path))


def seen(home: DataDir) -> dict[str, bytes]:
    return {name: path.read_bytes() for name, path in files_of(home).items()}


def test_what_is_given_on_one_machine_is_taken_on_another(place: RemoteFolder, here: DataDir, there: DataDir) -> None:
    assert taken(here, place) is None, "nothing is kept yet"
    version = given(here, place)
    found = taken(there, place)
    assert found == TakenHome(version, files=4, carried=3, carried_bytes=9), "a content travels once"
    assert seen(there) == BUILT
    assert not there.taking.exists()
    assert taken(there, place) is None


def test_of_the_next_version_what_differs_travels_and_what_is_gone_goes(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    given(here, place)
    taken(there, place)
    write(there, {"index/CURRENT": b"b", "index/b/x": b"new"})
    (there.root / "index/a/x").unlink()
    given(there, place)
    found = taken(here, place)
    assert found is not None
    assert (found.carried, found.carried_bytes) == (2, 4)
    assert seen(here) == seen(there)
    assert not (here.root / "index/a/x").exists()


def test_who_gives_back_after_somebody_else_is_told_and_changes_nothing_there(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    given(here, place)
    taken(there, place)
    write(there, {"lake/faq/trees.parquet": b"theirs"})
    kept = given(there, place)
    write(here, {"lake/faq/trees.parquet": b"ours"})
    with pytest.raises(HomeMovedOn, match="somebody built meanwhile"):
        given(here, place)
    assert current_version(place) == kept
    taken(here, place)
    assert seen(here)["lake/faq/trees.parquet"] == b"theirs"


def test_a_home_that_was_built_apart_is_not_written_over(place: RemoteFolder, here: DataDir, there: DataDir) -> None:
    given(here, place)
    write(there, {"lake/faq/trees.parquet": b"its own"})
    with pytest.raises(OtherHome, match="empty COTEACH_HOME"):
        taken(there, place)
    with pytest.raises(HomeMovedOn):
        given(there, place)
    assert seen(there) == {"lake/faq/trees.parquet": b"its own"}


def test_a_record_of_dagster_alone_is_no_home_that_was_built(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    given(here, place)
    write(there, {"dagster/dagster.yaml": b"storage: none"})
    assert taken(there, place) is not None
    assert seen(there) == BUILT


def test_what_a_stopped_build_made_stays_until_somebody_else_gives_back(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    given(here, place)
    write(here, {"lake/cues/lists.parquet": b"made, and not given"})
    assert taken(here, place) is None
    assert "lake/cues/lists.parquet" in seen(here)


@pytest.mark.parametrize("at", range(4))
def test_taking_that_is_stopped_between_two_files_is_gone_on_with(
    place: RemoteFolder, here: DataDir, there: DataDir, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(here, place)
    copied = list[Path]()
    copy = kept_home.shutil.copyfile

    def stop(source: Path, target: Path) -> None:
        if len(copied) == at:
            raise KeyboardInterrupt
        copy(source, target)
        copied.append(target)

    with monkeypatch.context() as patch:
        patch.setattr(kept_home.shutil, "copyfile", stop)
        with pytest.raises(KeyboardInterrupt):
            taken(there, place)
    before = read_kept_version(there)
    assert before is not None
    assert before.state == "taking"
    assert not (there.index / "CURRENT").exists(), "the pointer comes last"
    found = taken(there, place)
    assert found is not None
    assert found.carried == 0, "what had arrived is not brought again"
    assert seen(there) == BUILT


def test_a_damaged_file_is_named_and_nothing_is_put_in_place(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    given(here, place)
    one = f"objects/{digest(here.root / 'lake/cues/trees.parquet')}"
    place.write(one, b"CUES")
    with pytest.raises(PublicationUnreadable, match="is damaged"):
        taken(there, place)
    place.remove(one)
    with pytest.raises(PublicationUnreadable, match="lacks a file"):
        taken(there, place)
    assert seen(there) == {}
    assert read_kept_version(there) is None


@pytest.mark.parametrize("name", ["../outside", "courses/trees/faq.csv", "store.db", "lake/../../x"])
def test_a_manifest_that_names_what_is_not_kept_is_not_taken(there: DataDir, tmp_path: Path, name: str) -> None:
    place = RemoteFolder(str(tmp_path / "kept"))
    wrong = Publication({name: PublishedFile("0" * 64, 1)})
    place.write(f"versions/{wrong.version}.json", wrong.content)
    place.write("CURRENT", wrong.version.encode())
    with pytest.raises(PublicationUnreadable, match="no file of a home"):
        taken(there, place)


def test_a_disk_without_room_takes_nothing(
    place: RemoteFolder, here: DataDir, there: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(here, place)
    free = kept_home.shutil.disk_usage(here.root)._replace(free=3)
    monkeypatch.setattr(kept_home.shutil, "disk_usage", lambda _: free)
    with pytest.raises(HomeUntaken, match="Make room"):
        taken(there, place)
    assert seen(there) == {}


def test_what_people_said_and_what_is_of_one_machine_is_not_kept(here: DataDir) -> None:
    write(
        here,
        {
            "store.db": b"what people said",
            "courses/trees/faq.csv": b"input",
            "logs/build.log": b"line",
            "lake/.staged/run/faq/trees.parquet": b"unchecked",
            "cache/digests.json": b"{}",
            "dagster/alive/run": b"",
            ".writer.json": b"{}",
            "lake/faq/.trees.parquet.7.tmp": b"half",
        },
    )
    assert set(files_of(here)) == set(BUILT)


def test_a_database_that_is_being_written_is_kept_as_its_last_transaction_left_it(here: DataDir) -> None:
    with closing(sqlite3.connect(here.mlflow_db)) as writer:
        writer.execute("pragma journal_mode=wal")
        writer.execute("create table runs (name)")
        writer.execute("insert into runs values ('done')")
        writer.commit()
        writer.execute("insert into runs values ('under way')")
        copy = files_of(here)["mlflow.db"]
        assert copy != here.mlflow_db
        again = files_of(here)["mlflow.db"]
        writer.rollback()
    with closing(sqlite3.connect(copy)) as reader:
        assert reader.execute("select name from runs").fetchall() == [("done",)]
    assert digest(copy) == digest(again), "the same rows are the same version"
    assert files_of(here)["mlflow.db"] == here.mlflow_db, "nobody has it open"


def test_the_log_of_a_database_that_is_replaced_goes_with_it(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    for home, row in ((here, "theirs"), (there, "ours")):
        (home.root / "dagster").mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(home.root / "dagster" / "runs.db")) as writer:
            writer.execute("create table runs (name)")
            writer.execute("insert into runs values (?)", [row])
            writer.commit()
    given(here, place)
    write(there, {"dagster/runs.db-wal": b"of another database"})
    taken(there, place)
    assert not (there.root / "dagster" / "runs.db-wal").exists()
    with closing(sqlite3.connect(there.root / "dagster" / "runs.db")) as reader:
        assert reader.execute("select name from runs").fetchall() == [("theirs",)]


def test_one_machine_at_a_time_builds(place: RemoteFolder) -> None:
    with lease(place, "`coteach build`", terms=SOON):
        told = r"`coteach build` \(process \d+ on "
        with pytest.raises(HomeBusy, match=told), lease(place, "another", wait=False, terms=SOON):
            pytest.fail("two at once")
        time.sleep(2 * SOON.expired_s)
        with pytest.raises(HomeBusy), lease(place, "another", wait=False, terms=SOON):
            pytest.fail("it is written again as long as it lives")
    with lease(place, "another", wait=False, terms=SOON):
        assert len(list(place.list_files("writers"))) == 1
    assert not list(place.list_files("writers"))


def test_who_waits_is_told_once_for_whom_and_begins_when_they_are_done(place: RemoteFolder) -> None:
    told = list[str]()
    first = lease(place, "the first", terms=SOON)
    first.__enter__()

    def hear(line: str) -> None:
        told.append(line)
        first.__exit__(None, None, None)

    with lease(place, "the second", tell=hear, terms=SOON):
        assert len(told) == 1
        assert "the first" in told[0]


def test_a_machine_that_died_is_waited_for_until_its_lease_ends(place: RemoteFolder) -> None:
    place.write("writers/dead.json", json.dumps({"owner": "dead", "pid": 1, "host": "x", "since": 0.0}).encode())
    began = time.monotonic()
    with lease(place, "the next", terms=SOON):
        assert time.monotonic() - began >= SOON.expired_s - 1.0, "times of a store are whole seconds"
    assert not list(place.list_files("writers"))


def test_a_place_that_is_away_is_told_before_anything_is_done(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(PlaceUnreachable), lease(RemoteFolder(str(tmp_path / "file" / "below")), "x"):
        pytest.fail("no lease there")
