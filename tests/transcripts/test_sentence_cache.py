"""Sentences that are kept of a lecture: the same bytes as made anew, and made anew whenever anything is another."""

from dataclasses import replace
from pathlib import Path

import pytest

from knowledge_graph.lake.records import Cue, to_row
from knowledge_graph.lake.schemas import LECTURE_SENTENCES
from knowledge_graph.lake.tables import digest, write_atomic, write_table
from knowledge_graph.transcripts.sentence_cache import SentenceCache
from knowledge_graph.transcripts.sentences import lecture_sentences


def lecture(number: int, *texts: str) -> list[Cue]:
    return [
        Cue("ds", f"v{number}", f"Lecture {number}", number, at, 4000 * at, 4000 * (at + 1), text, "en")
        for at, text in enumerate(texts)
    ]


STACKS = lecture(0, "So, a stack is a list where the last goes first.", "We push a plate.", "And we pop a plate.")
QUEUES = lecture(1, "A queue is a list where the first goes first.", "", "Um, people wait in a queue.")
TREES = lecture(2, "A tree has one root.", "A tree has no cycle, okay?")


def build(place: Path, cues: list[Cue], made_by: str = "code 1") -> tuple[str, int, int]:
    """The digest of the table; lectures that were made and reused."""
    cache = SentenceCache(place / "kept.parquet", made_by=made_by)
    write_atomic(place / "table.parquet", cache.table(cues, "ds"))
    return digest(place / "table.parquet"), cache.made, cache.reused


def from_nothing(place: Path, cues: list[Cue]) -> str:
    path = place / "from_nothing.parquet"
    write_table(path, [to_row(one) for one in lecture_sentences(cues, "ds")], LECTURE_SENTENCES)
    return digest(path)


def test_an_edited_lecture_is_made_alone_and_the_bytes_are_those_of_a_build_from_nothing(tmp_path: Path) -> None:
    first = [*STACKS, *QUEUES, *TREES]
    assert build(tmp_path, first) == (from_nothing(tmp_path, first), 3, 0)
    edited = [*STACKS, replace(QUEUES[0], text="A queue is fair."), *QUEUES[1:], *TREES]
    assert build(tmp_path, edited) == (from_nothing(tmp_path, edited), 1, 2)
    assert build(tmp_path, edited) == (from_nothing(tmp_path, edited), 0, 3)


@pytest.mark.parametrize("cues", [[], lecture(0, "[Music]", ""), STACKS, [*QUEUES, *STACKS]])
def test_few_lectures_or_none_give_the_bytes_of_a_build_from_nothing(tmp_path: Path, cues: list[Cue]) -> None:
    for _ in range(2):
        assert build(tmp_path, cues)[0] == from_nothing(tmp_path, cues)


def test_other_times_other_places_and_other_code_are_made_anew(tmp_path: Path) -> None:
    build(tmp_path, [*STACKS, *TREES])
    later = [replace(cue, start_ms=cue.start_ms + 1, end_ms=cue.end_ms + 1) for cue in STACKS]
    assert build(tmp_path, [*later, *TREES])[1:] == (1, 1)
    moved = [replace(cue, video_index=7) for cue in later]
    assert build(tmp_path, [*TREES, *moved])[1:] == (1, 1)
    assert build(tmp_path, [*TREES, *moved], "code 2")[1:] == (2, 0)


def test_what_is_gone_is_forgotten(tmp_path: Path) -> None:
    build(tmp_path, [*STACKS, *TREES])
    build(tmp_path, STACKS)
    assert build(tmp_path, [*STACKS, *TREES])[1:] == (1, 1)


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    whole = build(tmp_path, [*STACKS, *QUEUES])[0]
    path = tmp_path / "kept.parquet"
    data = bytearray(path.read_bytes())
    for place in (8, len(data) // 3, len(data) - 6):
        path.write_bytes(bytes([*data[:place], data[place] ^ 255, *data[place + 1 :]]))
        assert build(tmp_path, [*STACKS, *QUEUES])[0] == whole, place
    path.write_bytes(data[: len(data) // 2])
    assert build(tmp_path, [*STACKS, *QUEUES]) == (whole, 2, 0)
