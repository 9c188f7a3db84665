"""What was published is compared with what is there."""

import os
from pathlib import Path

import pytest

from knowledge_graph.lake.home import DataDir, name_of
from knowledge_graph.lake.seals import POINTER, flaw_in, seals_of

CONTENT = b"PAR1" + bytes(range(256)) * 40 + b"PAR1"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.parquet"
    path.write_bytes(CONTENT)
    return path


def test_a_file_as_it_was_published_is_whole(table: Path) -> None:
    assert flaw_in(table, seals_of(table)) is None
    assert flaw_in(table, seals_of(table), full=True) is None


def test_a_cut_file_is_named_with_both_sizes(table: Path) -> None:
    seals = seals_of(table)
    table.write_bytes(CONTENT[:5000])
    assert flaw_in(table, seals) == "is damaged: it has 5,000 bytes, 10,248 were written"


@pytest.mark.parametrize("place", [0, 5000, len(CONTENT) - 1])
def test_one_changed_bit_is_found(table: Path, place: int) -> None:
    seals = seals_of(table)
    table.write_bytes(CONTENT[:place] + bytes([CONTENT[place] ^ 1]) + CONTENT[place + 1 :])
    assert flaw_in(table, seals) == "is damaged: it has other bytes than were written"


def test_a_bit_that_changed_by_itself_is_found_when_everything_is_read(table: Path) -> None:
    seals, found = seals_of(table), table.stat()
    table.write_bytes(CONTENT[:5000] + b"\0\0" + CONTENT[5002:])
    os.utime(table, ns=(found.st_atime_ns, found.st_mtime_ns))  # a disk that forgets sets no time
    assert flaw_in(table, seals) is None
    assert flaw_in(table, seals, full=True) == "is damaged: it has other bytes than were written"


def test_a_copied_file_is_whole_and_read_whole_once(table: Path) -> None:
    seals, found = seals_of(table), table.stat()
    os.utime(table, ns=(0, 0))
    assert flaw_in(table, seals) is None
    assert table.stat().st_mtime_ns == found.st_mtime_ns


def test_each_file_of_a_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "v1" / "qa").mkdir(parents=True)
    for name in ("card.json", "qa/meta.json"):
        (tmp_path / "v1" / name).write_text("{}")
    seals = seals_of(tmp_path / "v1")
    assert flaw_in(tmp_path / "v1", seals) is None
    (tmp_path / "v1" / "qa" / "meta.json").unlink()
    assert flaw_in(tmp_path / "v1", seals) == "is damaged: its file qa/meta.json is gone"
    (tmp_path / "v1" / "card.json").write_text("{")
    assert flaw_in(tmp_path / "v1", seals) == (
        "is damaged: its file card.json has 1 bytes, 2 were written; its file qa/meta.json is gone"
    )


@pytest.mark.parametrize("text", ["v", "", "v1x", "../v1", "v1/../v1"])
def test_a_pointer_that_names_no_folder_is_damaged(tmp_path: Path, text: str) -> None:
    (tmp_path / "v1").mkdir()
    pointer = tmp_path / POINTER
    pointer.write_text("v1\n")
    seals = seals_of(pointer)
    assert flaw_in(pointer, seals) is None
    (tmp_path / "v2").mkdir()
    pointer.write_text("v2\n")  # as people do to go back to an older model
    assert flaw_in(pointer, seals) is None
    pointer.write_text(text)
    assert flaw_in(pointer, seals) == f"is damaged: it names {text!r}, and there is no such folder"


def test_what_was_built_before_there_were_seals_is_looked_at_as_far_as_it_shows(table: Path) -> None:
    assert flaw_in(table, {}) is None
    table.write_bytes(CONTENT[:5000])
    assert flaw_in(table, {}) == "is damaged: it ends before its end"
    table.unlink()
    assert flaw_in(table, {}) == "is gone"


@pytest.mark.parametrize(
    "path", ["/old/home/lake/cues/trees.parquet", "lake/cues/trees.parquet", "/index/lake/cues/trees.parquet"]
)
def test_the_name_of_a_table_is_the_same_wherever_the_home_lay(path: str) -> None:
    assert name_of(Path(path)) == "lake/cues/trees.parquet"
    assert DataDir(Path("/new")).built(path) == Path("/new/lake/cues/trees.parquet")
