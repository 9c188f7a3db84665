"""A published home: whole or not at all, taken only as it was published; in a folder, and in moto's S3 server, a real
process that is asked over HTTP."""

import hashlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import object_store
import pytest

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.local_copy import CopyUnmade, HomeBuiltHere, LocalCopy, NothingPublished
from knowledge_graph.lake.publication import (
    GRACE_S,
    HomeChanged,
    Publication,
    PublicationReport,
    PublicationUnreadable,
    current_version,
    parse_publication,
    publish,
    read_publication,
)
from knowledge_graph.lake.remote_folder import PlaceUnreachable, PlaceUnusable, RemoteFolder
from knowledge_graph.lake.tables import digest

FIRST = {"lake/cues/trees.parquet": b"cues", "lake/faq/trees.parquet": b"same", "index/CURRENT": b"a\n"}
SECOND = FIRST | {"index/CURRENT": b"b\n", "maps/trees.html": b"<p>"}
_STORE = "s3 store"


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, object_store.running_store() as address:
        for name, value in object_store.environment(address).items():
            patch.setenv(name, value)
        yield f"s3://{object_store.BUCKET}"


@pytest.fixture(params=["folder", _STORE])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> RemoteFolder:
    """Somewhere to publish, where nothing is yet."""
    if request.param == _STORE:
        return RemoteFolder(f"{request.getfixturevalue('s3')}/{tmp_path.name}")
    return RemoteFolder(str(tmp_path / "published here"))


@pytest.fixture
def copy(tmp_path: Path) -> LocalCopy:
    return LocalCopy(DataDir(tmp_path / "gateway"))


def written(folder: Path, contents: dict[str, bytes]) -> dict[str, Path]:
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return {name: folder / name for name in contents}


def published(place: RemoteFolder, folder: Path, contents: dict[str, bytes], **options: float) -> PublicationReport:
    keep, late = int(options.get("keep", 3)), options.get("late", 0.0)
    files = written(folder, contents)
    return publish(files, place, digest=lambda _, path: digest(path), keep=keep, now=lambda: time.time() + late)


def seen(tmp_path: Path) -> dict[str, bytes]:
    """What a reader of the gateway's home finds."""
    root = tmp_path / "gateway"
    found = {top: root / top for top in ("lake", "index", "maps", "models")}
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for top in found.values()
        for path in top.glob("**/*")
        if path.is_file()
    }


def test_what_is_published_is_found_where_a_build_would_have_put_it(
    place: RemoteFolder, copy: LocalCopy, tmp_path: Path
) -> None:
    report = published(place, tmp_path / "home", FIRST)
    assert (report.files, report.carried, report.is_new) == (3, 3, True)
    assert copy.follow(place) == report.version == copy.version
    assert seen(tmp_path) == FIRST


