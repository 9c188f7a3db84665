"""A home that machines share: pulled whole, pushed whole, by one at a time; in a folder and in moto's S3 server, a real
process that is asked over HTTP."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import object_store
import pytest

from knowledge_graph.lake import shared_home
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.publication import (
    Publication,
    PublicationReport,
    PublicationUnreadable,
    PublishedFile,
    current_version,
)
from knowledge_graph.lake.remote_folder import PlaceUnreachable, RemoteFolder
from knowledge_graph.lake.shared_home import (
    HomeConflict,
    HomeUnshareable,
    NoRoomForHome,
    UnrelatedHome,
    list_files,
    mark_writing,
    pull,
    push,
    read_version,
)
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
    return list_files(home, home.root.with_name(f"scratch of {home.root.name} {time.monotonic_ns()}"))


def pushed(home: DataDir, place: RemoteFolder) -> str:
    return push(home, place, files_of(home), digest=lambda _, path: digest(path)).version


def pulled(home: DataDir, place: RemoteFolder) -> PublicationReport | None:
    return pull(home, place, files_of(home), digest=lambda _, path: digest(path))


def seen(home: DataDir) -> dict[str, bytes]:
    return {name: path.read_bytes() for name, path in files_of(home).items()}


def test_what_is_given_on_one_machine_is_taken_on_another(place: RemoteFolder, here: DataDir, there: DataDir) -> None:
    assert pulled(here, place) is None, "nothing is kept yet"
    version = pushed(here, place)
    found = pulled(there, place)
    assert found == PublicationReport(version, files=4, carried=3, carried_bytes=9, is_new=True), (
        "a content travels once"
    )
    assert seen(there) == BUILT
    assert not there.incoming.exists()
    assert pulled(there, place) is None


def test_of_the_next_version_what_differs_travels_and_what_is_gone_goes(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    pushed(here, place)
    pulled(there, place)
    write(there, {"index/CURRENT": b"b", "index/b/x": b"new"})
    (there.root / "index/a/x").unlink()
    pushed(there, place)
    found = pulled(here, place)
    assert found is not None
    assert (found.carried, found.carried_bytes) == (2, 4)
    assert seen(here) == seen(there)
    assert not (here.root / "index/a/x").exists()


def test_who_gives_back_after_somebody_else_is_told_and_changes_nothing_there(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    pushed(here, place)
    pulled(there, place)
    write(there, {"lake/faq/trees.parquet": b"theirs"})
    kept = pushed(there, place)
    write(here, {"lake/faq/trees.parquet": b"ours"})
    with pytest.raises(HomeConflict, match="has pushed"):
        pushed(here, place)
    assert current_version(place) == kept
    pulled(here, place)
    assert seen(here)["lake/faq/trees.parquet"] == b"theirs"


def test_a_home_that_was_built_apart_is_not_written_over(place: RemoteFolder, here: DataDir, there: DataDir) -> None:
    pushed(here, place)
    write(there, {"lake/faq/trees.parquet": b"its own"})
    with pytest.raises(UnrelatedHome, match="empty COTEACH_HOME"):
        pulled(there, place)
    with pytest.raises(HomeConflict):
        pushed(there, place)
    assert seen(there) == {"lake/faq/trees.parquet": b"its own"}


@pytest.mark.parametrize("note", ["", "{", '{"url": 3}', "[]"])
def test_a_damaged_note_of_what_was_pulled_is_named_and_nothing_is_pushed(
    place: RemoteFolder, here: DataDir, note: str
) -> None:
    version = pushed(here, place)
    here.shared_version.write_text(note)
    for act in (pulled, pushed):
        with pytest.raises(HomeConflict, match=r"\.shared\.json.*cannot be read"):
            act(here, place)
    assert current_version(place) == version


def test_a_record_of_dagster_alone_is_no_home_that_was_built(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    pushed(here, place)
    write(there, {"dagster/dagster.yaml": b"storage: none"})
    assert pulled(there, place) is not None
    assert seen(there) == BUILT | {"dagster/dagster.yaml": b"storage: none"}


def test_what_a_stopped_build_made_stays_until_somebody_else_pushes(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    pushed(here, place)
    pulled(there, place)
    mark_writing(here, place.url)
    write(here, {"lake/cues/lists.parquet": b"made, and not pushed", "lake/faq/trees.parquet": b"changed"})
    write(here, {"evaluation/own.json": b"a note beside"})
    assert pulled(here, place) is None
    assert "lake/cues/lists.parquet" in seen(here)
    write(there, {"maps/trees.html": b"theirs"})
    pushed(there, place)
    pulled(here, place)
    assert seen(here) == BUILT | {"maps/trees.html": b"theirs", "evaluation/own.json": b"a note beside"}


def test_a_first_build_that_was_stopped_takes_what_another_machine_pushed(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    mark_writing(there, place.url)
    write(there, {"lake/faq/trees.parquet": b"half a build"})
    pushed(here, place)
    pulled(there, place)
    assert seen(there) == BUILT


def test_what_was_removed_by_hand_is_brought_back_and_not_pushed_as_gone(place: RemoteFolder, here: DataDir) -> None:
    pushed(here, place)
    (here.root / "lake/cues/trees.parquet").unlink()
    pulled(here, place)
    assert seen(here) == BUILT
    mark_writing(here, place.url)
    for name in BUILT:
        (here.root / name).unlink()
    pulled(here, place)
    assert seen(here) == BUILT


def test_an_address_that_is_empty_all_at_once_is_no_home_to_begin_anew(
    place: RemoteFolder, here: DataDir, tmp_path: Path
) -> None:
    pushed(here, place)
    place.remove("CURRENT")
    with pytest.raises(HomeConflict, match="Is it mounted"):
        pulled(here, place)
    here.shared_version.unlink()
    assert pulled(here, place) is None
    pushed(here, place)


def test_a_half_pulled_home_is_not_built_without_the_rest(
    place: RemoteFolder, here: DataDir, there: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed(here, place)
    with monkeypatch.context() as patch:
        patch.setattr(shared_home, "_put_in_place", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            pulled(there, place)
    with pytest.raises(HomeConflict, match="half pulled"):
        mark_writing(there, None)


def test_who_was_asleep_while_it_pushed_does_not_write_over_another_version(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    pushed(here, place)
    pulled(there, place)
    write(here, {"lake/cues/trees.parquet": b"slow"})
    write(there, {"lake/cues/trees.parquet": b"quick"})
    versions = list[str]()

    def slow(name: str, path: Path) -> str:
        if not versions:
            versions.append(pushed(there, place))
        return digest(path)

    with pytest.raises(HomeConflict):
        push(here, place, files_of(here), digest=slow)
    assert current_version(place) == versions[0]


def test_files_have_the_times_that_they_had(place: RemoteFolder, here: DataDir, there: DataDir) -> None:
    for at, name in enumerate(BUILT, 1):
        os.utime(here.root / name, ns=(at * 10**12, at * 10**12))
    version = pushed(here, place)
    pulled(there, place)
    assert [(there.root / name).stat().st_mtime_ns for name in BUILT] == [at * 10**12 for at in range(1, 5)]
    assert pushed(there, place) == version
    for name in ("b", "c", "d"):
        write(there, {"lake/cues/trees.parquet": name.encode()})
        pushed(there, place)
    assert len(list(place.list_files("times"))) == len(list(place.list_files("versions"))) == 3


def test_a_file_takes_the_place_of_a_folder_and_the_other_way_round(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    pushed(write(here, {"index/b": b"a file", "maps/trees/page": b"in a folder"}), place)
    pulled(there, place)
    (here.root / "index/b").unlink()
    shutil.rmtree(here.root / "maps/trees")
    pushed(write(here, {"index/b/x": b"in a folder", "maps/trees": b"a file"}), place)
    pulled(there, place)
    assert seen(there) == BUILT | {"index/b/x": b"in a folder", "maps/trees": b"a file"}


def test_links_and_files_that_nobody_can_read_or_name_are_refused(place: RemoteFolder, here: DataDir) -> None:
    (here.root / "models").symlink_to(here.root / "lake")
    with pytest.raises(HomeUnshareable, match="is a link"):
        files_of(here)
    (here.root / "models").unlink()
    with pytest.raises(HomeUnshareable, match="cannot be read"):
        push(here, place, files_of(here), digest=lambda _, __: "unreadable")
    with pytest.raises(HomeUnshareable, match="a name"):
        pushed(write(here, {"lake/a\\b": b"x"}), place)
    assert current_version(place) is None


def test_a_writer_that_was_killed_in_a_transaction_is_undone_and_a_damaged_database_named(here: DataDir) -> None:
    code = (
        "import os, signal, sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('create table runs (name)'); db.execute('insert into runs values (1)')\n"
        "db.execute('pragma cache_size=1'); db.execute('begin')\n"
        "db.executemany('insert into runs values (?)', (('x' * 900,) for _ in range(2000)))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(here.mlflow_db)], check=False)
    assert here.mlflow_db.with_name("mlflow.db-journal").stat().st_size
    with closing(sqlite3.connect(files_of(here)["mlflow.db"])) as reader:
        assert reader.execute("select count(*) from runs").fetchone() == (1,)
    write(here, {"mlflow.db": b"no database at all, and some more of it", "mlflow.db-wal": b"x"})
    with pytest.raises(HomeUnshareable, match="If it is damaged"):
        files_of(here)


@pytest.mark.parametrize("at", range(4))
def test_taking_that_is_stopped_between_two_files_is_gone_on_with(
    place: RemoteFolder, here: DataDir, there: DataDir, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed(here, place)
    placed = list[Path]()
    make_way = shared_home._make_way

    def stop(target: Path, root: Path) -> None:
        if len(placed) == at:
            raise KeyboardInterrupt
        make_way(target, root)
        placed.append(target)

    with monkeypatch.context() as patch:
        patch.setattr(shared_home, "_make_way", stop)
        with pytest.raises(KeyboardInterrupt):
            pulled(there, place)
    before = read_version(there)
    assert before is not None
    assert before.state == "pulling"
    assert not (there.index / "CURRENT").exists(), "the pointer comes last"
    found = pulled(there, place)
    assert found is not None
    assert found.carried == 0, "what had arrived is not brought again"
    assert seen(there) == BUILT


def test_a_damaged_file_is_named_and_nothing_is_put_in_place(
    place: RemoteFolder, here: DataDir, there: DataDir
) -> None:
    pushed(here, place)
    one = f"objects/{digest(here.root / 'lake/cues/trees.parquet')}"
    place.write(one, b"CUES")
    with pytest.raises(PublicationUnreadable, match="is damaged"):
        pulled(there, place)
    place.remove(one)
    with pytest.raises(PublicationUnreadable, match="lacks a file"):
        pulled(there, place)
    assert seen(there) == {}
    assert read_version(there) is None


@pytest.mark.parametrize("name", ["../outside", "courses/trees/faq.csv", "store.db", "lake/../../x"])
def test_a_manifest_that_names_what_is_not_kept_is_not_pulled(there: DataDir, tmp_path: Path, name: str) -> None:
    place = RemoteFolder(str(tmp_path / "kept"))
    wrong = Publication({name: PublishedFile("0" * 64, 1)})
    place.write(f"versions/{wrong.version}.json", wrong.content)
    place.write("CURRENT", wrong.version.encode())
    with pytest.raises(PublicationUnreadable, match="no file of a home"):
        pulled(there, place)


def test_a_disk_without_room_takes_nothing(
    place: RemoteFolder, here: DataDir, there: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed(here, place)
    free = shared_home.shutil.disk_usage(here.root)._replace(free=12)  # four contents of 9 bytes, one of them twice
    monkeypatch.setattr(shared_home.shutil, "disk_usage", lambda _: free)
    with pytest.raises(NoRoomForHome, match="Make room"):
        pulled(there, place)
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
            "models/intent/.new-1/model": b"half",
            "evaluation/exam/model/items.jsonl": b"an exam",
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
    pushed(here, place)
    write(there, {"dagster/runs.db-wal": b"of another database"})
    pulled(there, place)
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


def test_who_is_stopped_while_it_looks_leaves_no_lease(place: RemoteFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(RemoteFolder, "list_files", Mock(side_effect=PlaceUnreachable("away")))
        with pytest.raises(PlaceUnreachable), lease(place, "x", terms=SOON):
            pytest.fail("nobody knows who else builds")
    assert not list(place.list_files("writers"))


def test_a_place_that_is_away_is_told_before_anything_is_done(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(PlaceUnreachable), lease(RemoteFolder(str(tmp_path / "file" / "below")), "x"):
        pytest.fail("no lease there")
