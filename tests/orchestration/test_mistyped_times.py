"""A time stamp that cannot be is told at its line, and its course is built all the same."""

from pathlib import Path

import pytest
from small_courses import FAQ, STACKS, Place, srt, write_course

from knowledge_graph.lake.tables import read_rows


@pytest.mark.parametrize("wrong", ["00:75:15,000 --> 00:75:17,000", "100:00:15,000 --> 100:00:17,000"])
def test_a_course_with_a_mistyped_time_is_built(tmp_path: Path, wrong: str) -> None:
    place = Place(tmp_path)
    right = "00:00:12,000 --> 00:00:14,000"  # the middle of what the accepted edges rest on
    lecture = srt(STACKS)
    assert right in lecture
    write_course(place.courses / "structures", {"01 - Stacks.srt": lecture.replace(right, wrong), "faq.csv": FAQ})
    with place.builder() as builder:
        of_the_course = next(builder.plans(builder.prepare()))
        assert builder.run(of_the_course).succeeded
    assert any(row["accepted"] for row in read_rows(place.data_dir.table("prerequisites", "structures")))