def test_of_the_next_version_only_what_differs_travels_and_a_reader_sees_all_of_it_or_nothing(
    place: RemoteFolder, copy: LocalCopy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published(place, tmp_path / "home", FIRST)
    copy.follow(place)
    report = published(place, tmp_path / "home", SECOND)
    assert report.carried == 2
    taken = list[str]()
    download = RemoteFolder.download

    def noted(self: RemoteFolder, name: str, target: Path) -> str:
        taken.append(name)
        assert seen(tmp_path) == FIRST
        return download(self, name, target)

    monkeypatch.setattr(RemoteFolder, "download", noted)
    assert copy.follow(place) == report.version
    assert sorted(taken) == sorted(f"objects/{hashlib.sha256(each).hexdigest()}" for each in (b"b\n", b"<p>"))
    assert seen(tmp_path) == SECOND
    assert copy.follow(place) is None


def test_the_same_home_is_the_same_version_and_nothing_travels_twice(place: RemoteFolder, tmp_path: Path) -> None:
    first, again = (published(place, tmp_path / "home", FIRST) for _ in range(2))
    assert (again.version, again.carried, again.is_new) == (first.version, 0, False)


def test_a_publisher_that_is_stopped_midway_has_published_nothing(
    place: RemoteFolder, copy: LocalCopy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = published(place, tmp_path / "home", FIRST)
    with monkeypatch.context() as broken:
        broken.setattr(RemoteFolder, "upload", _stopped)
        with pytest.raises(KeyboardInterrupt):
            published(place, tmp_path / "home", SECOND)
    assert current_version(place) == before.version
    copy.follow(place)
    assert seen(tmp_path) == FIRST
    assert published(place, tmp_path / "home", SECOND).is_new


def _stopped(self: RemoteFolder, source: Path, name: str) -> str:
    self.write(name, source.read_bytes()[:1])
    raise KeyboardInterrupt


def test_a_file_that_becomes_another_while_it_is_published_stops_it(place: RemoteFolder, tmp_path: Path) -> None:
    files = written(tmp_path / "home", FIRST)
    with pytest.raises(HomeChanged, match="became another"):
        publish(files, place, digest=lambda name, path: "0" * 64 if name == "index/CURRENT" else digest(path))
    assert current_version(place) is None


@pytest.mark.parametrize("wrong", [b"", b"cuts", b"longer than it was"])
def test_a_damaged_object_is_not_taken_and_what_was_here_stays(
    place: RemoteFolder, copy: LocalCopy, tmp_path: Path, wrong: bytes
) -> None:
    published(place, tmp_path / "home", FIRST)
    copy.follow(place)
    later = published(place, tmp_path / "home", SECOND)
    key = read_publication(place, later.version).files["maps/trees.html"].key
    place.write(key, wrong)
    with pytest.raises(PublicationUnreadable, match="damaged"):
        copy.follow(place)
    assert seen(tmp_path) == FIRST
    place.remove(key)
    assert published(place, tmp_path / "home", SECOND).carried == 1, "what is lost there is brought again"
    assert copy.follow(place) == later.version


def test_a_damaged_manifest_is_not_taken(place: RemoteFolder, copy: LocalCopy, tmp_path: Path) -> None:
    report = published(place, tmp_path / "home", FIRST)
    place.write(f"versions/{report.version}.json", Publication({}).content)
    with pytest.raises(PublicationUnreadable, match="is not what its name says"):
        copy.follow(place)
    published(place, tmp_path / "home", FIRST)
    assert copy.follow(place) == report.version


def test_a_damaged_pointer_is_told_to_readers_and_mended_by_publishing_again(
    place: RemoteFolder, copy: LocalCopy, tmp_path: Path
) -> None:
    report = published(place, tmp_path / "home", FIRST)
    place.write("CURRENT", b"oops\n")
    with pytest.raises(PublicationUnreadable, match=r"expected 64 hexadecimal digits, found 'oops'.*publish` again"):
        copy.follow(place)
    assert published(place, tmp_path / "home", FIRST).version == report.version
    assert copy.follow(place) == report.version


def test_a_copy_that_is_damaged_is_found_and_fetched_anew(place: RemoteFolder, copy: LocalCopy, tmp_path: Path) -> None:
    published(place, tmp_path / "home", FIRST)
    copy.follow(place)
    assert copy.verify() == []
    (tmp_path / "gateway" / "lake" / "cues" / "trees.parquet").write_bytes(b"cuts")
    assert copy.verify() == ["lake/cues/trees.parquet"]
    assert copy.follow(place) is not None
    assert seen(tmp_path) == FIRST


def test_old_versions_are_removed_with_what_they_alone_named_but_nothing_young(
    place: RemoteFolder, tmp_path: Path
) -> None:
    for number in range(5):
        published(place, tmp_path / "home", FIRST | {"index/CURRENT": f"{number}\n".encode()}, keep=2)
    assert len(list(place.list_files("versions"))) == 2
    assert len(list(place.list_files("objects"))) == 2 + 5
    published(place, tmp_path / "home", FIRST | {"index/CURRENT": b"5\n"}, keep=2, late=2 * GRACE_S)
    assert len(list(place.list_files("objects"))) == 2 + 2


def test_a_copy_keeps_two_versions_and_no_file_that_neither_names(
    place: RemoteFolder, copy: LocalCopy, tmp_path: Path
) -> None:
    for number in range(4):
        published(place, tmp_path / "home", FIRST | {"index/CURRENT": f"{number}\n".encode()})
        copy.follow(place)
    here = DataDir(tmp_path / "gateway").publication
    assert len(list((here / "versions").iterdir())) == 2
    assert len(list((here / "objects").iterdir())) == 2 + 2


def test_one_of_several_gateways_over_a_home_fetches(copy: LocalCopy, tmp_path: Path) -> None:
    with copy.hold() as first, LocalCopy(DataDir(tmp_path / "gateway")).hold() as second:
        assert (first, second) == (True, False)
    with copy.hold() as again:
        assert again


def test_nothing_published_yet_is_said_with_what_to_run(place: RemoteFolder, copy: LocalCopy) -> None:
    with pytest.raises(NothingPublished, match="coteach publish"):
        copy.follow(place)


def test_a_home_that_was_built_here_takes_no_other(tmp_path: Path) -> None:
    written(tmp_path / "gateway", FIRST)
    with pytest.raises(HomeBuiltHere, match="another COTEACH_HOME"):
        LocalCopy(DataDir(tmp_path / "gateway"))


def test_a_full_disk_is_told_before_anything_is_fetched(
    place: RemoteFolder, copy: LocalCopy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published(place, tmp_path / "home", FIRST)
    full = os.statvfs(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 3, "total": full.f_blocks})())
    with pytest.raises(CopyUnmade, match="Make room"):
        copy.follow(place)
    assert seen(tmp_path) == {}


@pytest.mark.parametrize(
    "name", ["../x", "lake/../../x", "/etc/passwd", "store.db", "link_secret", "lake//x", "lake\\x", "", "published/x"]
)
def test_a_manifest_that_leads_elsewhere_is_refused(name: str) -> None:
    files = {name: {"sha256": "0" * 64, "bytes": 1}}
    with pytest.raises(PublicationUnreadable, match="no file of a home"):
        parse_publication(json.dumps({"format": 1, "files": files}).encode(), "s3://x/versions/y.json")


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"format": 1, "files": []}', b'{"format": 1, "files": {"lake/x": 1}}']
)
def test_what_is_no_manifest_is_refused(content: bytes) -> None:
    with pytest.raises(PublicationUnreadable, match="is no manifest"):
        parse_publication(content, "s3://x/versions/y.json")


def test_what_a_newer_coteach_published_is_left_with_what_to_do() -> None:
    with pytest.raises(PublicationUnreadable, match="Upgrade the gateways before what publishes"):
        parse_publication(b'{"format": 99, "files": {}}', "s3://x/versions/y.json")


def test_a_store_that_is_away_is_said_to_be_within_seconds(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{object_store.free_port()}")
    began = time.monotonic()
    with pytest.raises(PlaceUnreachable, match=r"s3://courses/x/CURRENT could not be used"):
        current_version(RemoteFolder("s3://courses/x"))
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("url", ["s3://", "s3://bucket/x?regio=eu", "nfs://host/x"])
def test_an_address_that_names_no_place_is_told(url: str) -> None:
    with pytest.raises(PlaceUnusable, match="names no place for files"):
        RemoteFolder(url)


def test_keys_in_an_address_are_shown_to_nobody() -> None:
    folder = RemoteFolder("s3://AKIA123:secret%2Fkey@bucket/home?region=eu-central-1")
    assert folder.url == "s3://bucket/home"
