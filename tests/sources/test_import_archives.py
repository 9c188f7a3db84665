"""Archives that are broken, too large or unsafe: refused by name, nothing written."""

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from lying_zips import lying_zip

from knowledge_graph.sources.importing import archives
from knowledge_graph.sources.importing.archives import ArchiveRefused, is_archive, unpack


def _member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def _tar(path: Path, *members: tarfile.TarInfo, content: bytes = b"text") -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for member in members:
            if member.isfile():
                member.size = len(content)
            tar.addfile(member, io.BytesIO(content) if member.isfile() else None)
    return path


def _zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in files.items():
            pack.writestr(name, content)
    return path


def _refusal(archive: Path, tmp_path: Path) -> str:
    """What the person is told; nothing may have been written, inside the folder or beside it."""
    before = sorted(path.name for path in tmp_path.iterdir())
    into = tmp_path / "into"
    into.mkdir()
    with pytest.raises(ArchiveRefused) as caught:
        unpack(archive, into)
    assert list(into.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "into"])
    return str(caught.value)


def test_a_tar_and_a_zip_give_their_files(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    unpack(_tar(tmp_path / "c.tar.gz", _member("course/course.xml")), tmp_path / "a")
    unpack(_zip(tmp_path / "c.zip", {"course/course.xml": b"text"}), tmp_path / "b")
    assert (tmp_path / "a/course/course.xml").read_bytes() == (tmp_path / "b/course/course.xml").read_bytes() == b"text"


@pytest.mark.parametrize(
    ("member", "told"),
    [
        (_member("../evil.txt"), "'../evil.txt' climbs out of the archive."),
        (_member("course/../../evil.txt"), "'course/../../evil.txt' climbs out of the archive."),
        (_member("/etc/evil.txt"), "'/etc/evil.txt' is an absolute path."),
        (_member("C:\\evil.txt"), "'C:\\evil.txt' is an absolute path."),
        (_member("a/link", tarfile.SYMTYPE, "../../home"), "'a/link' is a link that points out of the archive"),
        (_member("a/link", tarfile.SYMTYPE, "/etc/passwd"), "'a/link' is a link that points out of the archive"),
        (_member("hard", tarfile.LNKTYPE, "../passwd"), "'hard' is a link that points out of the archive"),
        (_member("dev", tarfile.CHRTYPE), "'dev' is a device or a pipe."),
        (_member("pipe", tarfile.FIFOTYPE), "'pipe' is a device or a pipe."),
    ],
)
def test_a_tar_member_that_is_unsafe_is_named_and_nothing_is_written(
    tmp_path: Path, member: tarfile.TarInfo, told: str
) -> None:
    message = _refusal(_tar(tmp_path / "course.tar.gz", _member("good.txt"), member), tmp_path)
    assert message.startswith(f"course.tar.gz: {told}")
    assert message.endswith("Nothing was unpacked. Do not trust this archive; ask for a clean export.")


@pytest.mark.parametrize("name", ["../evil.txt", "a/../../evil.txt", "..\\evil.txt", "/evil.txt"])
def test_a_zip_member_that_climbs_out_is_named_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    assert f"'{name}'" in _refusal(_zip(tmp_path / "course.zip", {"good.txt": b"x", name: b"x"}), tmp_path)


def test_links_that_stay_inside_are_left_out_and_told(tmp_path: Path) -> None:
    into = tmp_path / "into"
    into.mkdir()
    archive = _tar(tmp_path / "c.tar.gz", _member("a/b.txt"), _member("a/link", tarfile.SYMTYPE, "../a/b.txt"))
    assert unpack(archive, into).links == ("a/link",)
    assert [path.name for path in (into / "a").iterdir()] == ["b.txt"]


def test_a_zip_bomb_is_refused_before_it_grows(tmp_path: Path) -> None:
    bomb = _zip(tmp_path / "bomb.zip", {f"{number}.txt": bytes(20_000_000) for number in range(4)})
    assert "grows more than 100 times" in _refusal(bomb, tmp_path)


def test_a_tar_bomb_is_refused_before_it_grows(tmp_path: Path) -> None:
    bomb = _tar(tmp_path / "bomb.tar.gz", _member("zeros.txt"), content=bytes(80_000_000))
    assert "grows more than 100 times" in _refusal(bomb, tmp_path)


def test_a_bomb_behind_the_end_of_the_tar_is_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.tar.gz"
    bomb.write_bytes(gzip.compress(bytes(80_000_000)))
    assert "grows more than 100 times" in _refusal(bomb, tmp_path)


def test_a_header_made_to_fill_the_memory_is_refused(tmp_path: Path) -> None:
    header = _member("x", tarfile.XHDTYPE)
    header.size = 50_000_000
    bomb = tmp_path / "bomb.tar.gz"
    bomb.write_bytes(gzip.compress(header.tobuf(tarfile.PAX_FORMAT) + bytes(50_000_000)))
    assert "has a header that is far too long" in _refusal(bomb, tmp_path)


def test_sizes_that_only_the_headers_claim_are_refused_too(tmp_path: Path) -> None:
    header = _member("film.mp4")
    header.size = 5 * 1024**3
    archive = tmp_path / "c.tar.gz"
    archive.write_bytes(gzip.compress(header.tobuf() + bytes(10_240)))
    assert "unpacks to more than 2 GB" in _refusal(archive, tmp_path)


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 3)
    archive = _tar(tmp_path / "c.tar.gz", *(_member(f"{number}.txt") for number in range(4)))
    assert "holds more than 3 files" in _refusal(archive, tmp_path)


@pytest.mark.parametrize("kept", [0.3, 0.9, 0.999])
def test_a_truncated_tar_is_refused(tmp_path: Path, kept: float) -> None:
    whole = _tar(tmp_path / "c.tar.gz", *(_member(f"{n}.txt") for n in range(50)), content=bytes(range(256)) * 9)
    data = whole.read_bytes()
    whole.write_bytes(data[: int(len(data) * kept)])
    assert _refusal(whole, tmp_path).endswith("Download or export it again.")


@pytest.mark.parametrize("kept", [0.3, 0.9])
def test_a_truncated_zip_is_refused(tmp_path: Path, kept: float) -> None:
    whole = _zip(tmp_path / "c.zip", {f"{n}.txt": bytes(range(256)) for n in range(50)})
    data = whole.read_bytes()
    whole.write_bytes(data[: int(len(data) * kept)])
    assert _refusal(whole, tmp_path).endswith("Download or export it again.")


def test_a_zip_with_a_password_is_refused_with_the_file_named(tmp_path: Path) -> None:
    data = bytearray(_zip(tmp_path / "c.zip", {"a.txt": b"text"}).read_bytes())
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "c.zip").write_bytes(bytes(data))
    assert "'a.txt' is encrypted. Pack it without a password." in _refusal(tmp_path / "c.zip", tmp_path)


def test_an_archive_is_known_by_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("no archive")
    archive = _tar(tmp_path / "export", _member("a.txt"))
    assert (is_archive(tmp_path / "text.zip"), is_archive(archive), is_archive(tmp_path)) == (False, True, False)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_that_holds_more_than_its_listing_says_is_refused(tmp_path: Path, method: int) -> None:
    bomb = tmp_path / "bomb.zip"
    bomb.write_bytes(lying_zip("course/notes.txt", 20_000_000, method))
    assert "'course/notes.txt' is" in _refusal(bomb, tmp_path)
