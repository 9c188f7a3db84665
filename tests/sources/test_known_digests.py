"""Input files are read once: again only when a name, size or time tells that they may have changed."""

import os
from pathlib import Path

import pytest

from knowledge_graph.sources import known_digests
from knowledge_graph.sources.folders import CourseFolder, input_digests
from knowledge_graph.sources.known_digests import UNREADABLE, KnownDigests


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of a test are young; those of a person are not."""
    monkeypatch.setattr(known_digests, "_SETTLED_SECONDS", -60.0)


@pytest.fixture
def course(tmp_path: Path) -> CourseFolder:
    folder = tmp_path / "courses" / "trees"
    (folder / "documents").mkdir(parents=True)
    (folder / "01.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nA tree.\n")
    (folder / "faq.csv").write_text("question,answer\nWhen?,Today.\n")
    (folder / "documents" / "rules.md").write_text("# Rules\n")
    return CourseFolder("trees", folder)


def read_of(course: CourseFolder, table: Path, *, trusted: bool = True) -> int:
    """How many files had to be read, after a look that gives the same digests as one without a table."""
    known = KnownDigests.load(table, trusted=trusted)
    assert input_digests(course, known) == input_digests(course)
    known.save()
    return known.read


def test_what_did_not_change_is_not_read_again(course: CourseFolder, tmp_path: Path) -> None:
    table = tmp_path / "digests.json"
    assert [read_of(course, table) for _ in range(3)] == [3, 0, 0]


def test_a_changed_file_alone_is_read_again(course: CourseFolder, tmp_path: Path) -> None:
    table = tmp_path / "digests.json"
    read_of(course, table)
    (course.path / "faq.csv").write_text("question,answer\nWhen?,Never.\n")
    assert read_of(course, table) == 1


def test_a_change_that_keeps_size_and_time_is_seen_by_its_entry(course: CourseFolder, tmp_path: Path) -> None:
    table, faq = tmp_path / "digests.json", course.path / "faq.csv"
    read_of(course, table)
    before = faq.stat()
    faq.write_text("question,answer\nWhen?,Later.\n")
    os.utime(faq, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert read_of(course, table) == 1


def test_verify_reads_everything(course: CourseFolder, tmp_path: Path) -> None:
    table = tmp_path / "digests.json"
    read_of(course, table)
    assert read_of(course, table, trusted=False) == 3


def test_a_file_that_changed_this_moment_is_not_kept(
    course: CourseFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_digests, "_SETTLED_SECONDS", 60.0)
    table = tmp_path / "digests.json"
    assert [read_of(course, table) for _ in range(2)] == [3, 3]


@pytest.mark.parametrize("content", ["", "[]", '{"format": 0}', '{"format": 1, "files": {"a": 7}}'])
def test_a_damaged_table_is_as_good_as_none(course: CourseFolder, tmp_path: Path, content: str) -> None:
    table = tmp_path / "digests.json"
    table.write_text(content)
    assert read_of(course, table) == 3


def test_pipes_are_not_waited_for(course: CourseFolder, tmp_path: Path) -> None:
    os.mkfifo(course.path / "documents" / "pipe.md")
    table = tmp_path / "digests.json"
    known = KnownDigests.load(table)
    assert known.digest("pipe", course.path / "documents" / "pipe.md") == UNREADABLE
    read_of(course, table)


def test_long_reading_is_told(course: CourseFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_digests, "_TOLD_EVERY_SECONDS", -1.0)
    told: list[str] = []
    input_digests(course, KnownDigests.load(tmp_path / "digests.json", on_line=told.append))
    assert told[-1] == "3 input files read, 0 MB"
