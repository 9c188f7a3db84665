"""Files as the disk gives them: too large, not there, no file at all."""

import os
from pathlib import Path

import pytest

from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.files import LARGEST_FILE, open_text, read_bytes, read_text


def test_a_file_at_the_limit_is_read_and_one_beyond_it_is_told(tmp_path: Path) -> None:
    path, told = tmp_path / "rules.txt", ProblemLog("rules.txt")
    path.write_bytes(b"12345")
    assert read_bytes(path, told, 5) == b"12345"
    assert told.problems == []
    assert read_text(path, told, 4) is None
    assert [problem.severity for problem in told.problems] == ["error"]


def test_a_text_of_200_mb_is_refused_unread(tmp_path: Path) -> None:
    path, told = tmp_path / "rules.txt", ProblemLog("rules.txt")
    with path.open("wb") as file:
        file.truncate(200 * 2**20)
    assert read_text(path, told) is None
    assert [str(problem) for problem in told.problems] == [
        f"rules.txt: Not read: the file has 200.0 MB, the limit is {LARGEST_FILE // 2**20} MB. Divide it into smaller "
        "files, or remove it if it is something else."
    ]


def test_a_text_is_opened_in_its_encoding(tmp_path: Path) -> None:
    for encoding in ("utf-8", "gbk", "utf-16", "utf-16-be"):
        path, told = tmp_path / encoding, ProblemLog()
        path.write_bytes(("二叉树有很多结点。\r\n" * 3).encode(encoding))
        stream = open_text(path, told)
        assert stream is not None
        with stream:
            assert stream.read().lstrip("\ufeff") == "二叉树有很多结点。\n" * 3
        assert len(told.problems) == (encoding != "utf-8")


def test_the_end_of_the_part_looked_at_does_not_spoil_the_encoding(tmp_path: Path) -> None:
    for text in ("a" + "树" * 700_000, "a" * (2**20 - 1) + "树" * 10, "a" * 2**20 + "\n树"):
        (tmp_path / "long").write_text(text, encoding="utf-8")
        told = ProblemLog()
        stream = open_text(tmp_path / "long", told)
        assert stream is not None
        with stream:
            assert (stream.encoding, stream.read() == text, told.problems) == ("utf-8", True, [])


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "loop"])
def test_what_is_no_file_is_told(tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    if kind == "folder":
        path.mkdir()
    if kind == "pipe":
        os.mkfifo(path)
    if kind == "loop":
        path.symlink_to(path)
    told = ProblemLog(kind)
    assert (read_bytes(path, told), open_text(path, told)) == (None, None)
    assert [problem.message[:26] for problem in told.problems] == ["The file could not be read"] * 2
